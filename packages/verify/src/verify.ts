import { randomInt } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Group } from "./block-index.js";
import { CLAIMS_PER_BLOCK } from "./blocks.js";
import { explainFault, type Failure } from "./failure.js";
import type { CertificateFile } from "./file.js";
import { LookUps, SLOT_BYTES } from "./look-ups.js";
import { type Expected, reportStarts, type StartReport } from "./proven-starts.js";
import { type Team, teamHere, teamOfThreads } from "./threads.js";
import {
  COUNTERS,
  checkedOf,
  type Job,
  mergeTallies,
  NOTHING,
  type TableUse,
  type Tally,
} from "./work.js";

/** The progress of a check. */
export interface Progress {
  /** Claims checked, of `total`. */
  readonly checked: number;
  readonly total: number;
}

/** Options of a check of a certificate. */
export interface VerifyOptions {
  /** Threads that check claims, 1 or more. A small certificate is checked in the calling thread. */
  readonly threads: number;
  /** Bytes of memory that the process may take, {@link LEAST_MEMORY} or more. */
  readonly memory: number;
  /** Called several times a second, and once at the end. */
  onProgress?(progress: Progress): void;
  /** Stops the check: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** The result of a check. Only `seconds` depends on the number of threads and on the memory. */
export interface Report {
  /** The number of boards with claims. */
  readonly claims: number;
  /** Lower and upper claims that follow. */
  readonly lower: number;
  readonly upper: number;
  /** The largest tile sum of a claim. */
  readonly largestTileSum: number;
  readonly starts: readonly StartReport[];
  /** The first 20 failures: by tile sum, then by packed board, lower sides first. */
  readonly failures: readonly Failure[];
  /** The number of failures; each side of a claim counts. */
  readonly failed: number;
  /** True if every start's value is proven: no failure, and every start follows. */
  readonly complete: boolean;
  /** Points that every start is proven to be worth: the least lower claim; 0 after a failure. */
  readonly lowerBound: number;
  readonly seconds: number;
}

/** The least memory for a check, in bytes. */
export const LEAST_MEMORY = 256 * 2 ** 20;
/** Bytes that the process takes besides its threads, the index and the tables. */
const PROCESS_BYTES = 112 * 2 ** 20;
/** Bytes that a thread takes besides what is shared. */
const THREAD_BYTES = 24 * 2 ** 20;
/** Bytes of a block in the index. */
const INDEX_BYTES = 52;
/** Slots for each claim of a table: with fewer, look-ups take longer. */
const SLOTS_PER_CLAIM = 1.5;
/** The most slots of a table: the indices of its words are then signed numbers of 32 bits. */
const MOST_SLOTS = 2 ** 27;
/** With at most so many claims, threads take longer to start than to check. */
const WORTH_THREADS = 20_000;
/** Milliseconds between two reports of progress. */
const PROGRESS_MS = 200;
/** The tiles that the placer has, smallest first: they lead from a tile sum to the next ones. */
const PLACED = [2, 4] as const;

/**
 * Checks that each claim of a certificate follows, and that the claims about the starts determine
 * their values. Only the claims of three tile sums are read at a time, and if the memory does not
 * suffice for two of them, those parts of them whose boards hash alike.
 *
 * @throws {CertificateError} if a block is damaged, or the file changes meanwhile.
 * @throws {RangeError} for fewer than one thread, or too little memory.
 */
export async function verifyCertificate(
  file: CertificateFile,
  expected: Expected | undefined,
  options: VerifyOptions,
): Promise<Report> {
  const { signal } = options;
  const began = performance.now();
  signal?.throwIfAborted();
  const tally = await checkClaims(file, planOf(file, options), options);
  const failures: Failure[] = [];
  for (const fault of tally.faults) {
    failures.push(explainFault(file, fault));
    await setImmediate();
    signal?.throwIfAborted();
  }
  const starts = reportStarts(file, expected, tally.wrongStarts);
  file.expectUnchanged();
  const { lower, upper, failed } = tally;
  return {
    claims: file.claims,
    lower,
    upper,
    largestTileSum: file.groups.at(-1)?.tileSum ?? 0,
    starts,
    failures,
    failed,
    complete: failed === 0 && starts.every(({ follows }) => follows),
    lowerBound: failed === 0 ? Math.min(...starts.map(({ lo }) => lo)) : 0,
    seconds: (performance.now() - began) / 1000,
  };
}

/** How a check uses threads and memory. */
export interface Plan {
  /** Threads to start; 0: the calling thread checks. */
  readonly threads: number;
  /** The slots of each of the two tables. */
  readonly slots: number;
  /** Blocks that are checked in several parts at a time, with a byte for each claim. */
  readonly blocks: number;
}

function planOf({ claims, groups, index }: CertificateFile, options: VerifyOptions): Plan {
  const { threads, memory } = options;
  if (!Number.isInteger(threads) || threads < 1) {
    throw new RangeError(`${threads} threads cannot check anything; expected 1 or more`);
  }
  if (!(memory >= LEAST_MEMORY)) {
    throw new RangeError(
      `${memory} bytes are not enough for a check; expected at least ${LEAST_MEMORY}`,
    );
  }
  const free = memory - PROCESS_BYTES - INDEX_BYTES * index.size;
  const most = Math.max(1, Math.min(threads, Math.floor(free / 2 / THREAD_BYTES)));
  const used = claims <= WORTH_THREADS ? 0 : most;
  const forTables = free - used * THREAD_BYTES;
  const largest = Math.max(0, ...groups.map((group) => group.claims));
  const slots = slotsFor(largest);
  if (slots <= MOST_SLOTS && 2 * SLOT_BYTES * slots <= forTables) {
    return { threads: used, slots, blocks: 0 };
  }
  const blocks = Math.ceil(Math.min(largest, forTables / 8) / CLAIMS_PER_BLOCK);
  const left = Math.floor((forTables - blocks * CLAIMS_PER_BLOCK) / 2 / SLOT_BYTES);
  return { threads: used, slots: Math.min(MOST_SLOTS, left), blocks };
}

function slotsFor(claims: number): number {
  return Math.ceil(SLOTS_PER_CLAIM * claims) + 1;
}

/**
 * Checks all claims, tile sum by tile sum, and reports progress. The tally is the same with any
 * plan.
 */
export async function checkClaims(
  file: CertificateFile,
  plan: Plan,
  { signal, onProgress }: Pick<VerifyOptions, "signal" | "onProgress">,
): Promise<Tally> {
  const memory = () => new SharedArrayBuffer(SLOT_BYTES * plan.slots);
  const job: Job = {
    game: file.game,
    name: file.name,
    handle: file.handle,
    index: file.index.data,
    seed: randomInt(2 ** 32),
    tables: [memory(), memory()],
    states: new SharedArrayBuffer(CLAIMS_PER_BLOCK * plan.blocks),
    counters: new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT * COUNTERS),
  };
  const tell = () => onProgress?.({ checked: checkedOf(job), total: file.claims });
  const timer = setInterval(tell, PROGRESS_MS);
  try {
    await using team =
      plan.threads === 0 ? teamHere(job) : teamOfThreads(job, plan.threads, signal);
    const tables = new Tables(job, plan, team);
    let tally = NOTHING;
    for (const group of file.groups) {
      tally = mergeTallies(tally, await checkGroup(file, group, plan, tables, team, signal));
    }
    return tally;
  } finally {
    clearInterval(timer);
    tell();
  }
}

