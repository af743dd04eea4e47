import { getEventListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { packBoard, parseBoard } from "@gridlock/game";
import { partsOf, tableLimits } from "@gridlock/kernel";
import { StoreError } from "@gridlock/store";
import { describe, expect, it } from "vitest";
import { Analyst, certify, LocalPool, poolThreads } from "../dist/index.js";
import { freshDatabase, gameOf } from "./setup.js";

describe("a pool", () => {
  it("fails its questions with the reason once a thread has failed", async () => {
    const game = gameOf("2x2");
    const memory = tableLimits(game, poolThreads(2)).least + 2 ** 20;
    await using pool = new LocalPool(game, { workers: 2, memory });
    const question = { turn: "slider", board: 0x11n as never, threshold: 12 } as const;
    // The kernel rejects a number as a board: it takes bigints.
    await expect(pool.ask({ ...question, board: 17 as never })).rejects.toThrow(
      /^a worker thread failed: .*17/,
    );
    await expect(pool.ask(question)).rejects.toThrow(/^a worker thread failed/);
    await expect(pool.touch()).rejects.toThrow(/^a worker thread failed/);
  });

  it("fails the question under way with the reason if a thread fails that does not search", async () => {
    const game = gameOf("4x4");
    const memory = tableLimits(game, poolThreads(1)).least + 2 ** 20;
    await using pool = new LocalPool(game, { workers: 1, memory });
    const { board } = parseBoard("2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0");
    const answer = pool.ask({ board: packBoard(board), turn: "slider", threshold: 2000 });
    while (pool.counts().positions === 0) await sleep(5);
    pool.fail(new Error("not connected"));
    await expect(answer).rejects.toThrow("a worker thread failed: not connected");
  });
});

describe("the table of a pool", () => {
  const memory = 200 * 2 ** 20;

  it("is made by all threads, once, with the bytes made so far", async () => {
    await using pool = new LocalPool(gameOf("2x6"), { workers: 2, memory });
    const made: number[] = [];
    const bytes = partsOf(pool.table).reduce((sum, { length }) => sum + length, 0);
    const note = (done: number, all: number) => {
      made.push(done);
      expect(all).toBe(bytes);
    };
    await pool.touch(note);
    expect(made).toEqual([...made].sort((a, b) => a - b));
    expect([made.length, made.at(-1)]).toEqual([Math.ceil(bytes / 2 ** 26), bytes]);
    await pool.touch(note);
    expect(made.at(-1)).toBe(bytes);
    expect(made.length).toBe(Math.ceil(bytes / 2 ** 26));
  });

  it("is not made to its end once the pool is stopped", async () => {
    await using pool = new LocalPool(gameOf("2x6"), { workers: 1, memory });
    const made: number[] = [];
    await pool.touch((done) => {
      made.push(done);
      pool.stop();
    });
    expect(made).toEqual([2 ** 26]);
  });
});

describe("an analysis over the table of a pool that was stopped", () => {
  it("gives up without an error, and returns the interval", async () => {
    const game = gameOf("3x3");
    const memory = tableLimits(game, poolThreads(1)).least + 2 ** 20;
    await using pool = new LocalPool(game, { workers: 1, memory });
    pool.stop();
    const analyst = new Analyst(game, freshDatabase().bounds(game), pool.kernel);
    const { board } = parseBoard("2 2 0/0 0 0/0 0 0");
    const { lo, hi } = analyst.value({ board, turn: "slider" }, 3600);
    expect(lo).toBeLessThan(hi);
  });
});

describe("a proof", () => {
  it("makes no certificate if it was aborted before", async () => {
    const databaseFile = "/dev/null/test.db";
    const task = { game: gameOf("2x2"), databaseFile, workers: 1, memory: 2 ** 24, demands: 0 };
    const { signal } = new AbortController();
    await expect(certify(task, () => {}, signal)).rejects.toBeInstanceOf(StoreError);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
