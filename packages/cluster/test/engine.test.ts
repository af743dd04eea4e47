import { existsSync } from "node:fs";
import { packBoard, parseBoard, parseShape } from "@gridlock/game";
import { claimsFileOf } from "@gridlock/store";
import { describe, expect, it } from "vitest";
import type { RedisOptions } from "../src/redis-options.js";
import { engineOptions, startEngine } from "./engines.js";
import { testRedis } from "./redis.js";

const GAME = { shape: parseShape("2x3"), tiles: [2, 4] } as const;
const START = { turn: "slider", board: packBoard(parseBoard("2 2 0/0 0 0").board) } as const;
const QUESTION = { ...START, threshold: 48 };
/** Engines that share nothing need no server. */
const NOWHERE: RedisOptions = { url: "redis://127.0.0.1:1", prefix: "none", cluster: false };

describe("an engine", () => {
  it("answers questions, and counts its nodes", async () => {
    const engine = await startEngine(GAME, engineOptions(NOWHERE));
    const high = await engine.pool.ask({ ...START, threshold: 8 }, {});
    expect(high?.lo).toBeGreaterThanOrEqual(8);
    const low = await engine.pool.ask({ ...START, threshold: 2000 }, {});
    expect(low?.hi).toBeLessThan(2000);
    expect(engine.pool.counts().positions).toBeGreaterThan(0);
    expect(engine.memory).toBe(2 ** 26);
  });

  it("saves its table for the next engine", async () => {
    const files = engineOptions(NOWHERE);
    const first = await startEngine(GAME, files);
    await first.pool.ask(QUESTION, {});
    const spent = first.pool.counts().positions;
    await first[Symbol.asyncDispose]();
    expect(existsSync(claimsFileOf(files.databaseFile, GAME))).toBe(true);
    const second = await startEngine(GAME, files);
    await second.pool.ask(QUESTION, {});
    expect(second.pool.counts().positions).toBeLessThan(spent / 2);
  });

  it("ends while it loads its table if its worker leaves", async () => {
    const files = engineOptions(NOWHERE);
    const first = await startEngine(GAME, files);
    await first.pool.ask(QUESTION, {});
    await first[Symbol.asyncDispose]();
    const leaving = AbortSignal.abort(new Error("it leaves"));
    await expect(startEngine(GAME, files, { leaving })).rejects.toThrow("it leaves");
  });

  it("searches, and ends, while no server can be reached", async () => {
    const redis = await testRedis();
    const engine = await startEngine(GAME, engineOptions({ ...NOWHERE, url: redis.url }));
    engine.link.share({ run: "r", peers: ["other"], isLate: false });
    await redis.stop("SIGKILL");
    expect(await engine.pool.ask(QUESTION, {})).toMatchObject({ hi: 44 });
    await engine[Symbol.asyncDispose]();
  });
});
