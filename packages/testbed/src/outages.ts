import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ClusterFault, LONG_MS } from "./cluster-fault.js";
import type { ClusterRun } from "./cluster-run.js";
import { until } from "./until.js";

/*
 * Faults of processes, connections and servers: what is frozen, killed, cut off, or refuses. The
 * length of one includes the time until the lead of a killed coordinator expires.
 */

/** Seconds of cuts and of refusals: a cut lasts longer than until a process counts as gone. */
const CUT_S = 20;
const REFUSED_S = 10;
/** Seconds within which a run and its workers must end when refused for good: 30 by protocol.md. */
const GIVEN_UP_S = 45;
/** Milliseconds within which a run goes on without a worker: long before that counts as gone. */
const AT_ONCE_MS = 8000;
/** Milliseconds within which a worker must end that leaves. */
const LEAVE_MS = 10_000;
/** Bytes of Redis's memory that a run of 2×5 may use. */
const MOST_MEMORY = 2 ** 24;
/** Entries that an event stream may have; BullMQ's limit of 10,000 is approximate. */
const MOST_EVENTS = 11_000;

const FROZEN = ["coordinator", "worker", "workers", "redis", "all"] as const;

/** Suspends processes, as a machine that sleeps does. */
const frozen = (who: (typeof FROZEN)[number], seconds: number): ClusterFault => ({
  what: `${who === "redis" ? "Redis" : who} frozen (SIGSTOP) for ${seconds} s`,
  seconds,
  async disturb({ run, first, second }) {
    const children = {
      coordinator: [run.coordinator.child],
      worker: [first.child],
      workers: [first.child, second.child],
      redis: [run.redis.process],
    };
    const all = who === "all" ? Object.values(children).flat() : children[who];
    for (const child of all) child.kill("SIGSTOP");
    await sleep(1000 * seconds);
    for (const child of all) child.kill("SIGCONT");
  },
});

/** A state in which Redis refuses writes: commands that begin and end it. */
interface Refusal {
  readonly what: string;
  /** A part of Redis's reply. */
  readonly reply: RegExp;
  begin(run: ClusterRun): Promise<unknown>;
  readonly end: readonly [command: string, ...args: string[]];
}

const REFUSALS: Readonly<Record<string, Refusal>> = {
  noreplicas: {
    what: "Redis wants a replica before it accepts writes",
    reply: /NOREPLICAS/,
    begin: (run) => run.tell("CONFIG", "SET", "min-replicas-to-write", "1"),
    end: ["CONFIG", "SET", "min-replicas-to-write", "0"],
  },
  misconf: {
    what: "Redis cannot save to its disk",
    reply: /MISCONF/,
    async begin(run) {
      // A folder where the file should be: saving fails, also for root.
      mkdirSync(join(run.folder, "redis", "dump.rdb", "in-the-way"), { recursive: true });
      await run.tell("CONFIG", "SET", "save", "900 1");
      await run.tell("BGSAVE");
      await until("saving has failed", async () =>
        `${await run.tell("INFO", "persistence")}`.includes("rdb_last_bgsave_status:err"),
      );
    },
    end: ["CONFIG", "SET", "stop-writes-on-bgsave-error", "no"],
  },
  noperm: {
    what: "the user of the run may not write",
    reply: /NOPERM|can't run this command/,
    begin: (run) => run.tell("ACL", "SETUSER", "default", "-@write"),
    end: ["ACL", "SETUSER", "default", "+@all"],
  },
  oom: {
    what: "Redis has no memory left",
    reply: /OOM/,
    begin: (run) => run.tell("CONFIG", "SET", "maxmemory", "1"),
    end: ["CONFIG", "SET", "maxmemory", "0"],
  },
};

const refused = ({ what, begin, end }: Refusal): ClusterFault => ({
  what: `${what}, for ${REFUSED_S} s`,
  seconds: REFUSED_S,
  async disturb({ run }) {
    await begin(run);
    await sleep(1000 * REFUSED_S);
    await run.tell(...end);
  },
});

const refusedForGood = ({ what, begin, reply }: Refusal): ClusterFault => ({
  what: `${what}, for good`,
  seconds: GIVEN_UP_S,
  slow: LONG_MS,
  async disturb({ run }) {
    await begin(run);
    return { solve: reply, workers: reply };
  },
});

/** Stops a node of a Redis Cluster for 10 s: that with the run's keys, or another. */
const nodeStopped = (whose: "keys" | "other", isIdle = false): ClusterFault => ({
  what: `the node of a Redis Cluster with ${whose === "keys" ? "the run's keys" : "other keys"} is killed, and is back after 10 s${isIdle ? "; the workers are idle" : ""}`,
  seconds: 15,
  isCluster: true,
  isIdle,
  async disturb({ run }) {
    const owner = await run.nodes.ownerOf("{gridlock}");
    const stopped = whose === "keys" ? owner : (owner + 1) % run.nodes.nodes.length;
    await run.nodes.stop(stopped);
    await sleep(10_000);
    await run.nodes.restart(stopped);
    if (isIdle) run.solve();
  },
});

const redisKilled = (keep: boolean): ClusterFault => ({
  what: `Redis is killed and restarted, its data ${keep ? "kept" : "lost"}`,
  seconds: 15,
  async disturb({ run }) {
    const { port } = run.redis;
    await run.redis.stop("SIGKILL");
    await sleep(2000);
    await run.startRedis({ port, keep });
  },
});

