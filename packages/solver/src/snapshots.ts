import type { MessagePort } from "node:worker_threads";
import type { Game } from "@gridlock/game";
import { Journal, type SharedTable } from "@gridlock/kernel";
import {
  type Database,
  isRunOf,
  removeSqlite,
  snapshotFileOf,
  stateOfRun,
  type Waiting,
} from "@gridlock/store";
import { Thread } from "@gridlock/threads";
import type { LoadedBatches } from "./warming.js";

/** The files in which a run saves its work, and the intervals at which it does. */
export interface SnapshotOptions {
  /** The solution database. */
  readonly databaseFile: string;
  readonly snapshotFile: string;
  /** Seconds between two saves. */
  readonly every: number;
  /**
   * Packed records come from here, as lists of `NewBatch`: the thread at the other end empties the
   * table's journal, to pass them on to other machines, whose bounds are in the table too. As long
   * as they may be false, no bound is saved in the database.
   */
  readonly news?: MessagePort;
}

/** Default seconds between two saves: a kill loses little more than that. */
export const SNAPSHOT_EVERY = 1;
/**
 * Least effort of the entries that are saved: all are. Most of a table's benefit comes from cheap
 * entries, whose boards many searches meet. A run of 2×5 cut into about 25 pieces searches a
 * quarter more nodes with a minimum of 2 nodes, half as many again with 4, and hardly advances with
 * 8.
 */
export const LEAST_EFFORT = 1;

/** A table whose bounds to save, and the snapshot that was loaded into it. */
interface SnapshotTask extends SnapshotOptions {
  /** Its last thread is the snapshot thread. */
  readonly table: SharedTable;
  readonly loaded: LoadedBatches;
}

/** The data that a snapshot thread starts with. */
export interface SnapshotWorkerData extends SnapshotTask {
  /** Holds 1 once the thread is not to wait any longer for files that others have locked. */
  readonly hurried: Int32Array;
}

/** A request to a snapshot thread to save everything that is left. */
export interface SnapshotRequest {
  /** Save bounds in the solution database only, since the snapshot is no longer needed. */
  readonly boundsOnly: boolean;
}

/** Counts of a run's saved work, besides its windows. */
export interface SavedWork {
  /** Entries of the table. */
  readonly entries: number;
  /** Bounds in the solution database. */
  readonly bounds: number;
  /** Entries not saved, because the writer fell behind. */
  readonly missed: number;
}

/**
 * Saves the bounds that the threads of a table prove while they search. A separate thread empties
 * the table's journal into the snapshot, and copies the costliest bounds to the solution database.
 * Searches do not wait for it.
 */
export class Snapshots implements AsyncDisposable {
  readonly #thread: Thread<SnapshotRequest, SavedWork, string>;
  readonly #hurried = new Int32Array(new SharedArrayBuffer(4));

  /**
   * @param onFailure called if saving fails before {@link finish}, which then throws the error
   * @param onWait see {@link Waiting}
   */
  constructor(task: SnapshotTask, onFailure: () => void, onWait: Waiting["onWait"] = () => {}) {
    const { table, news } = task;
    new Journal(table).open(LEAST_EFFORT);
    const workerData: SnapshotWorkerData = { ...task, hurried: this.#hurried };
    this.#thread = new Thread(new URL("./snapshot-worker.js", import.meta.url), {
      name: "the snapshot thread",
      workerData,
      ...(news && { transferList: [news] }),
      onFailure,
      onNotice: onWait,
    });
  }

  /** Makes saves fail from now on if other processes have locked the files. */
  hurry(): void {
    Atomics.store(this.#hurried, 0, 1);
  }

  /**
   * Saves everything that is left, once all searches have ended, and stops the thread.
   *
   * @throws the first error of any save
   */
  async finish(request: SnapshotRequest): Promise<SavedWork> {
    await using thread = this.#thread;
    return await thread.ask(request);
  }

  /** Stops the thread, whatever it is doing; after {@link finish} it has already stopped. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread[Symbol.asyncDispose]();
  }
}

/** Removes a solved game's snapshot unless another run still writes it: the last one removes it. */
export function removeSnapshot(game: Game, database: Database): void {
  const isWritten = database.runs
    .all()
    .some((run) => isRunOf(game, run) && stateOfRun(run) === "running");
  if (!isWritten) removeSqlite(snapshotFileOf(database.file, game));
}