/** Checks the claims of a tile sum. */
async function checkGroup(
  file: CertificateFile,
  group: Group,
  plan: Plan,
  tables: Tables,
  team: Team,
  signal: AbortSignal | undefined,
): Promise<Tally> {
  const next = PLACED.map((tile) =>
    file.groups.find(({ tileSum }) => tileSum === group.tileSum + tile),
  );
  let parts = 1;
  const largest = Math.max(...next.map((of) => of?.claims ?? 0));
  while (slotsFor(largest / parts) > plan.slots) parts *= 2;
  const blocks = parts === 1 ? group.to - group.from : plan.blocks;
  let tally = NOTHING;
  for (let from = group.from; from < group.to; from += blocks) {
    const to = Math.min(from + blocks, group.to);
    for (let part = 0; part < parts; part++) {
      await setImmediate();
      signal?.throwIfAborted();
      const after = await tables.of(next, part, parts);
      tally = mergeTallies(tally, await team.do({ from, to, part, parts, after }));
    }
  }
  return tally;
}

type After = readonly [TableUse | undefined, TableUse | undefined];

/** The two tables of a job, and what is in them. */
class Tables {
  readonly #contents: { name: string; readonly lookUps: LookUps }[];

  constructor(
    job: Job,
    readonly plan: Plan,
    readonly team: Team,
  ) {
    this.#contents = job.tables.map((memory) => ({
      name: "",
      lookUps: new LookUps(new Int32Array(memory)),
    }));
  }

  /** Loads a part of two groups, unless a table has it already. */
  async of(groups: readonly (Group | undefined)[], part: number, parts: number): Promise<After> {
    const names = groups.map((group) => group && `${group.tileSum} ${part}/${parts}`);
    const uses: (TableUse | undefined)[] = [];
    for (const [i, group] of groups.entries()) {
      const name = names[i];
      if (group === undefined || name === undefined) {
        uses.push(undefined);
        continue;
      }
      const slots = Math.min(this.plan.slots, slotsFor((2 * group.claims) / parts));
      let table = this.#contents.findIndex((content) => content.name === name);
      if (table < 0) {
        table = this.#contents.findIndex((content) => !names.includes(content.name));
        await this.#load(group, part, parts, { table, slots }, name);
      }
      uses.push({ table, slots });
    }
    return uses as unknown as After;
  }

  async #load(
    { from, to }: Group,
    part: number,
    parts: number,
    load: TableUse,
    name: string,
  ): Promise<void> {
    const content = this.#contents[load.table] as { name: string; readonly lookUps: LookUps };
    content.lookUps.clear();
    content.lookUps.resize(load.slots);
    content.name = name;
    await this.team.do({ from, to, part, parts, load });
  }
}
