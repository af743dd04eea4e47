import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { crc32 } from "node:zlib";
import type { Redis } from "ioredis";
import type { Begun, ClusterFault, Step } from "./cluster-fault.js";
import { FAULT_SHAPE } from "./fault-runs.js";
import { until } from "./until.js";

/*
 * Faults of runs on a cluster: of processes, connections and servers, which are frozen, killed, cut
 * off, or refuse; and of what workers share. This file exceeds 350 lines because the table of them
 * at its end needs steps of many kinds.
 */

/** Seconds of a cut, which is longer than until a process counts as gone, and of other faults. */
const CUT_S = 20;
const FAULT_S = 10;
/** Milliseconds between two disturbances of streams. */
const AGAIN_MS = 100;
/** Seconds within which a run and its workers must end when refused for good: 30 by protocol.md. */
const GIVEN_UP_S = 45;
/**
 * Least milliseconds of each search of a run that must not be over before it is refused: 2×5 lasts
 * a minute. Seconds that a fault may take in such a run.
 */
const LONG_MS = 400;
const LONG_S = 60;
/** Least milliseconds of a slow worker's search: twenty times as long as others take by default. */
const SLOW_MS = 1200;
/** Milliseconds within which a run goes on without a worker: long before that counts as gone. */
const AT_ONCE_MS = 8000;
/** Milliseconds within which a worker must end that leaves. */
const LEAVE_MS = 10_000;
/** Bytes of Redis's memory that a run of 2×5 may use, or one of a larger shape. */
const MOST_MEMORY = FAULT_SHAPE === "2x5" ? 2 ** 24 : 100e6;
/** Entries that an event stream may have; BullMQ's limit of 10,000 is approximate. */
const MOST_EVENTS = 11_000;

const wait = (seconds: number) => () => sleep(1000 * seconds);
const solve: Step = ({ run }) => void run.solve();
const working: Step = ({ run }) => run.working();
const tell =
  (command: string): Step =>
  ({ run }) =>
    run.tell(...(command.split(" ") as [string, ...string[]]));

/** The processes that a fault freezes, interrupts or kills. */
const PROCESSES = {
  coordinator: ({ run }: Begun) => [run.coordinator.child],
  worker: ({ first }: Begun) => [first.child],
  workers: ({ first, second }: Begun) => [first.child, second.child],
  redis: ({ run }: Begun) => [run.redis.process],
  all: ({ run }: Begun) => [run.redis.process, ...run.running.map(({ child }) => child)],
} as const satisfies Readonly<Record<string, (begun: Begun) => ChildProcess[]>>;
type Who = keyof typeof PROCESSES;

const send =
  (signal: NodeJS.Signals, who: Who): Step =>
  (begun) => {
    for (const child of PROCESSES[who](begun)) child.kill(signal);
  };

/** Kills processes, and waits until they have ended. */
const kill =
  (who: Who): Step =>
  (begun) =>
    Promise.all(
      PROCESSES[who](begun).map(async (child) => {
        if (child.kill("SIGKILL")) await once(child, "exit");
      }),
    );

const restart =
  (keep: boolean): Step =>
  ({ run }) =>
    run.startRedis({ port: run.redis.port, keep });

/** Makes a fault of two steps with some seconds between them: one begins it, the other ends it. */
const lasting = (what: string, seconds: number, begin: Step, end: Step): ClusterFault => ({
  what: `${what}, for ${seconds} s`,
  seconds,
  steps: [begin, wait(seconds), end],
});

/** States in which Redis refuses writes, with a part of its reply. */
const REFUSALS = {
  noreplicas: {
    what: "Redis wants a replica before it accepts writes",
    reply: /NOREPLICAS/,
    begin: tell("CONFIG SET min-replicas-to-write 1"),
    end: tell("CONFIG SET min-replicas-to-write 0"),
  },
  misconf: {
    what: "Redis cannot save to its disk",
    reply: /MISCONF/,
    async begin({ run }) {
      const [, folder = ""] = (await run.tell("CONFIG", "GET", "dir")) as string[];
      // A folder where the file should be: saving fails, also for root.
      mkdirSync(join(folder, "dump.rdb", "in-the-way"), { recursive: true });
      await run.tell("CONFIG", "SET", "save", "900 1");
      await run.tell("BGSAVE").catch(() => {}); // it saves already, if it has not for 900 s
      await until("saving has failed", async () =>
        `${await run.tell("INFO", "persistence")}`.includes("rdb_last_bgsave_status:err"),
      );
    },
    end: tell("CONFIG SET stop-writes-on-bgsave-error no"),
  },
  noperm: {
    what: "the user of the run may not write",
    reply: /NOPERM|can't run this command/,
    begin: tell("ACL SETUSER default -@write"),
    end: tell("ACL SETUSER default +@all"),
  },
  oom: {
    what: "Redis has no memory left",
    reply: /OOM/,
    begin: tell("CONFIG SET maxmemory 1"),
    end: tell("CONFIG SET maxmemory 0"),
  },
} satisfies Readonly<Record<string, { what: string; reply: RegExp; begin: Step; end: Step }>>;

