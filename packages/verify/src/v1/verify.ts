import { setImmediate } from "node:timers/promises";
import { packBoard, seededRandom, starts } from "@gridlock/game";
import { CertificateError } from "../errors.js";
import { Checker } from "./check.js";
import { explainFault, type Failure } from "./failure.js";
import type { Certificate } from "./file.js";
import { MOST_EFFORT } from "./header.js";
import { type Expected, reportStarts, type StartReport } from "./proven-starts.js";
import { workHere, workInThreads } from "./threads.js";
import { COUNTERS, claimsOf, type Job, progressOf, type Tally } from "./work.js";

/** The progress of a check. */
export interface Progress {
  /** Claims checked, of `total`. */
  readonly checked: number;
  readonly total: number;
  /** Positions expanded. */
  readonly expanded: number;
}

/** Options of a check of a certificate. */
export interface VerifyOptions {
  /** Threads that check claims, 1 or more. A small certificate is checked in the calling thread. */
  readonly threads: number;
  /** The number of claims to check, picked at random, besides those of the starts. Default: all. */
  readonly sample?: number;
  /** The seed of the sample. Default: 0. */
  readonly seed?: number;
  /** Called several times a second, and once at the end. */
  onProgress?(progress: Progress): void;
  /** Stops the check: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** The result of a check. All but `seconds` is the same with any number of threads. */
export interface Report {
  /** The number of boards with claims, and the number of those checked. */
  readonly claims: number;
  readonly checked: number;
  /** Sides of claims that follow by one step, and by search. */
  readonly bySteps: number;
  readonly bySearch: number;
  /** Positions expanded: one for the step of each side, and those of searches. */
  readonly expanded: number;
  /** The largest tile sum of a claim that was checked. */
  readonly deepestLayer: number;
  readonly starts: readonly StartReport[];
  /** The first 20 failures: by tile sum, then by packed board, lower sides first. */
  readonly failures: readonly Failure[];
  /** The number of failures; each side of a claim counts. */
  readonly failed: number;
  /** True if every check passed: no failure, and every start follows. */
  readonly nothingWrong: boolean;
  /** True if every start's value is proven: nothing is wrong, and all claims were checked. */
  readonly complete: boolean;
  /** True if only a part of the claims was checked, which proves nothing. */
  readonly sampled: boolean;
  readonly seconds: number;
}

/** If at most so many positions are expanded, threads take longer to start than to check. */
const WORTH_THREADS = 20_000;
/** The largest effort for which the stack of the calling thread always suffices. */
const SHALLOW_EFFORT = 1_000;
/** Milliseconds between two reports of progress. */
const PROGRESS_MS = 200;

/**
 * Checks that each claim of a certificate follows, and that the claims about the starts determine
 * their values.
 *
 * @throws {CertificateError} `bad-header` for a proof effort that no certificate can have.
 * @throws {RangeError} for fewer than one thread, or a sample that is not a whole number.
 */
export async function verify(
  certificate: Certificate,
  expected: Expected | undefined,
  options: VerifyOptions,
): Promise<Report> {
  const { signal } = options;
  const { effort } = certificate;
  if (!(Number.isInteger(effort) && effort >= 0 && effort <= MOST_EFFORT)) {
    throw new CertificateError(
      "bad-header",
      `the certificate has a proof effort of ${effort}; expected a whole number up to ${MOST_EFFORT}`,
    );
  }
  const began = performance.now();
  signal?.throwIfAborted();
  const checker = new Checker(certificate);
  const job = makeJob(checker, options);
  const tally = await doJob(job, options);
  const failures: Failure[] = [];
  for (const fault of tally.faults) {
    failures.push(explainFault(checker, fault));
    await setImmediate();
    signal?.throwIfAborted();
  }
  const starts = reportStarts(checker, expected, tally.wrongStarts);
  const { checked, expanded } = progressOf(job);
  const sampled = job.selection !== undefined;
  const nothingWrong = tally.failed === 0 && starts.every(({ follows }) => follows);
  return {
    claims: certificate.claims.size,
    checked,
    bySteps: tally.bySteps,
    bySearch: tally.bySearch,
    expanded,
    deepestLayer: tally.deepestLayer,
    starts,
    failures,
    failed: tally.failed,
    nothingWrong,
    complete: nothingWrong && !sampled,
    sampled,
    seconds: (performance.now() - began) / 1000,
  };
}

function makeJob(
  { game, certificate }: Checker,
  { threads, sample, seed = 0 }: VerifyOptions,
): Job {
  if (!Number.isInteger(threads) || threads < 1) {
    throw new RangeError(`${threads} threads cannot check anything; expected 1 or more`);
  }
  if (sample !== undefined && (!Number.isInteger(sample) || sample < 0)) {
    throw new RangeError(`a sample of ${sample} claims cannot be picked; expected a whole number`);
  }
  const { claims, effort } = certificate;
  const job = {
    game,
    effort,
    records: claims.records,
    counters: new SharedArrayBuffer(8 * COUNTERS),
  };
  if (sample === undefined || sample >= claims.size) return { ...job, selection: undefined };
  const picked = pickSample(claims.size, sample, seed);
  for (const start of starts(game.shape)) {
    const index = claims.find(packBoard(start));
    if (index >= 0) picked.add(index);
  }
  const selection = new SharedArrayBuffer(picked.size * Uint32Array.BYTES_PER_ELEMENT);
  new Uint32Array(selection).set([...picked].sort((a, b) => a - b));
  return { ...job, selection };
}

/**
 * Picks `count` of the numbers below `total`, every set with the same probability, by Floyd's
 * algorithm (Bentley, "Programming Pearls: A sample of brilliance", 1987). The seed determines the
 * set.
 */
function pickSample(total: number, count: number, seed: number): Set<number> {
  const random = seededRandom(seed);
  const picked = new Set<number>();
  for (let last = total - count; last < total; last++) {
    const pick = Math.floor(random() * (last + 1));
    picked.add(picked.has(pick) ? last : pick);
  }
  return picked;
}

/** Does the job, in worker threads if it is large enough, and reports progress. */
async function doJob(job: Job, { threads, signal, onProgress }: VerifyOptions): Promise<Tally> {
  const total = claimsOf(job);
  const tell = () => onProgress?.({ ...progressOf(job), total });
  const timer = setInterval(tell, PROGRESS_MS);
  try {
    return total * (1 + job.effort) <= WORTH_THREADS && job.effort <= SHALLOW_EFFORT
      ? await workHere(job, signal)
      : await workInThreads(job, threads, signal);
  } finally {
    clearInterval(timer);
    tell();
  }
}
