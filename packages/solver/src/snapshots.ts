import { effortOf, Journal, type SharedTable } from "@gridlock/kernel";
import { Thread } from "./thread.js";
import type { LoadedBatches } from "./warming.js";

/** What is kept of a run while it goes on, and where. */
export interface SnapshotOptions {
  /** The solution database, which takes the bounds that cost most. */
  readonly databaseFile: string;
  readonly snapshotFile: string;
  /** Seconds between two batches; 0: all is written at the end, and nothing before. */
  readonly every: number;
  /** Nodes that an entry must have cost. */
  readonly effort: number;
}

/** Seconds between two batches unless the user says otherwise: what a kill loses, and little besides. */
export const SNAPSHOT_EVERY = 1;
/**
 * Nodes that an entry must have cost unless the user says otherwise: all are kept. The cheap ones, boards that
 * many searches meet, are most of what a table is worth. Cut into some 25 pieces, a run of 2×5 searches a quarter
 * more nodes when 2 is the least, half as many again with 4, and hardly gets on with 8.
 */
export const SNAPSHOT_EFFORT = 1;

/** What a snapshot thread is started with. */
export interface SnapshotWorkerData extends SnapshotOptions {
  readonly table: SharedTable;
  readonly thread: number;
  readonly loaded: LoadedBatches;
}

/** What a snapshot thread is asked: to save what is left, and to end. */
export interface SnapshotRequest {
  /** Make no snapshot if there is none yet. */
  readonly skipNew: boolean;
}

/** What a run has saved besides its windows. */
export interface SavedWork {
  /** Entries of the table. */
  readonly entries: number;
  /** Bounds in the solution database. */
  readonly bounds: number;
  /** Entries that were learned faster than they could be saved. */
  readonly missed: number;
}

/**
 * Saves what the threads of a table learn while they search: a thread of its own takes it out of the
 * table's journal and writes it to the snapshot, and what cost most to the solution database. Searches
 * do not wait for it.
 */
export class Snapshots implements AsyncDisposable {
  readonly #thread: Thread<SnapshotRequest, SavedWork>;

  /**
   * @param thread the number of a thread of the table that no kernel is attached as
   * @param onFailure called if saving fails before {@link finish}, which then throws the error
   */
  constructor(
    table: SharedTable,
    thread: number,
    loaded: LoadedBatches,
    options: SnapshotOptions,
    onFailure: () => void,
  ) {
    if (options.every > 0) new Journal(table, "keeper").open(effortOf(options.effort));
    const workerData: SnapshotWorkerData = { ...options, table, thread, loaded };
    this.#thread = new Thread(new URL("./snapshot-worker.js", import.meta.url), {
      name: "the snapshot thread",
      workerData,
      onFailure,
    });
  }

  /**
   * Saves what is left, once all searches have ended, and ends the thread.
   *
   * @param skipNew make no new snapshot file, since all is solved
   * @throws the first error of any save
   */
  async finish(request: SnapshotRequest): Promise<SavedWork> {
    await using thread = this.#thread;
    return await thread.ask(request);
  }

  /** Ends the thread, whatever it is doing; after {@link finish} it has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread[Symbol.asyncDispose]();
  }
}
