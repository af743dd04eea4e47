import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { blockFileName, digestOfLetters, lettersFileName } from "@gridlock/layers";
import type { Logger } from "pino";
import { type ComparedOutcome, type ComparedWork, nameOf } from "./task-messages.js";

/** The outcome of a task, and the worker that did it; undefined if this machine did it. */
export interface TaskAnswer<Outcome = ComparedOutcome> {
  readonly worker: string | undefined;
  readonly outcome: Outcome;
}

export interface AgreementOptions {
  /** The folder of the proof. */
  readonly folder: string;
  readonly log: Logger;
  /** Has a task done by a worker other than `not`; by this machine, if there is no other. */
  ask(work: ComparedWork, not?: string): Promise<TaskAnswer>;
  /** Does a task on this machine. */
  judge(work: ComparedWork): Promise<ComparedOutcome>;
  /** Called with the worker of each false answer. */
  shutOut(worker: string): void;
}

/**
 * Has a task done by two workers, and returns the outcome on which they agree. A task has only one
 * right result: if they disagree, this machine does it too, and shuts out each worker with another
 * result.
 */
export async function agreed(
  work: ComparedWork,
  options: AgreementOptions,
): Promise<ComparedOutcome> {
  const { folder, log, ask, judge, shutOut } = options;
  const first = await ask(work);
  const ofFirst = await evidence(folder, work, first.outcome);
  const second = await ask(work, first.worker);
  const ofSecond = await evidence(folder, work, second.outcome);
  if (isDeepStrictEqual(ofFirst, ofSecond)) return first.outcome;
  const task = nameOf(work);
  log.error({ task, workers: [first.worker, second.worker] }, "two workers disagree");
  const truth = second.worker === undefined ? second.outcome : await judge(work);
  const ofTruth = await evidence(folder, work, truth);
  for (const [{ worker }, found] of [
    [first, ofFirst],
    [second, ofSecond],
  ] as const) {
    if (worker === undefined || isDeepStrictEqual(found, ofTruth)) continue;
    // One machine may be unable to read a file, or not yet able, that another one sees.
    if ("damaged" in found || "damaged" in ofTruth) continue;
    shutOut(worker);
  }
  return truth;
}

/**
 * Returns the part of a task's outcome that is the same on all machines: no counts or cost, but the
 * files' contents.
 */
async function evidence(
  folder: string,
  work: ComparedWork,
  outcome: ComparedOutcome,
): Promise<object> {
  if ("check" in outcome) return outcome.check;
  const { visit } = outcome;
  if ("damaged" in visit || !("visit" in work)) return visit;
  const { letters, boards, live, waiting } = visit;
  const { block, step } = work.visit;
  const hasLetters = letters.length > 0;
  return {
    ...{ letters, boards, live, waiting },
    said: hasLetters ? digestOfLetters(folder, lettersFileName(block, step)) : undefined,
    known: await digestOf(join(folder, blockFileName(block, step))),
  };
}

/** Returns a digest of a file; undefined if it is missing. */
async function digestOf(file: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  try {
    for await (const bytes of createReadStream(file)) hash.update(bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  return hash.digest("hex");
}
