import { join } from "node:path";
import type { Game } from "@gridlock/game";
import { temporaryFolder } from "@gridlock/testbed";
import { onTestFinished } from "vitest";
// Its threads are built files.
import { Engine, type EngineOptions, type EngineUse } from "../dist/engine.js";
import type { RedisOptions } from "../src/redis-options.js";

/** Returns options for engines of one thread, with files of their own. */
export function engineOptions(redis: RedisOptions): EngineOptions {
  return {
    redis,
    threads: 1,
    memory: () => 2 ** 26,
    databaseFile: join(temporaryFolder(), "worker.db"),
    snapshotEvery: 1,
    shareRate: Number.POSITIVE_INFINITY,
  };
}

const STAYS = new AbortController().signal;

/** Starts an engine, and disposes of it when the running test ends. */
export async function startEngine(
  game: Game,
  options: EngineOptions,
  use: Partial<EngineUse> & { readonly leaving?: AbortSignal } = {},
): Promise<Engine> {
  const { leaving = STAYS, worker = "me" } = use;
  const engine = await Engine.start({ game, worker }, options, leaving);
  let isEnded: Promise<void> | undefined;
  const end = engine[Symbol.asyncDispose].bind(engine);
  engine[Symbol.asyncDispose] = () => {
    isEnded ??= end();
    return isEnded;
  };
  onTestFinished(() => engine[Symbol.asyncDispose]());
  return engine;
}
