import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Board, type Game, isExact, packNode, starts as startsOf } from "@gridlock/game";
import { tableLimits } from "@gridlock/kernel";
import { LocalPool, poolThreads, type SnapshotOptions, solve, warmTable } from "@gridlock/solver";
import { Database, snapshotFileOf } from "@gridlock/store";
import { temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it, onTestFinished } from "vitest";
import { gameOf } from "./setup.js";

const GAME = gameOf("2x5");
const THREADS_BYTES = tableLimits(GAME, poolThreads(1)).threads;
/** Bytes of a table of 1,048,576 slots, which holds nearly all entries. */
const MEMORY = THREADS_BYTES + 2 ** 23;

function freshOptions(): SnapshotOptions {
  const databaseFile = join(temporaryFolder(), "test.db");
  const snapshotFile = snapshotFileOf(databaseFile, GAME);
  return { databaseFile, snapshotFile, every: 0.02 };
}

/** Creates a pool of one thread, so that its counts repeat. */
function freshPool(memory = MEMORY): LocalPool {
  const pool = new LocalPool(GAME, { workers: 1, memory });
  onTestFinished(() => pool[Symbol.asyncDispose]());
  return pool;
}

function startOf(game: Game): Board {
  return startsOf(game.shape)[0] as Board;
}

function nodesOf(pool: LocalPool): number {
  const { positions, afterstates } = pool.counts();
  return positions + afterstates;
}

/** Solves until `until` nodes are expanded: loads the snapshot first, and saves new bounds. */
async function solveUntil(until: number, options: SnapshotOptions, memory?: number) {
  using database = Database.open(options.databaseFile);
  const pool = freshPool(memory);
  await warmTable(pool, GAME, database);
  const snapshots = pool.startSnapshots(options);
  const timer = setInterval(() => {
    if (nodesOf(pool) >= until) pool.stop();
  }, 1);
  const starts = await solve(GAME, database, pool);
  clearInterval(timer);
  const done = starts.every(({ bound }) => isExact(bound));
  const saved = await snapshots.finish({ boundsOnly: done });
  const { bounds } = database.bounds(GAME).count();
  return { done, nodes: nodesOf(pool), saved, loaded: pool.loaded, bounds };
}

describe("snapshots", () => {
  it("let a run in pieces take few more nodes than one that is solved before the first is due", async () => {
    const late = { ...freshOptions(), every: 1000 };
    const whole = await solveUntil(Number.POSITIVE_INFINITY, late);
    expect(whole.done).toBe(true);
    expect(whole.saved.entries).toBe(0);
    expect(existsSync(late.snapshotFile)).toBe(false);
    const options = freshOptions();
    let nodes = 0;
    let pieces = 0;
    let missed = 0;
    for (let done = false; !done; pieces++) {
      const piece = await solveUntil(300_000, options);
      nodes += piece.nodes;
      missed += piece.saved.missed;
      done = piece.done;
    }
    expect(pieces).toBeGreaterThan(1);
    // On a busy machine entries are proven faster than they are saved; those missed are searched
    // again.
    if (missed === 0) expect(nodes).toBeLessThan(1.5 * whole.nodes);
  });

  it("store the costliest bounds in the database too", async () => {
    const { saved, bounds } = await solveUntil(50_000, freshOptions());
    expect(saved.bounds).toBeGreaterThan(20);
    expect(bounds).toBeGreaterThan(20);
    expect(saved.entries + saved.missed).toBeGreaterThan(20_000);
  });

  it("are kept if they are loaded into a table without room for them", async () => {
    const options = freshOptions();
    const first = await solveUntil(30_000, options);
    const small = THREADS_BYTES + 2 ** 16; // 8,192 slots
    expect(first.saved.entries).toBeGreaterThan(2 ** 13);
    await solveUntil(10_000, options, small);
    const again = await solveUntil(0, options);
    expect(again.loaded.entries).toBeGreaterThan(first.saved.entries);
  });

  it("that cannot be written stop the run with the reason", async () => {
    const options = freshOptions();
    using _database = Database.open(options.databaseFile);
    const pool = freshPool();
    const snapshots = pool.startSnapshots({ ...options, snapshotFile: options.databaseFile });
    const question = { ...packNode({ turn: "slider", board: startOf(GAME) }), threshold: 100 };
    await pool.ask(question); // may or may not be stopped on the way
    await expect(snapshots.finish({ boundsOnly: false })).rejects.toThrow(/not a table snapshot/);
    expect(await pool.ask(question)).toBeUndefined();
  });
});
