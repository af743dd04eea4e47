import { accessSync, constants } from "node:fs";
import { type Game, normalShape, type PackedBoard } from "@gridlock/game";
import { orAborted, orDisposed, Thread, Threads } from "@gridlock/store";
import type { Expected, StartReport } from "@gridlock/verify";
import {
  type BlockFailure,
  type BlockReport,
  type GuestReport,
  type Slice,
  tableBytesFor,
} from "./block-check.js";
import { STARTS } from "./blocks.js";
import { lockFolder, savedState } from "./folder.js";
import { afterstatesOfStarts, reportLayeredStarts } from "./layered-starts.js";
import { blockFileName } from "./names.js";
import { LEAST_SLICE_BYTES, slicesOf } from "./slices.js";

/** Data of a thread that checks blocks. */
export interface CheckWorkerData {
  readonly game: Game;
  readonly folder: string;
  /** Afterstates for which to return the blocks' claims. */
  readonly asked: readonly PackedBoard[];
}

/** A block to check by itself: its last file, and its boards. */
interface ListedBlock {
  readonly file: string;
  readonly boards: number;
}

/** A request to a thread: to check a block by itself, or guests. */
export type CheckRequest = ListedBlock | { readonly slice: Slice };

/** The result of a check, or a sentence about a missing or damaged file. */
export type CheckReply =
  | { readonly block: BlockReport }
  | { readonly guests: GuestReport }
  | { readonly damaged: string };

/** Options of a check of a proof by layers. */
export interface VerifyLayersOptions {
  readonly threads: number;
  /** The most bytes for the tables of all threads. */
  readonly bytes: number;
  /** Stops the check: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called with the number of checked boards, of `total`, including those of other blocks. */
  readonly onProgress?: (checked: number, total: number) => void;
}

/** The result of a check. All but `seconds` is the same with any number of threads. */
export interface LayersReport {
  readonly blocks: number;
  readonly bytes: number;
  /** Boards, each counted in its own block. */
  readonly boards: number;
  /** Bounds of these boards. */
  readonly lower: number;
  readonly upper: number;
  /** Guests, counted once for each block that has a bound of them. */
  readonly guests: number;
  /** Boards without a bound on which merges were played out. */
  readonly played: number;
  /**
   * Bounds that do not follow, including those of guests, and the first of them, by file and board.
   */
  readonly failed: number;
  readonly failures: readonly BlockFailure[];
  /**
   * Files with bounds of guests that the guests' own blocks lack, and the number of these bounds.
   */
  readonly unproven: readonly { readonly file: string; readonly bounds: number }[];
  /** Sentences about files that are missing or damaged. */
  readonly damaged: readonly string[];
  readonly starts: readonly StartReport[];
  /** Starts whose values are proven. */
  readonly proven: number;
  /** True if the values of all starts are proven. */
  readonly complete: boolean;
  readonly seconds: number;
}

/** The most failures to report in full. */
const FAILURES_TOLD = 20;

/**
 * A proof by layers whose files are to be checked by the rules of the game alone, as `docs/layers.md`
 * describes. No other process can work on it until this is disposed of.
 */
export class LayersCheck implements Disposable {
  readonly #game: Game;
  readonly #folder: string;
  readonly #lock: Disposable | undefined;
  /** The largest block first. */
  readonly #listed: readonly ListedBlock[];