const cutOff = (who: "first" | "solve"): ClusterFault => ({
  what: `the connections of ${who === "first" ? "a worker" : "the coordinator"} are cut for ${CUT_S} s`,
  seconds: CUT_S + 12,
  proxied: who,
  async disturb({ proxy }) {
    await proxy.cut(1000 * CUT_S);
  },
});

const keysOf = async (run: ClusterRun) => (await run.tell("KEYS", "{gridlock}:*")) as string[];

/** Throws if keys would stay in Redis for ever. */
async function expectExpiry(run: ClusterRun): Promise<void> {
  for (const key of await keysOf(run)) {
    if (Number(await run.tell("PTTL", key)) === -1) throw new Error(`${key} has no expiry`);
  }
}

/** Faults of processes, connections and servers, by name. */
export const OUTAGES: Readonly<Record<string, ClusterFault>> = {
  memory: {
    what: "nothing: Redis's memory and event streams stay small, and no key stays",
    seconds: 0,
    async disturb({ run }) {
      for (; run.coordinator.isRunning; await sleep(250)) {
        const info = `${await run.tell("INFO", "memory")}`;
        const used = Number(/used_memory:(\d+)/.exec(info)?.[1]);
        if (!(used <= MOST_MEMORY)) throw new Error(`Redis uses ${used} bytes of memory`);
        for (const key of (await keysOf(run)).filter((name) => name.endsWith(":events"))) {
          const events = Number(await run.tell("XLEN", key));
          if (events > MOST_EVENTS) throw new Error(`${key} has ${events} entries`);
        }
      }
      return { after: () => expectExpiry(run) };
    },
  },
  interrupted: {
    what: "the solve is interrupted (SIGINT), and no key stays",
    seconds: 0,
    async disturb({ run }) {
      run.coordinator.child.kill("SIGINT");
      return { solve: 130, after: () => expectExpiry(run) };
    },
  },
  "oom-brief": {
    what: "Redis has no memory left for 20 ms, twenty times",
    seconds: 5,
    async disturb({ run }) {
      for (let i = 0; i < 20; i++) {
        await run.tell("CONFIG", "SET", "maxmemory", "1");
        await sleep(20);
        await run.tell("CONFIG", "SET", "maxmemory", "0");
        await sleep(200);
      }
    },
  },
  "worker-killed": {
    what: "one of two workers is killed",
    seconds: 0,
    async disturb({ run, first }) {
      await run.workers(2);
      await first.kill();
      const answered = run.progress(2).then(() => true);
      const ended = run.coordinator.ended.then(() => true);
      const goesOn = await Promise.race([answered, ended, sleep(AT_ONCE_MS, false)]);
      // A question of a large shape may take a minute; the other worker must be searching it by
      // then.
      if (!goesOn && run.coordinator.isRunning && (await run.atWork()).length === 0) {
        throw new Error("the run waited for the worker that was killed");
      }
    },
  },
  "worker-replaced": {
    what: "a worker joins late, and another leaves politely",
    seconds: 0,
    async disturb({ run, first }) {
      run.worker("third");
      await run.workers(3);
      first.child.kill("SIGTERM");
      const began = performance.now();
      const { code, stderr } = await first.ended;
      if (performance.now() - began > LEAVE_MS) throw new Error("the worker left too late");
      if (code !== 0) throw new Error(`the worker that left ended with ${code}: ${stderr}`);
    },
  },
  "coordinator-killed": {
    what: "the coordinator is killed, and the solve run again",
    seconds: 12,
    async disturb({ run }) {
      await run.coordinator.kill();
      run.solve();
    },
  },
  "all-killed-three-times": {
    what: "all processes are killed, three times",
    seconds: 50,
    async disturb({ run }) {
      for (let time = 1; ; time++) {
        const { port } = run.redis;
        const commands = [...run.coordinators, ...run.workerProcesses];
        await Promise.all([...commands.map((one) => one.kill()), run.redis.stop("SIGKILL")]);
        await run.startRedis({ port });
        for (const name of ["first", "second"]) run.worker(name);
        const solve = run.solve();
        if (time === 3) return;
        const atWork = async () => !solve.isRunning || (await run.atWork()).length > 0;
        await until("a worker is searching", atWork);
        if (!solve.isRunning) return; // saved work adds up, so a fast machine may be done
        await sleep(1500);
      }
    },
  },
  "redis-killed": redisKilled(true),
  "redis-killed-with-loss": redisKilled(false),
  "worker-cut-off": cutOff("first"),
  "coordinator-cut-off": cutOff("solve"),
  "cluster-node-keys": nodeStopped("keys"),
  "cluster-node-keys-idle": nodeStopped("keys", true),
  "cluster-node-other": nodeStopped("other"),
  ...Object.fromEntries([
    ...FROZEN.flatMap((who) =>
      [15, 35, 60, 120].map((seconds) => [`freeze-${who}-${seconds}`, frozen(who, seconds)]),
    ),
    ...Object.entries(REFUSALS).flatMap(([name, refusal]) => [
      [name, refused(refusal)],
      [`${name}-for-good`, refusedForGood(refusal)],
    ]),
  ]),
};
