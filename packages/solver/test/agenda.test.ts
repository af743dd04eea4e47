import { type Bound, packedFromBits, UNKNOWN } from "@gridlock/game";
import {
  type Agenda,
  Answers,
  isSameQuestion,
  LocalPool,
  nextQuestion,
  type Question,
  solve,
} from "@gridlock/solver";
import { describe, expect, it } from "vitest";
import { freshDatabase, gameOf } from "./setup.js";

/** Solves a game; returns its questions, each with its answer and the agenda it comes from. */
async function questionsOf(name: string, seed?: number) {
  const game = gameOf(name);
  await using pool = new LocalPool(game, { workers: 1, memory: 16 * 2 ** 20 });
  const asked: { question: Question; answer: Bound; agenda: Agenda }[] = [];
  let agenda: Agenda | undefined;
  const port = {
    ask: async (question: Question) => {
      const answer = (await pool.ask(question)) as Bound;
      asked.push({ question, answer, agenda: agenda as Agenda });
      return answer;
    },
    stop: () => {},
    counts: () => pool.counts(),
    question: undefined,
  };
  await solve(game, freshDatabase(), port, {
    seed,
    onProgress: (next) => {
      agenda = next;
    },
  });
  return { asked, last: agenda as Agenda };
}

describe("an agenda", () => {
  it.each([
    ["2x3", undefined],
    ["2x4", undefined],
    ["2x4", 7],
    ["3x3", undefined],
  ])("of %s (seed %s) tells all questions that follow, from any of them", async (name, seed) => {
    const { asked, last } = await questionsOf(name, seed);
    expect(asked.length).toBeGreaterThan(10);
    expect(nextQuestion(last)).toBeUndefined();
    for (let from = 0; from < asked.length; from += Math.ceil(asked.length / 10)) {
      const answers = new Answers();
      const { agenda } = asked[from] as (typeof asked)[number];
      for (const { question, answer } of asked.slice(from)) {
        expect(answers.next(agenda)).toEqual(question);
        answers.add(question, answer);
      }
      expect(answers.next(agenda)).toBeUndefined();
    }
  });
});

describe("answers", () => {
  const question: Question = { turn: "slider", board: packedFromBits(17n), threshold: 20 };

  it("are those that answer their question", () => {
    const answers = new Answers();
    for (const bound of [UNKNOWN, { lo: 16, hi: 20 }]) answers.add(question, bound);
    expect(answers.get(question)).toBeUndefined();
    answers.add(question, { lo: 0, hi: 16 });
    answers.add(question, { lo: 4, hi: 12 });
    expect(answers.get({ ...question })).toEqual({ lo: 4, hi: 12 });
    expect(answers.get({ ...question, threshold: 24 })).toBeUndefined();
    expect(answers.get({ ...question, turn: "placer" })).toBeUndefined();
  });

  it("are to one question if board, turn and threshold are the same", () => {
    expect(isSameQuestion(question, { ...question })).toBe(true);
    expect(isSameQuestion(question, { ...question, threshold: 24 })).toBe(false);
  });
});
