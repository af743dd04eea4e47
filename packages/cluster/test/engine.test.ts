import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packBoard, parseBoard, parseShape, UNKNOWN } from "@gridlock/game";
import { Database, snapshotFileOf } from "@gridlock/store";
import { describe, expect, it, onTestFinished } from "vitest";
// Its link's thread is a built file.
import { Engine, type EngineOptions } from "../dist/engine.js";
import { PROTOCOL, type RunMessage } from "../src/messages.js";
import { someRedis } from "./redis.js";

const GAME = { shape: parseShape("2x3"), tiles: [2, 4] } as const;
const START = { turn: "slider", board: packBoard(parseBoard("2 2 0/0 0 0").board) } as const;
const LIMITS = { signal: new AbortController().signal };

function runMessage(more: Partial<RunMessage> = {}): RunMessage {
  return {
    ...{ protocol: PROTOCOL, run: "a1", epoch: 0, host: "h", pid: 1, shape: "2x3", tiles: "2,4" },
    began: "2026-11-21T20:53:28.000Z",
    sharing: { share: null, reuse: false, announce: 0 },
    ...{ open: [], starts: [], questions: 0, shutOut: [] },
    counts: { positions: 0, afterstates: 0 },
    ...more,
  };
}

function optionsIn(folder: string): EngineOptions {
  return {
    threads: 1,
    memory: () => 2 ** 26,
    databaseFile: join(folder, "worker.db"),
    snapshotEvery: 1,
    snapshotEffort: 1,
  };
}

async function setUp() {
  const folder = mkdtempSync(join(tmpdir(), "gridlock-engine-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const redis = await someRedis();
  const options = optionsIn(folder);
  const start = async (run = runMessage()) => {
    const machine = { redis, name: "w", shutOut: [] };
    return await Engine.start(GAME, run, options, machine, () => {});
  };
  return { start, options, redis };
}

describe("an engine", () => {
  it("answers a question, whoever's it is, and counts its nodes", async () => {
    const { start } = await setUp();
    const engine = await start();
    onTestFinished(() => engine.close(true));
    const high = await engine.ask({ ...START, threshold: 8 }, LIMITS, true);
    expect(high?.lo).toBeGreaterThanOrEqual(8);
    const low = await engine.ask({ ...START, threshold: 2000 }, LIMITS, false);
    expect(low?.hi).toBeLessThan(2000);
    expect(engine.counts.positions).toBeGreaterThan(0);
  });

  it("proves an answer afresh without what its table knows", async () => {
    const { start } = await setUp();
    const engine = await start();
    onTestFinished(() => engine.close(true));
    const question = { ...START, threshold: 48 };
    await engine.ask(question, LIMITS, true);
    const before = engine.counts;
    expect((await engine.askAfresh(question, LIMITS))?.hi).toBeLessThan(48);
    // It was done in a table of its own, which is gone.
    expect(engine.counts).toEqual(before);
    const nothingLeft = { ...LIMITS, budget: 1 };
    expect(await engine.askAfresh(question, nothingLeft)).toBeUndefined();
  });

  it("keeps what it has learned, for the next one", async () => {
    const { start, options } = await setUp();
    const question = { ...START, threshold: 48 };
    const first = await start();
    await first.ask(question, LIMITS, true);
    const spent = first.counts.positions;
    await first.close(true);
    expect(existsSync(snapshotFileOf(options.databaseFile, GAME))).toBe(true);
    const second = await start();
    onTestFinished(() => second.close(true));
    await second.ask(question, LIMITS, true);
    expect(second.counts.positions).toBeLessThan(spent / 2);
  });

  it("forgets all that is kept of the game when it is not to be relied upon", async () => {
    const { start, options } = await setUp();
    const before = Database.open(options.databaseFile);
    before.bounds(GAME).merge([{ ...START, lo: 4, hi: 4 }]);
    before.close();
    const engine = await start();
    await engine.ask({ ...START, threshold: 48 }, LIMITS, true);
    await engine.close(false);
    expect(existsSync(snapshotFileOf(options.databaseFile, GAME))).toBe(false);
    const database = Database.open(options.databaseFile);
    onTestFinished(() => database.close());
    expect(database.bounds(GAME).get(START) ?? UNKNOWN).toEqual(UNKNOWN);
  });

  it("is for one game, shared in one way", async () => {
    const { start } = await setUp();
    const engine = await start();
    onTestFinished(() => engine.close(true));
    const { sharing } = runMessage();
    expect(engine.isFor(GAME, sharing)).toBe(true);
    expect(engine.isFor({ ...GAME, tiles: [2] }, sharing)).toBe(false);
    expect(engine.isFor({ ...GAME, shape: parseShape("2x2") }, sharing)).toBe(false);
    expect(engine.isFor(GAME, { ...sharing, share: 1 })).toBe(false);
  });
});
