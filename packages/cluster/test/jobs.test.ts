import { type Bound, packBoard, parseBoard, parseShape } from "@gridlock/game";
import type { Question } from "@gridlock/solver";
import { describe, expect, it } from "vitest";
import { Jobs } from "../src/jobs.js";
import { questionId } from "../src/messages.js";
import { partsOf } from "../src/parts.js";

const GAME = { shape: parseShape("2x3"), tiles: [2, 4] } as const;
const above = (lo: number): Bound => ({ lo, hi: Number.POSITIVE_INFINITY });
const below = (hi: number): Bound => ({ lo: 0, hi });

function question(threshold: number, text = "2 2 0/0 0 0"): Question {
  return { turn: "slider", board: packBoard(parseBoard(text).board), threshold };
}

/** A question that is open and split into its parts. */
function split() {
  const jobs = new Jobs();
  const asked = question(60);
  const job = jobs.open(questionId(GAME, asked), asked);
  const parts = partsOf(GAME, asked);
  jobs.split(job, parts);
  const [first, ...others] = parts;
  if (!first || others.length === 0) throw new Error("expected several parts");
  return { jobs, job, parts, first, others };
}

describe("jobs", () => {
  it("answer whoever asks, once for the same question", async () => {
    const jobs = new Jobs();
    const job = jobs.open("q", question(60));
    expect(jobs.open("q", question(60))).toBe(job);
    expect(jobs.answer("q", above(60))).toEqual(["q"]);
    await expect(job.answer).resolves.toEqual(above(60));
    expect(jobs.all()).toEqual([]);
  });

  it("list questions first, then audits, then subtrees", () => {
    const { jobs, job, parts } = split();
    jobs.addAudit("audit_q", question(8), { worker: "w", bound: above(8) });
    expect(jobs.all().map(({ kind }) => kind)).toEqual([
      ...["question", "audit"],
      ...parts.map(() => "subtree"),
    ]);
    expect(jobs.get(job.id)?.kind).toBe("question");
  });

  it("answer a question by one part that is good enough, and drop the others", async () => {
    const { jobs, job, parts, first } = split();
    const dropped = jobs.answer(first.id, above(first.question.threshold));
    expect(new Set(dropped)).toEqual(new Set([job.id, ...parts.map(({ id }) => id)]));
    await expect(job.answer).resolves.toEqual(above(60));
    expect(jobs.all()).toEqual([]);
  });

  it("answer a question when all of its parts fail", async () => {
    const { jobs, job, parts } = split();
    for (const { id, question } of parts) jobs.answer(id, below(question.threshold - 4));
    await expect(job.answer).resolves.toEqual(below(56));
  });

  it("drop a part as soon as it is answered", () => {
    const { jobs, first } = split();
    expect(jobs.answer(first.id, below(0))).toEqual([first.id]);
    expect(jobs.get(first.id)).toBeUndefined();
  });

  it("do not take a part that was given up for one that fails", () => {
    const { jobs, job, first, others } = split();
    expect(jobs.drop(first.id)).toEqual([first.id]);
    for (const { id } of others) jobs.answer(id, below(0));
    expect(jobs.get(job.id)).toBe(job);
  });

  it("keep a part that another question has too", () => {
    const { jobs, job, parts } = split();
    const other = jobs.open("other", question(60));
    jobs.split(other, partsOf(GAME, question(60)));
    expect(jobs.settle(job, undefined)).toEqual([job.id]);
    expect(jobs.all().map(({ id }) => id)).toEqual(["other", ...parts.map(({ id }) => id)]);
  });

  it("reject all questions, and forget them with their parts, but no audits", async () => {
    const { jobs, job } = split();
    jobs.addAudit("audit_q", question(8), { worker: "w", bound: above(8) });
    jobs.rejectAll(new Error("no more"));
    await expect(job.answer).rejects.toThrow("no more");
    expect(jobs.all().map(({ id }) => id)).toEqual(["audit_q"]);
  });
});
