import { type Bound, packBoard, parseBoard, parseShape } from "@gridlock/game";
import type { Question } from "@gridlock/solver";
import { describe, expect, it } from "vitest";
import type { ClusterError } from "../src/errors.js";
import { Jobs } from "../src/jobs.js";
import { Referee } from "../src/referee.js";
import { readableLog } from "./log.js";

const GAME = { shape: parseShape("2x2"), tiles: [2, 4] } as const;
const BOARD = packBoard(parseBoard("2 2/0 0").board);
const QUESTION: Question = { turn: "slider", board: BOARD, threshold: 20 };
const HIGH: Bound = { lo: 20, hi: Number.POSITIVE_INFINITY };
const LOW: Bound = { lo: 0, hi: 16 };

/** A referee for whom `truth` is proven, unless that fails. */
function referee({ truth = LOW as Bound | Error, audit = 1 } = {}) {
  const jobs = new Jobs();
  const { log } = readableLog();
  const reasons: ClusterError[] = [];
  const failures: Error[] = [];
  const judged: Question[] = [];
  const made = new Referee({
    ...{ game: GAME, audit, seed: 1, jobs, log },
    judge: async (question) => {
      judged.push(question);
      if (truth instanceof Error) throw truth;
      return truth;
    },
    onFalse: (reason) => reasons.push(reason),
    onFailure: (error) => failures.push(error),
  });
  return { referee: made, jobs, reasons, failures, judged };
}

const nobody = () => false;
const never = () => false;

describe("a referee", () => {
  it("believes answers that agree", () => {
    const { referee: r } = referee();
    expect(r.isCredible(QUESTION, { worker: "a", bound: { lo: 0, hi: 16 } })).toBe(true);
    expect(r.isCredible(QUESTION, { worker: "b", bound: { lo: 16, hi: 40 } })).toBe(true);
    expect(r.isJudging).toBe(false);
  });

  it.each([
    ["the lower one is true", LOW, "liar"],
    ["the higher one is true", HIGH, "honest"],
  ])("shuts out whoever is wrong: %s", async (_, truth, wrong) => {
    const { referee: r, reasons, judged, jobs } = referee({ truth });
    jobs.addAudit("audit_x", QUESTION, { worker: "liar", bound: HIGH });
    r.isCredible(QUESTION, { worker: "liar", bound: HIGH });
    expect(r.isCredible(QUESTION, { worker: "honest", bound: LOW })).toBe(false);
    expect(r.isJudging).toBe(true);
    expect(r.hears("somebody")).toBe(false);
    await r.finish(nobody, never);
    expect(judged).toEqual([QUESTION]);
    expect(r.shutOut).toEqual([wrong]);
    expect(r.hears(wrong)).toBe(false);
    expect(r.hears("somebody")).toBe(true);
    expect(r.epoch).toBe(1);
    expect(jobs.audits()).toEqual([]);
    expect(reasons.map(({ code, message }) => [code, message])).toEqual([
      [
        "shut-out",
        `${wrong} gave a false answer to the question whether 2 2/0 0 is worth 20, and is shut out`,
      ],
    ]);
  });

  it("forgets the answers of an epoch that has ended", async () => {
    const { referee: r } = referee();
    r.isCredible(QUESTION, { worker: "liar", bound: HIGH });
    r.isCredible(QUESTION, { worker: "honest", bound: LOW });
    await r.finish(nobody, never);
    expect(r.isCredible(QUESTION, { worker: "honest", bound: LOW })).toBe(true);
    expect(r.epoch).toBe(1);
  });

  it("reports that a disagreement cannot be decided", async () => {
    const { referee: r, failures, reasons } = referee({ truth: new Error("no memory") });
    r.isCredible(QUESTION, { worker: "a", bound: HIGH });
    r.isCredible(QUESTION, { worker: "b", bound: LOW });
    await r.finish(nobody, never);
    expect(failures.map(({ message }) => message)).toEqual(["no memory"]);
    expect(reasons).toEqual([]);
    expect(r.isJudging).toBe(false);
  });

  it("draws as many audits as it should", () => {
    const { referee: r, jobs } = referee({ audit: 0.25 });
    for (let i = 0; i < 1000; i++) r.drawAudit(`q${i}`, QUESTION, { worker: "a", bound: HIGH });
    expect(jobs.audits().length).toBeGreaterThan(200);
    expect(jobs.audits().length).toBeLessThan(300);
  });

  it("takes an audit from another worker only, and if it answers the question", async () => {
    const { referee: r, jobs, judged } = referee();
    const id = r.drawAudit("q", QUESTION, { worker: "a", bound: HIGH }) as string;
    r.audited(id, { worker: "a", bound: HIGH });
    r.audited(id, { worker: "b", bound: { lo: 16, hi: 40 } });
    expect(jobs.audits()).toHaveLength(1);
    r.audited(id, { worker: "b", bound: HIGH });
    expect(jobs.audits()).toEqual([]);
    expect(judged).toEqual([]);
  });

  it("judges when an audit contradicts the answer", async () => {
    const { referee: r } = referee();
    const id = r.drawAudit("q", QUESTION, { worker: "a", bound: HIGH }) as string;
    r.audited(id, { worker: "b", bound: LOW });
    await r.finish(nobody, never);
    expect(r.shutOut).toEqual(["a"]);
  });

  it("waits for audits while there is somebody to do them", async () => {
    const { referee: r } = referee();
    const id = r.drawAudit("q", QUESTION, { worker: "a", bound: HIGH }) as string;
    let left: number | undefined;
    const finished = r
      .finish(
        (worker) => worker === "a",
        () => false,
      )
      .then((count) => {
        left = count;
      });
    r.look();
    await Promise.resolve();
    expect(left).toBeUndefined();
    r.audited(id, { worker: "b", bound: HIGH });
    await finished;
    expect(left).toBe(0);
  });

  it("gives up audits that nobody can do, and counts them", async () => {
    const { referee: r } = referee();
    r.drawAudit("q", QUESTION, { worker: "a", bound: HIGH });
    expect(await r.finish(nobody, never)).toBe(1);
  });
});