  /**
   * Takes the lock of the folder and reads the list of its files.
   *
   * @throws {StoreError} if the folder is in use, or does not belong to this game and version
   */
  constructor(game: Game, folder: string) {
    this.#game = { ...game, shape: normalShape(game.shape) };
    this.#folder = folder;
    this.#lock = isWritable(folder) ? lockFolder(folder, game) : undefined;
    const { blocks } = orDisposed(this, () => savedState(this.#game, folder));
    this.#listed = blocks
      .filter(({ block }) => block !== STARTS)
      .map(({ block, step, boards }) => ({ file: blockFileName(block, step), boards }))
      .sort((a, b) => b.boards - a.boards || (a.file < b.file ? -1 : 1));
  }

  /**
   * Checks the files.
   *
   * @param expected bounds of the starts from another source, which must agree
   * @throws {RangeError} if a block needs more memory
   */
  async run(expected: Expected, options: VerifyLayersOptions): Promise<LayersReport> {
    const began = performance.now();
    const game = this.#game;
    const total = sumOf(this.#listed, "boards");
    const { signal, bytes } = options;
    const count = threadsFor(options, this.#listed[0]?.boards ?? 0);
    let checked = 0;
    const onNotice = (boards: number) => {
      checked += boards;
      options.onProgress?.(checked, total);
    };
    const module = new URL("./check-worker.js", import.meta.url);
    const name = "a thread that checks layers";
    const asked = afterstatesOfStarts(game);
    const workerData: CheckWorkerData = { game, folder: this.#folder, asked };
    await using threads = new Threads<CheckRequest, CheckReply, number>(
      count,
      () => new Thread(module, { name, workerData, onNotice }),
    );
    const damaged = new Set<string>();
    const check = async (requests: readonly CheckRequest[]) => {
      const all = threads.askAll(requests, signal);
      const replies = await (signal === undefined ? all : orAborted(all, signal));
      for (const reply of replies) if ("damaged" in reply) damaged.add(reply.damaged);
      return replies;
    };
    const blocks = (await check(this.#listed)).flatMap((reply) =>
      "block" in reply ? reply.block : [],
    );
    const slices = damaged.size > 0 ? [] : slicesOf(blocks, count, bytes / count);
    const guests = (await check(slices.map((slice) => ({ slice })))).flatMap((reply) =>
      "guests" in reply ? reply.guests : [],
    );
    const failed = sumOf(blocks, "failed") + sumOf(guests, "failed");
    const failures = [...blocks, ...guests].flatMap((each) => each.failures);
    const unproven = new Map<string, number>();
    for (const [file, bounds] of guests.flatMap(({ byFile }) => byFile)) {
      unproven.set(file, (unproven.get(file) ?? 0) + bounds);
    }
    const holds = failed === 0 && damaged.size === 0;
    const known = blocks.flatMap((block) => block.known);
    const starts = reportLayeredStarts(game, known, expected);
    const proven = holds ? starts.filter(({ follows }) => follows).length : 0;
    return {
      blocks: blocks.length,
      bytes: sumOf(blocks, "bytes"),
      boards: sumOf(blocks, "boards"),
      lower: sumOf(blocks, "lower"),
      upper: sumOf(blocks, "upper"),
      guests: sumOf(blocks, "guests"),
      played: sumOf(blocks, "played"),
      failed,
      failures: failures.sort(byPlace).slice(0, FAILURES_TOLD),
      unproven: [...unproven]
        .map(([file, bounds]) => ({ file, bounds }))
        .sort((a, b) => (a.file < b.file ? -1 : 1)),
      damaged: [...damaged].sort(),
      starts,
      proven,
      complete: proven === starts.length,
      seconds: (performance.now() - began) / 1000,
    };
  }

  [Symbol.dispose](): void {
    this.#lock?.[Symbol.dispose]();
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the number of threads that the memory allows: each may need the largest block. */
function threadsFor({ threads, bytes }: VerifyLayersOptions, boards: number): number {
  const each = Math.max(tableBytesFor(boards), LEAST_SLICE_BYTES);
  if (each > bytes) {
    throw new RangeError(
      `the largest block has ${boards} boards; checking it takes ${Math.ceil(each / 2 ** 20)}M of tables`,
    );
  }
  return Math.min(threads, Math.floor(bytes / each));
}

function sumOf<Key extends string>(
  items: readonly { readonly [key in Key]: number }[],
  key: Key,
): number {
  return items.reduce((sum, item) => sum + item[key], 0);
}

function byPlace(a: BlockFailure, b: BlockFailure): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  if (a.board !== b.board) return a.board < b.board ? -1 : 1;
  return a.side < b.side ? -1 : 1;
}
