import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import {
  type ClusterRun,
  type Hook,
  valuesHere,
  valuesOf,
  type WorkerOptions,
} from "./cluster-run.js";
import type { Process } from "./command.js";
import { atMost } from "./ending-faults.js";
import { begin, type Ending, type TroubleKind } from "./trouble-kind.js";
import { until } from "./until.js";

/*
 * Trouble with what workers share: streams and subtrees that are lost, damaged, replaced or late, workers
 * that cannot share, and runs that must not share.
 */

/** Seconds for which streams are disturbed. */
const DISTURBED_S = 10;
/** Milliseconds between two disturbances. */
const AGAIN_MS = 100;
/** Seconds for which replies are delayed, and the delay of each. */
const DELAYED_S = 20;
const DELAY_MS = 2000;
/** Seconds within which a worker or a solve must have been refused. */
const REFUSAL_S = 45;
/** Least milliseconds of each question of a run that must last longer than that takes: 2×5 lasts a minute. */
const LONG_MS = 400;
/** Least milliseconds of each search of a slow worker: twenty times as long as the others take by default. */
const SLOW_MS = 1200;

/** Begins a run, and disturbs its server again and again for a time. */
async function disturb(
  run: ClusterRun,
  disturbance: (client: Redis) => Promise<unknown>,
  pause = AGAIN_MS,
): Promise<Process> {
  const { Redis } = await import("ioredis");
  const { solve } = await begin(run);
  const client = new Redis(run.redis.url);
  try {
    const end = performance.now() + 1000 * DISTURBED_S;
    while (performance.now() < end && solve.isRunning) {
      await disturbance(client);
      await sleep(pause);
    }
  } finally {
    client.disconnect();
  }
  return solve;
}

/** Returns the keys of the streams with which workers share bounds. */
const streamsOf = (client: Redis) => client.keys("{gridlock}:bounds:*");

function disturbed(
  what: string,
  disturbance: (client: Redis) => Promise<unknown>,
  pause?: number,
): TroubleKind {
  return {
    what: `${what}, for ${DISTURBED_S} s`,
    seconds: DISTURBED_S,
    inflict: async (run) => ({ solve: await disturb(run, disturbance, pause) }),
  };
}