/** Kills a node of a Redis Cluster, the one with the run's keys or another, and restarts it. */
const nodeKilled = (isOwner: boolean, then: readonly Step[] = []): ClusterFault => ({
  what: `${isOwner ? "the node of a Redis Cluster with the run's keys" : "another node"} is killed`,
  seconds: FAULT_S,
  isCluster: true,
  isIdle: then.length > 0,
  steps: [
    async ({ run: { nodes } }) => {
      const owner = await nodes.ownerOf("{gridlock}");
      const killed = isOwner ? owner : (owner + 1) % nodes.nodes.length;
      await nodes.stop(killed);
      await sleep(1000 * FAULT_S);
      await nodes.restart(killed);
    },
    ...then,
  ],
});

const cutOff = (who: string, proxied: keyof Begun["proxies"]): ClusterFault => ({
  what: `the connections of ${who} are cut for ${CUT_S} s`,
  seconds: CUT_S,
  proxied,
  steps: [({ proxies }) => proxies[proxied].cut(1000 * CUT_S)],
});

/** Disturbs a run's server again and again for a time and, if given, until a condition has held. */
const disturbed = (
  what: string,
  disturbance: (client: Redis) => Promise<unknown>,
  pause = AGAIN_MS,
  condition: (begun: Begun) => Promise<boolean> = async () => true,
): ClusterFault => ({
  what: `${what}, for ${FAULT_S} s`,
  seconds: FAULT_S,
  steps: [
    async (begun) => {
      const { Redis } = await import("ioredis"); // most users of this package do not need it
      const client = new Redis(begun.run.redis.url);
      const end = performance.now() + 1000 * FAULT_S;
      let held = false;
      try {
        while (begun.run.coordinator.isRunning && !(held && performance.now() > end)) {
          await disturbance(client);
          held ||= await condition(begun);
          await sleep(pause);
        }
      } finally {
        client.disconnect();
      }
      if (!held) throw new Error("the run ended as if nothing had been disturbed");
    },
  ],
});

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
async function isRefused({ run }: Begun): Promise<boolean> {
  return (await run.status()).workers.some(({ shared }) => shared.refused > 0);
}

async function replaceKeys(client: Redis): Promise<void> {
  const queue = ["wait", "meta", "events", "marker"].map((key) => `{gridlock}:subtrees:${key}`);
  const shared = [...(await streamsOf(client)), ...(await client.keys("{gridlock}:table:*"))];
  for (const key of [...shared, "{gridlock}:workers", ...queue]) {
    await client.set(key, "x", "PX", 60_000);
  }
}

const keysOf = async ({ run }: Pick<Begun, "run">) =>
  (await run.tell("KEYS", "{gridlock}:*")) as string[];

/** Throws if keys would stay in Redis for ever. */
async function expectExpiry(begun: Pick<Begun, "run">): Promise<void> {
  for (const key of await keysOf(begun)) {
    if (Number(await begun.run.tell("PTTL", key)) === -1) throw new Error(`${key} has no expiry`);
  }
}

/** Throws if Redis's memory or a stream of events grows too large before the run is over. */
async function staysSmall(begun: Begun): Promise<void> {
  const { run } = begun;
  for (; run.coordinator.isRunning; await sleep(250)) {
    const info = `${await run.tell("INFO", "memory")}`;
    const used = Number(/used_memory:(\d+)/.exec(info)?.[1]);
    if (!(used <= MOST_MEMORY)) throw new Error(`Redis uses ${used} bytes of memory`);
    for (const key of (await keysOf(begun)).filter((name) => name.endsWith(":events"))) {
      const events = Number(await run.tell("XLEN", key));
      if (events > MOST_EVENTS) throw new Error(`${key} has ${events} entries`);
    }
  }
}

/** Throws if a run waits for a worker that was killed. */
async function goesOn({ run }: Begun): Promise<void> {
  const answered = run.progress(2).then(() => true);
  const ended = run.coordinator.ended.then(() => true);
  const goesOn = await Promise.race([answered, ended, sleep(AT_ONCE_MS, false)]);
  // A question of a large shape may take a minute; the other worker must be searching it by then.
  if (!goesOn && run.coordinator.isRunning && (await run.atWork()).length === 0) {
    throw new Error("the run waited for the worker that was killed");
  }
}

/** Asks a worker to leave, which it must do at once. */
async function leaves({ first }: Begun): Promise<void> {
  const began = performance.now();
  const { code, stderr } = await first.kill("SIGTERM");
  if (performance.now() - began > LEAVE_MS) throw new Error("the worker left too late");
  if (code !== 0) throw new Error(`the worker that left ended with ${code}: ${stderr}`);
}

