import type { Game, PackedBoard } from "@gridlock/game";
import { orAborted, Thread, Threads } from "@gridlock/store";
import type { BlockReport, GuestReport, Slice } from "./block-check.js";

/** Data of a thread that checks blocks. */
export interface CheckWorkerData {
  readonly game: Game;
  readonly folder: string;
  /** Afterstates for which to return the blocks' claims. */
  readonly asked: readonly PackedBoard[];
}

/** A request to a thread: to check a block by itself, or guests. */
export type CheckRequest =
  | { readonly file: string; readonly boards: number }
  | { readonly slice: Slice };

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

/** Threads that check the files of a proof. */
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

  /**
   * Distributes requests among the threads, one at a time to each; returns the results in order.
   *
   * @throws the signal's reason if it is aborted
   */
  async check(requests: readonly CheckRequest[]): Promise<CheckReply[]> {
    const all = this.#threads.askAll(requests, this.#signal);
    return await (this.#signal === undefined ? all : orAborted(all, this.#signal));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads[Symbol.asyncDispose]();
  }
}
