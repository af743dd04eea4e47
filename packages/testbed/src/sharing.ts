import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { crc32 } from "node:zlib";
import type { Redis } from "ioredis";
import { type ClusterFault, LONG_MS } from "./cluster-fault.js";
import type { ClusterRun } from "./cluster-run.js";
import { until } from "./until.js";

/*
 * Faults of what workers share: streams and keys that are lost, damaged or replaced, workers that
 * cannot share, and runs that must not share.
 */

/** Seconds for which streams are disturbed, and milliseconds between two disturbances. */
const DISTURBED_S = 10;
const AGAIN_MS = 100;
/** Seconds that a fault may take which needs a longer run, of `LONG_MS`. */
const LONG_S = 60;
/** Least milliseconds of a slow worker's search: twenty times as long as others take by default. */
const SLOW_MS = 1200;

/** Disturbs a run's server again and again for a time and, if given, until a condition has held. */
function disturbed(
  what: string,
  disturbance: (client: Redis) => Promise<unknown>,
  pause = AGAIN_MS,
  condition: (run: ClusterRun) => Promise<boolean> = async () => true,
): ClusterFault {
  return {
    what: `${what}, for ${DISTURBED_S} s`,
    seconds: DISTURBED_S,
    async disturb({ run }) {
      const { Redis } = await import("ioredis");
      const client = new Redis(run.redis.url);
      const end = performance.now() + 1000 * DISTURBED_S;
      let held = false;
      try {
        while (run.coordinator.isRunning && !(held && performance.now() > end)) {
          await disturbance(client);
          held ||= await condition(run);
          await sleep(pause);
        }
      } finally {
        client.disconnect();
      }
      if (!held) throw new Error("the run ended as if nothing had been disturbed");
    },
  };
}

/** Returns the keys of the streams with which workers share bounds. */
const streamsOf = (client: Redis) => client.keys("{gridlock}:bounds:*");

async function deleteStreams(client: Redis): Promise<void> {
  const streams = await streamsOf(client);
  if (streams.length > 0) await client.del(...streams);
}

/** Returns entries that are wrong in some way, given a right one: pairs of names and values. */
export function garbage(entry: readonly Buffer[]): (string | Buffer)[][] {
  const [, address = Buffer.alloc(0), , bounds = Buffer.alloc(0)] = entry;
  const fields = (packed: Buffer, sum: Buffer) => ["for", address, "bounds", packed, "sum", sum];
  const sumOf = (packed: Buffer) => {
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(address, crc32(packed)));
    return sum;
  };
  const flipped = Buffer.from(bounds);
  if (flipped.length > 0) flipped[flipped.length >> 1] = ~(flipped[flipped.length >> 1] as number);
  const half = bounds.subarray(0, bounds.length >> 1);
  return [
    ["x", randomBytes(1000)],
    ["for", randomBytes(20), "bounds", randomBytes(1000)],
    ["for", address],
    ["for", address, "wants", randomBytes(1000)],
    fields(flipped, entry[5] ?? Buffer.alloc(4)),
    fields(randomBytes(800_000), sumOf(half)),
    [...fields(half, sumOf(half)), "more", randomBytes(1000)],
    fields(half, sumOf(half)), // true bounds, of which the last may be cut in two
  ];
}

async function addGarbage(client: Redis): Promise<void> {
  for (const stream of await streamsOf(client)) {
    const newest = await client.xrevrangeBuffer(stream, "+", "-", "COUNT", 5);
    const entry = newest.map(([, fields]) => fields).find(({ length }) => length === 6) ?? [];
    for (const fields of garbage(entry)) await client.xadd(stream, "*", ...fields);
  }
}

/** Returns whether a worker reports that it refused an entry, which it does only now and then. */
async function isRefused(run: ClusterRun): Promise<boolean> {
  return (await run.status()).workers.some(({ shared }) => shared.refused > 0);
}

async function replaceKeys(client: Redis): Promise<void> {
  const shared = [...(await streamsOf(client)), ...(await client.keys("{gridlock}:table:*"))];
  const others = [
    "workers",
    ...["wait", "meta", "events", "marker"].map((key) => `subtrees:${key}`),
  ];
  for (const key of [...shared, ...others.map((name) => `{gridlock}:${name}`)]) {
    await client.set(key, "x", "PX", 60_000);
  }
}

/** Faults of what workers share, by name. */
export const SHARING: Readonly<Record<string, ClusterFault>> = {
  "redis-emptied": disturbed("Redis is emptied every 2 s", (client) => client.flushall(), 2000),
  "streams-deleted": disturbed("all streams of bounds are deleted", deleteStreams),
  "streams-garbage": disturbed(
    "the streams of bounds are filled with garbage",
    addGarbage,
    AGAIN_MS,
    isRefused,
  ),
  "keys-of-wrong-type": disturbed("keys are replaced by keys of other types", replaceKeys, 2000),
  "worker-slow": {
    what: "a third worker is twenty times slower",
    seconds: 5,
    async disturb({ run }) {
      run.worker("third", { slow: SLOW_MS });
      await run.workers(3);
    },
  },
  "other-kernel": {
    what: "a worker with another kernel joins, and is refused",
    seconds: LONG_S,
    slow: LONG_MS,
    async disturb({ run }) {
      const { code, stderr } = await run.worker("third", { hook: "other-kernel" }).ended;
      const reason =
        /the coordinator's kernel for \S+ is \w+, but this worker's is \w+; use the same version/;
      if (code !== 1 || !reason.test(stderr)) throw new Error(`it ended with ${code}: ${stderr}`);
      if (!run.coordinator.isRunning) throw new Error("the solve was over before");
    },
  },
  "joins-late": {
    what: "a worker joins late, and receives the table of another",
    seconds: LONG_S,
    slow: LONG_MS,
    async disturb({ run }) {
      const { child } = run.worker("third");
      await until("it has received a table", async () => {
        if (!run.coordinator.isRunning) throw new Error("it has not received a table");
        return (await run.status()).workers.some(
          ({ pid, shared }) => pid === child.pid && shared.table > 0,
        );
      });
    },
  },
};