/** Returns entries that are wrong in some way, given one that is right: pairs of names and values. */
export function garbage(entry: readonly Buffer[]): (string | Buffer)[][] {
  const [, address = Buffer.alloc(0), , bounds = Buffer.alloc(0)] = entry;
  const fields = (packed: Buffer, sum: Buffer) => ["for", address, "bounds", packed, "sum", sum];
  const sumOf = (packed: Buffer) => createHash("sha256").update(address).update(packed).digest();
  const flipped = Buffer.from(bounds);
  if (flipped.length > 0) flipped[flipped.length >> 1] = ~(flipped[flipped.length >> 1] as number);
  const half = bounds.subarray(0, bounds.length >> 1);
  return [
    ["x", randomBytes(1000)],
    ["for", randomBytes(20), "bounds", randomBytes(1000)],
    ["for", address],
    ["for", address, "wants", randomBytes(1000)],
    fields(flipped, entry[5] ?? Buffer.alloc(32)),
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

const WRONG = ["workers", "subtrees:wait", "subtrees:meta", "subtrees:events", "subtrees:marker"];

async function replaceKeys(client: Redis): Promise<void> {
  const shared = [...(await streamsOf(client)), ...(await client.keys("{gridlock}:table:*"))];
  const others = WRONG.map((name) => `{gridlock}:${name}`);
  for (const key of [...shared, ...others]) await client.set(key, "x", "PX", 60_000);
}

/** Delays the replies to the workers, or to all, for a time. */
function delayed(who: "workers" | "all"): TroubleKind {
  return {
    what: `replies of Redis to ${who} are delayed by ${DELAY_MS / 1000} s, for ${DELAYED_S} s`,
    seconds: DELAYED_S,
    async inflict(run) {
      const proxy = await run.proxy();
      for (const name of ["first", "second"]) run.worker(name, { url: proxy.url });
      const solve = run.solve(who === "all" ? proxy.url : undefined);
      await run.underWay();
      proxy.delay = DELAY_MS;
      await sleep(1000 * DELAYED_S);
      proxy.delay = 0;
      return { solve };
    },
  };
}

/** Returns what is wrong with the end of a worker that must end by itself, with a reason. */
async function refusalFaults(worker: Process, reason: RegExp): Promise<string[]> {
  const outcome = await atMost(1000 * REFUSAL_S, worker.ended);
  if (!outcome) return [`it has not ended: ${worker.stderr.slice(-500)}`];
  if (outcome.code === 1 && reason.test(outcome.stderr)) return [];
  return [`it ended with ${outcome.code}, expected 1 and ${reason}: ${outcome.stderr.slice(-500)}`];
}

/** Adds a worker that must end by itself to a run of two others. */
function outsider(what: string, hook: Hook, reason: RegExp): TroubleKind {
  return {
    what,
    seconds: REFUSAL_S + 15,
    async inflict(run) {
      const { solve } = await begin(run, { slow: LONG_MS });
      const worker = run.worker("third", { hook });
      return { solve, after: await refusal(solve, worker, reason) };
    },
  };
}

/** Waits for the end of an outsider, as long as the solve lasts. */
async function refusal(
  solve: Process,
  worker: Process,
  reason: RegExp,
): Promise<NonNullable<Ending["after"]>> {
  const faults = await refusalFaults(worker, reason);
  if (!solve.isRunning) faults.push("the solve was over before; expected a longer one");
  return async () => faults;
}

/** Adds a worker that is not like the others. */
function third(what: string, options: WorkerOptions): TroubleKind {
  return {
    what: `a third worker ${what}`,
    seconds: 5,
    async inflict(run) {
      run.worker("third", options);
      await run.workers(1);
      return { solve: (await begin(run)).solve };
    },
  };
}

/** Returns a function that deletes one key of the queue at a time. */
function oneKeyOfQueue(): (client: Redis) => Promise<void> {
  let deleted = 0;
  return async (client) => {
    const keys = (await client.keys("{gridlock}:subtrees:*")).sort();
    const key = keys[deleted++ % keys.length];
    if (key) await client.del(key);
  };
}

/** Kinds of trouble with shared bounds and with subtrees, by name. */
export const SHARING: Readonly<Record<string, TroubleKind>> = {
  "redis-emptied": disturbed(
    "Redis is emptied every two seconds",
    (client) => client.flushall(),
    2000,
  ),
  "streams-deleted": disturbed("all streams of bounds are deleted", async (client) => {
    const streams = await streamsOf(client);
    if (streams.length > 0) await client.del(...streams);
  }),
  "streams-trimmed": disturbed("all streams of bounds are trimmed to nothing", async (client) => {
    for (const stream of await streamsOf(client)) await client.xtrim(stream, "MAXLEN", 0);
  }),
  "streams-garbage": {
    ...disturbed("the streams of bounds are filled with garbage", addGarbage),
    async inflict(run) {
      let isRefused = false;
      const look = async () => {
        const { workers } = await run.status();
        isRefused ||= workers.some(({ shared }) => shared.refused > 0);
      };
      const solve = await disturb(run, async (client) => {
        await addGarbage(client);
        await look();
      });
      // A worker tells only from time to time what it has refused.
      await until("a worker has refused an entry, or the solve is over", async () => {
        await look();
        return isRefused || !solve.isRunning;
      });
      return { solve, after: async () => (isRefused ? [] : ["no worker has refused any entry"]) };
    },
  },
  "keys-of-wrong-type": disturbed("keys are replaced by keys of other types", replaceKeys, 2000),
  "queue-keys-deleted": disturbed("keys of the queue are deleted, one by one", oneKeyOfQueue()),
  "subtrees-never-answered": third("takes subtrees, and never answers", { subtrees: "never" }),
  "subtrees-always-spent": third("spends the budget of each subtree at once", {
    subtrees: "spent",
  }),
  "worker-slow": third("is twenty times slower", { slow: SLOW_MS }),
  "delayed-workers": delayed("workers"),
  "delayed-all": delayed("all"),
  "other-protocol": outsider(
    "a worker that speaks another protocol joins",
    { name: "other-build", env: { OTHER_BUILD: "protocol" } },
    /of protocol \d+, but this version speaks protocol 1; use the same version/,
  ),
  "other-kernel": outsider(
    "a worker with another kernel joins",
    { name: "other-build", env: { OTHER_BUILD: "kernel" } },
    /the coordinator's kernel for \S+ is \w+, but this worker's is \w+; use the same version/,
  ),
  "worker-traps": outsider(
    "a worker joins whose searches all fail",
    { name: "trap" },
    /a worker thread failed: unreachable/,
  ),
  "two-solves": {
    what: "two solves with different prefixes use one server",
    seconds: 20,
    async inflict(run) {
      const prefix = ["--prefix", "other"];
      run.worker("third", { more: prefix });
      const args = ["solve", "2x4", "--redis", run.redis.url, ...prefix];
      const other = run.start([...args, "--db", "other.db", "--json", "--quiet"]);
      const { solve } = await begin(run);
      const isRight = (await valuesOf(other)) === (await valuesHere("2x4"));
      return { solve, after: async () => (isRight ? [] : ["other values of 2x4"]) };
    },
  },
  "same-prefix": {
    what: "a second solve with the same prefix is refused",
    seconds: REFUSAL_S + 15,
    async inflict(run) {
      const { solve } = await begin(run, { slow: LONG_MS });
      const args = ["solve", "2x4", "--redis", run.redis.url, "--db", "other.db"];
      const other = run.start(args);
      return { solve, after: await refusal(solve, other, /has a run under the prefix gridlock/) };
    },
  },
  "joins-late": {
    what: "a worker joins late, and receives the table of the other",
    seconds: REFUSAL_S + 15,
    async inflict(run) {
      run.worker("first", { slow: LONG_MS });
      const solve = run.solve();
      await run.underWay();
      run.worker("second");
      const received = async () => {
        const { workers } = await run.status();
        return !solve.isRunning || workers.some(({ shared }) => shared.table > 0);
      };
      await until("the second worker has received a table", received);
      const isInTime = solve.isRunning;
      return { solve, after: async () => (isInTime ? [] : ["no worker has received a table"]) };
    },
  },
};
