import { closeSync, ftruncateSync, rmSync } from "node:fs";
import { openPlain, orDisposed, readBytes, writeBytes } from "@gridlock/store";
import { CLAIM_WORDS } from "@gridlock/verify";

/** Numbers of claims of the runs of each tile sum. */
export type RunCounts = Readonly<Record<string, readonly number[]>>;

/** Tile sums that have demands at the same time: that of the claims, and the next two. */
const FILES = 3;
/** Bytes of a claim, and words read of a run at a time. */
const CLAIM_BYTES = 4 * CLAIM_WORDS;
const WORDS_READ = 4096 * CLAIM_WORDS;

/**
 * Demands for which memory has had no room: for each tile sum runs of claims, sorted by board, in a
 * file `X.demands-N` as in memory. A board may have a demand in several runs.
 */
export class DemandRuns implements Disposable {
  readonly #path: string;
  readonly #files = new Map<number, number>();
  readonly #runs = new Map<number, number[]>();

  /**
   * @param path of the files, without `.demands-N`
   * @param saved the runs that earlier work has left; all others are removed
   * @throws {StoreError} if a file cannot be opened
   */
  constructor(path: string, saved: RunCounts = {}) {
    this.#path = path;
    orDisposed(this, () => this.#resume(saved));
  }

  #resume(saved: RunCounts): void {
    const kept = new Set<string>();
    for (const [sum, counts] of Object.entries(saved)) {
      this.#runs.set(Number(sum), [...counts]);
      kept.add(this.#fileOf(Number(sum)));
      ftruncateSync(this.#open(Number(sum)), CLAIM_BYTES * total(counts));
    }
    for (let i = 0; i < FILES; i++) {
      const file = this.#fileOf(2 * i);
      if (!kept.has(file)) rmSync(file, { force: true });
    }
  }

  #fileOf(tileSum: number): string {
    return `${this.#path}.demands-${(tileSum / 2) % FILES}`;
  }

  #open(tileSum: number): number {
    let file = this.#files.get(tileSum);
    if (file === undefined) {
      file = openPlain(this.#fileOf(tileSum), "update");
      this.#files.set(tileSum, file);
    }
    return file;
  }

  /** The runs that are to be kept. */
  get counts(): RunCounts {
    return Object.fromEntries(this.#runs);
  }

  /** Returns whether a tile sum has runs. */
  has(tileSum: number): boolean {
    return this.#runs.has(tileSum);
  }

  /** Adds a run: claims by ascending board. */
  add(tileSum: number, claims: Uint8Array): void {
    const runs = this.#runs.get(tileSum) ?? [];
    this.#runs.set(tileSum, runs);
    const file = this.#open(tileSum);
    const start = CLAIM_BYTES * total(runs);
    writeBytes(file, claims, start);
    runs.push(claims.length / CLAIM_BYTES);
  }

  /**
   * Merges the runs of a tile sum: one claim a board, by ascending board.
   *
   * @param list where the next claims are put, again and again; yields their numbers, all but the
   *   last of which fill it
   */
  *merge(tileSum: number, list: Uint32Array): Generator<number> {
    const file = this.#open(tileSum);
    let start = 0;
    const readers = (this.#runs.get(tileSum) ?? []).map((count) => {
      const reader = new RunReader(file, start, count);
      start += CLAIM_BYTES * count;
      return reader;
    });
    let filled = 0;
    for (let first = least(readers); first !== undefined; first = least(readers)) {
      const { low, high } = first;
      let lo = 0;
      let hi = 0;
      for (const reader of readers) {
        if (reader.isAtEnd || reader.low !== low || reader.high !== high) continue;
        lo = Math.max(lo, reader.lo);
        hi = hi === 0 || reader.hi === 0 ? hi + reader.hi : Math.min(hi, reader.hi);
        reader.next();
      }
      list.set([low, high, lo, hi], filled);
      filled += CLAIM_WORDS;
      if (filled < list.length) continue;
      yield filled / CLAIM_WORDS;
      filled = 0;
    }
    if (filled > 0) yield filled / CLAIM_WORDS;
  }

  /** Removes the runs of a tile sum. */
  remove(tileSum: number): void {
    const file = this.#files.get(tileSum);
    if (file !== undefined) closeSync(file);
    this.#files.delete(tileSum);
    this.#runs.delete(tileSum);
    rmSync(this.#fileOf(tileSum), { force: true });
  }

  /** Closes the files, which remain. */
  [Symbol.dispose](): void {
    for (const file of this.#files.values()) closeSync(file);
    this.#files.clear();
  }
}

/** Returns the reader with the smallest board. */
function least(readers: readonly RunReader[]): RunReader | undefined {
  let first: RunReader | undefined;
  for (const reader of readers) {
    if (reader.isAtEnd) continue;
    const isLess =
      first === undefined ||
      reader.high < first.high ||
      (reader.high === first.high && reader.low < first.low);
    if (isLess) first = reader;
  }
  return first;
}

/** Reads a run claim by claim. */
class RunReader {
  readonly #file: number;
  readonly #words = new Uint32Array(WORDS_READ);
  #at = 0;
  #end = 0;
  #from: number;
  #left: number;

  constructor(file: number, from: number, count: number) {
    this.#file = file;
    this.#from = from;
    this.#left = count;
    this.#fill();
  }

  get isAtEnd(): boolean {
    return this.#at === this.#end;
  }

  get low(): number {
    return this.#words[this.#at] as number;
  }

  get high(): number {
    return this.#words[this.#at + 1] as number;
  }

  get lo(): number {
    return this.#words[this.#at + 2] as number;
  }

  get hi(): number {
    return this.#words[this.#at + 3] as number;
  }

  next(): void {
    this.#at += CLAIM_WORDS;
    if (this.#at === this.#end) this.#fill();
  }

  #fill(): void {
    const bytes = Math.min(4 * WORDS_READ, CLAIM_BYTES * this.#left);
    const into = new Uint8Array(this.#words.buffer, 0, bytes);
    if (readBytes(this.#file, into, this.#from) < bytes)
      throw new Error("a file of demands was cut short while it was read");
    this.#from += bytes;
    this.#left -= bytes / CLAIM_BYTES;
    this.#at = 0;
    this.#end = bytes / 4;
  }
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
