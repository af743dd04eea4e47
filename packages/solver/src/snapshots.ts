import { existsSync } from "node:fs";
import { type Game, mostPointsToCome, normalShape, unpackBoard } from "@gridlock/game";
import {
  effortOf,
  Journal,
  Kernel,
  kernelVersion,
  type SharedTable,
  type TableEntry,
} from "@gridlock/kernel";
import {
  type BoundEntry,
  SnapshotFile,
  type SnapshotIdentity,
  type SnapshotSummary,
} from "@gridlock/store";
import { Thread } from "./thread.js";

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
/** Nodes that a bound must have cost to be worth a row in the solution database. */
const COSTLY_NODES = 4096;

/** Effort, as entries count it, of the bounds that the solution database takes. */
export const COSTLY = effortOf(COSTLY_NODES);

/** What snapshots of a game's table are for. */
export function snapshotIdentity(game: Game): SnapshotIdentity {
  return { game, kernel: kernelVersion(game.shape) };
}

/** A table's bounds as the database takes them: where no `hi` is known, the rules give one. */
export function asBounds(game: Game, entries: readonly TableEntry[]): BoundEntry[] {
  const shape = normalShape(game.shape);
  return entries.map(({ turn, board, lo, hi }) => ({
    turn,
    board,
    lo,
    hi: Math.min(hi, mostPointsToCome(unpackBoard(shape, board))),
  }));
}

/** Batches that were put into a table. */
export interface LoadedBatches {
  /** Entries of all batches together, and of those that are of parts and hold each board once. */
  readonly entries: number;
  readonly inParts: number;
  /** The highest number of a batch; 0 of none. */
  readonly last: number;
}

/** Batches that are put into a table together. */
const LOADED_TOGETHER = 256;

/** What there was in a snapshot file, and what was put into a table. */
export interface LoadedSnapshot {
  readonly batches: LoadedBatches;
  /** What the file holds; `undefined` when there is none, or nothing in it. */
  readonly summary: SnapshotSummary | undefined;
}

/** A table that worker threads fill: that of a `LocalPool`. */
interface PoolTable {
  load(groups: Iterable<readonly Uint8Array[]>, expected: number): Promise<void>;
}

/**
 * Puts all entries of a snapshot file, if there is one, into a game's table: a pool's, or that of a kernel.
 *
 * @throws {StoreError} when the file cannot be used, or is for something else.
 */
export async function loadSnapshot(
  table: PoolTable | Kernel,
  game: Game,
  file: string,
): Promise<LoadedSnapshot> {
  if (!existsSync(file)) {
    return { batches: { entries: 0, inParts: 0, last: 0 }, summary: undefined };
  }
  const snapshot = SnapshotFile.open(file);
  try {
    const identity = snapshotIdentity(game);
    snapshot.expect(identity);
    const summary = snapshot.summary();
    const batches = await loadBatches(table, snapshot, identity, summary?.entries ?? 0);
    return { batches, summary };
  } finally {
    snapshot.close();
  }
}

async function loadBatches(
  table: PoolTable | Kernel,
  snapshot: SnapshotFile,
  identity: SnapshotIdentity,
  expected: number,
): Promise<LoadedBatches> {
  let last = 0;
  let entries = 0;
  let inParts = 0;
  function* groups(): Generator<Uint8Array[]> {
    let group: Uint8Array[] = [];
    for (const batch of snapshot.batches(identity)) {
      last = Math.max(last, batch.id);
      entries += batch.entries;
      if (batch.part !== null) inParts += batch.entries;
      group.push(batch.data);
      if (group.length < LOADED_TOGETHER) continue;
      yield group;
      group = [];
    }
    if (group.length > 0) yield group;
  }
  if (table instanceof Kernel) for (const group of groups()) table.records.unpack(group);
  else await table.load(groups(), expected);
  return { last, entries, inParts };
}

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
