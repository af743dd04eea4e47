import { randomBytes } from "node:crypto";
import { type RedisServer, type StartOptions, startRedis } from "@gridlock/testbed";
import { Redis } from "ioredis";
import { onTestFinished } from "vitest";
import { keyPrefix, type RedisOptions } from "../src/redis-options.js";

type WhenDone = (clean: () => Promise<void>) => void;

/**
 * Starts a server for the running test or, with `afterAll`, for all tests of a file; stops it
 * afterwards.
 */
export async function testRedis(
  options: StartOptions = {},
  whenDone: WhenDone = onTestFinished,
): Promise<RedisServer> {
  const redis = await startRedis(options);
  whenDone(() => redis.stop());
  return redis;
}

/** Returns options for a server, with a prefix that no other test uses. */
export function optionsOf(url: string): RedisOptions {
  return { url, prefix: `test-${randomBytes(6).toString("hex")}`, cluster: false };
}

/**
 * Returns options with a separate prefix in the server of REDIS_URL or, if that is not set, in a
 * new server. Removes its keys when the running test ends. For tests that do nothing to the server
 * itself.
 */
export async function someRedis(whenDone: WhenDone = onTestFinished): Promise<RedisOptions> {
  const { REDIS_URL } = process.env;
  if (!REDIS_URL) return optionsOf((await testRedis({}, whenDone)).url);
  const options = optionsOf(REDIS_URL);
  whenDone(async () => {
    const redis = new Redis(REDIS_URL);
    for await (const keys of redis.scanStream({ match: `${keyPrefix(options)}:*` })) {
      if (keys.length > 0) await redis.unlink(...keys);
    }
    await redis.quit();
  });
  return options;
}