/** Starts a worker with another kernel, which must be told so. */
async function otherKernelIsRefused({ run }: Begun): Promise<void> {
  const { code, stderr } = await run.worker("other", { hook: "other-kernel" }).ended;
  const reason =
    /the coordinator's kernel for \S+ is \w+, but this worker's is \w+; use the same version/;
  if (code !== 1 || !reason.test(stderr)) throw new Error(`it ended with ${code}: ${stderr}`);
  if (!run.coordinator.isRunning) throw new Error("the solve was over before");
}

/** Starts a worker, which must receive the table of another. */
async function receivesTable({ run }: Begun): Promise<void> {
  const { child } = run.worker();
  await until("it has received a table", async () => {
    if (!run.coordinator.isRunning) throw new Error("it has not received a table");
    const { workers } = await run.status();
    return workers.some(({ pid, shared }) => pid === child.pid && shared.table > 0);
  });
}

/** Kills everything and starts it again, with the data that it has saved. */
const ALL_AGAIN: readonly Step[] = [
  kill("all"),
  restart(true),
  ({ run }) => ["first", "second"].map((name) => run.worker(name)),
  solve,
];
const joins =
  (options = {}): Step =>
  ({ run }) => {
    run.worker(undefined, options);
    return run.workers(3);
  };

/** All faults, by name. */
export const CLUSTER_FAULTS: Readonly<Record<string, ClusterFault>> = {
  memory: {
    what: "nothing: Redis's memory and event streams stay small, and no key stays",
    steps: [staysSmall],
    after: expectExpiry,
  },
  interrupted: {
    what: "the solve is interrupted (SIGINT), and no key stays",
    steps: [send("SIGINT", "coordinator")],
    solve: 130,
    after: expectExpiry,
  },
  "oom-brief": {
    what: "Redis has no memory left for 20 ms, twenty times",
    seconds: 5,
    steps: Array(20)
      .fill([REFUSALS.oom.begin, wait(0.02), REFUSALS.oom.end, wait(0.2)])
      .flat(),
  },
  "worker-killed": {
    what: "one of two workers is killed",
    steps: [({ run }) => run.workers(2), kill("worker"), goesOn],
  },
  "worker-replaced": {
    what: "a worker joins late, and another leaves politely",
    steps: [joins(), leaves],
  },
  "worker-slow": {
    what: "a third worker is twenty times slower",
    seconds: 5,
    steps: [joins({ slow: SLOW_MS })],
  },
  "coordinator-killed": {
    what: "the coordinator is killed, and the solve run again",
    seconds: 12, // until its lead expires
    steps: [kill("coordinator"), solve],
  },
  "all-killed-three-times": {
    what: "all processes are killed, three times",
    seconds: 50,
    // Saved work adds up, so a fast machine may be done before the last time.
    steps: [...ALL_AGAIN, working, wait(1.5), ...ALL_AGAIN, working, wait(1.5), ...ALL_AGAIN],
  },
  "redis-killed": lasting("Redis is killed", 2, kill("redis"), restart(true)),
  "redis-killed-with-loss": lasting(
    "Redis is killed and emptied",
    2,
    kill("redis"),
    restart(false),
  ),
  "worker-cut-off": cutOff("a worker", "first"),
  "coordinator-cut-off": cutOff("the coordinator", "solve"),
  "cluster-node-keys": nodeKilled(true),
  "cluster-node-keys-idle": nodeKilled(true, [solve]), // the workers are idle meanwhile
  "cluster-node-other": nodeKilled(false),
  ...Object.fromEntries([
    ...(Object.keys(PROCESSES) as Who[]).flatMap((who) =>
      [15, 35, 60, 120].map((seconds) => [
        `freeze-${who}-${seconds}`,
        lasting(`${who} frozen (SIGSTOP)`, seconds, send("SIGSTOP", who), send("SIGCONT", who)),
      ]),
    ),
    ...Object.entries(REFUSALS).flatMap(([name, { what, reply, begin, end }]) => [
      [name, lasting(what, FAULT_S, begin, end)],
      [
        `${name}-for-good`,
        {
          what: `${what}, for good`,
          seconds: GIVEN_UP_S,
          slow: LONG_MS,
          steps: [begin],
          solve: reply,
          workers: reply,
        },
      ],
    ]),
  ]),
  "redis-emptied": disturbed("Redis is emptied every 2 s", (client) => client.flushall(), 2000),
  "streams-deleted": disturbed("all streams of bounds are deleted", deleteStreams),
  "streams-garbage": disturbed(
    "the streams of bounds are filled with garbage",
    addGarbage,
    AGAIN_MS,
    isRefused,
  ),
  "keys-of-wrong-type": disturbed("keys are replaced by keys of other types", replaceKeys, 2000),
  "other-kernel": {
    what: "a worker with another kernel joins, and is refused",
    seconds: LONG_S,
    slow: LONG_MS,
    steps: [otherKernelIsRefused],
  },
  "joins-late": {
    what: "a worker joins late, and receives the table of another",
    seconds: LONG_S,
    slow: LONG_MS,
    steps: [({ run }) => run.progress(1), receivesTable], // early, there is no table worth sending
  },
};
