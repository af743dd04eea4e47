import { type Board, canonical, packBoard, parseShape } from "@gridlock/game";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  gameNamed,
  PROTOCOL,
  questionId,
  read,
  readBound,
  readQuestion,
  writeBound,
  writeQuestion,
} from "../src/messages.js";

const GAME = { shape: parseShape("2x3"), tiles: [2, 4] } as const;

const anyBoard: fc.Arbitrary<Board> = fc
  .array(fc.constantFrom(0, 2, 4, 8, 16), { minLength: 6, maxLength: 6 })
  .map((cells) => canonical({ rows: 2, cols: 3, cells }));

const anyQuestion = fc.record({
  turn: fc.constantFrom("slider" as const, "placer" as const),
  board: anyBoard.map(packBoard),
  threshold: fc.integer({ min: 1, max: 1000 }).map((n) => 4 * n),
});

describe("messages", () => {
  it("of questions survive being written and read, with distinct ids", () => {
    const ids = new Map<string, string>();
    fc.assert(
      fc.property(anyQuestion, (question) => {
        // A full board is not an afterstate.
        fc.pre(question.turn === "slider" || writeQuestion(GAME, question).board.includes("0"));
        const { board, threshold } = writeQuestion(GAME, question);
        expect(readQuestion(GAME, { board, threshold })).toEqual(question);
        const id = questionId(GAME, question);
        expect(id).toMatch(/^[a-z0-9_-]{1,100}$/i);
        const text = JSON.stringify({ board, threshold });
        expect(ids.get(id) ?? text).toBe(text);
        ids.set(id, text);
      }),
    );
  });

  it("preserve bounds in JSON", () => {
    for (const hi of [8, Number.POSITIVE_INFINITY]) {
      const bound = { lo: 4, hi };
      expect(readBound(JSON.parse(JSON.stringify(writeBound(bound))))).toEqual(bound);
    }
  });

  const result = {
    protocol: PROTOCOL,
    worker: "w",
    counts: { positions: 1, afterstates: 2 },
    bounds: [{ board: "2 2 0/0 0 0", bound: { lo: 4, hi: null } }],
  };

  const withBound = (bound: unknown) => ({ ...result, bounds: [{ board: "2 2 0/0 0 0", bound }] });

  it("are read if they are valid", () => {
    expect(read("result", JSON.stringify(result))).toEqual(result);
    expect(read("result", { ...result, bounds: [] }).bounds).toEqual([]); // its budget was spent
    const asked = { board: "2 2 0/0 0 0", threshold: 8 };
    const subtree = { protocol: PROTOCOL, run: "r", ...asked, budget: 5000, of: asked };
    expect(read("subtree", JSON.stringify(subtree))).toEqual(subtree);
    expect(read("subtree", { ...subtree, of: null }).of).toBeNull();
    expect(() => read("subtree", { ...subtree, budget: 0 })).toThrow(
      /^not a valid subtree: budget/,
    );
  });

  it.each<[string, unknown]>([
    ["nothing", null],
    ["no JSON", "{"],
    ["a bound that contradicts itself", withBound({ lo: 8, hi: 4 })],
    ["points that are not a multiple of 4", withBound({ lo: 5, hi: null })],
    ["no bound", withBound(undefined)],
    ["no worker", { ...result, worker: undefined }],
  ])("are rejected if they contain %s", (_, message) => {
    expect(() => read("result", message)).toThrow(/^not a valid result: /);
  });

  const run = {
    protocol: PROTOCOL,
    run: "r",
    host: "h",
    pid: 1,
    shape: "2x3",
    tiles: "2,4",
    began: "2026-11-21T20:53:28.000Z",
    starts: [],
    guess: { threshold: 48, step: 4 },
    questions: 0,
    question: { id: "q", board: "2 2 0/0 0 0", threshold: 8 },
    workers: ["v", "w"],
    subtrees: { done: 3, queued: 4, largest: ["2 2 0/0 0 0", "4 0 0/0 0 0 placer"] },
    counts: { positions: 1, afterstates: 2 },
  };

  it("about a run have a question or null", () => {
    expect(read("run", JSON.stringify(run))).toEqual(run);
    expect(read("run", { ...run, question: null })).toEqual({ ...run, question: null });
  });

  it("are rejected if a text of theirs has several lines", () => {
    const evil = "2\n0";
    for (const [field, message] of [
      ["shape", { ...run, shape: evil }],
      ["tiles", { ...run, tiles: evil }],
      ["question.board", { ...run, question: { ...run.question, board: evil } }],
      ["subtrees.largest.0", { ...run, subtrees: { ...run.subtrees, largest: [evil] } }],
      ["workers.0", { ...run, workers: [evil] }],
    ] as const) {
      expect(() => read("run", message)).toThrow(new RegExp(`^not a valid run: ${field}: `));
    }
    expect(() => read("result", { ...result, worker: evil })).toThrow(
      /^not a valid result: worker: /,
    );
  });

  it("of another protocol are rejected with a sentence", () => {
    expect(() => read("result", { ...result, protocol: PROTOCOL + 1 })).toThrow(
      new RegExp(
        `received a message of protocol ${PROTOCOL + 1}, but this version speaks protocol ${PROTOCOL}; use`,
      ),
    );
  });

  it("about boards of another shape, or that are not canonical, are rejected", () => {
    const asked = (board: string) => readQuestion(GAME, { board, threshold: 4 });
    expect(() => asked("2 0/0 2")).toThrow("is not a board of 2x3");
    expect(() => asked("0 0 0/0 2 2")).toThrow("is not canonical");
    expect(() => asked("2 2 0/0 0 3")).toThrow();
    expect(() => gameNamed({ shape: "3by3", tiles: "2,4" })).toThrow("is not a shape");
  });
});
