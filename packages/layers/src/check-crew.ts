import type { Game, PackedBoard } from "@gridlock/game";
import { type LayersBlock, orAborted, Thread, Threads } from "@gridlock/store";
import type { BlockFailure, BlockReport, GuestReport, Slice } from "./block-check.js";
import { blockFileName } from "./names.js";
import { slicesOf } from "./slices.js";

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

/** The result of a check, or the missing or damaged file with a sentence about it. */
export type CheckReply =
  | { readonly block: BlockReport }
  | { readonly guests: GuestReport }
  | { readonly damaged: string; readonly file: string };

/** Options of a crew that checks files. */
export interface CheckCrewOptions extends CheckWorkerData {
  readonly threads: number;
  readonly signal: AbortSignal | undefined;
  /** Called with the number of boards checked since the last call. */
  readonly onChecked: (boards: number) => void;
}

/** Files that are missing or damaged, by sentences about them. */
type Damaged = ReadonlyMap<string, string>;

/** Lists blocks to check after their last visits, the largest first. */
export function listed(
  blocks: readonly Pick<LayersBlock, "block" | "step" | "boards">[],
): ListedBlock[] {
  return blocks
    .map(({ block, step, boards }) => ({ file: blockFileName(block, step), boards }))
    .sort((a, b) => b.boards - a.boards || (a.file < b.file ? -1 : 1));
}

/** Threads that check the files of a proof. Its methods throw the signal's reason if it is aborted. */
export class CheckCrew implements AsyncDisposable {
  readonly #threads: Threads<CheckRequest, CheckReply, number>;
  readonly #signal: AbortSignal | undefined;

  constructor({ threads, signal, onChecked, ...workerData }: CheckCrewOptions) {
    this.#signal = signal;
    const module = new URL("./check-worker.js", import.meta.url);
    const name = "a thread that checks layers";
    this.#threads = new Threads(
      threads,
      () => new Thread(module, { name, workerData, onNotice: onChecked }),
    );
  }

  /** Checks blocks by themselves. */
  async checkBlocks(
    listed: readonly ListedBlock[],
  ): Promise<{ readonly blocks: BlockReport[]; readonly damaged: Damaged }> {
    const { replies, damaged } = await this.#check(listed);
    return { blocks: replies.flatMap((reply) => ("block" in reply ? reply.block : [])), damaged };
  }

  /**
   * Compares the blocks' bounds of each other's boards, in at least some slices of all keys.
   *
   * @param bytes the most bytes of a thread's table
   * @returns for each file with bounds that do not follow, their number in `byFile`
   */
  async checkGuests(blocks: readonly BlockReport[], slices: number, bytes: number) {
    const requests = slicesOf(blocks, slices, bytes).map((slice) => ({ slice }));
    const { replies, damaged } = await this.#check(requests);
    const byFile = new Map<string, number>();
    const failures: BlockFailure[] = [];
    let failed = 0;
    for (const reply of replies) {
      if (!("guests" in reply)) continue;
      failed += reply.guests.failed;
      failures.push(...reply.guests.failures);
      for (const [file, bounds] of reply.guests.byFile) {
        byFile.set(file, (byFile.get(file) ?? 0) + bounds);
      }
    }
    return { failed, failures, byFile, damaged };
  }

  /** Distributes requests among the threads, one at a time to each; returns the replies in order. */
  async #check(requests: readonly CheckRequest[]) {
    const all = this.#threads.askAll(requests, this.#signal);
    const replies = await (this.#signal === undefined ? all : orAborted(all, this.#signal));
    const damaged = new Map<string, string>();
    for (const reply of replies) if ("damaged" in reply) damaged.set(reply.damaged, reply.file);
    return { replies, damaged };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads[Symbol.asyncDispose]();
  }
}
