import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClusterRun } from "./cluster-run.js";
import type { Process } from "./command.js";
import { FAULTS } from "./faults.js";
import { startRedis, tellRedis } from "./redis-server.js";
import { GIVEN_UP_S, refusalKinds } from "./refusals.js";
import { SHARING } from "./sharing-kinds.js";
import { begin, during, type TroubleKind } from "./trouble-kind.js";
import { until } from "./until.js";

const FROZEN = ["coordinator", "workers", "redis", "all"] as const;

function freezeKinds(): [string, TroubleKind][] {
  return FROZEN.flatMap((who) =>
    [15, 35, 60, 120].map((seconds): [string, TroubleKind] => [
      `freeze-${who}-${seconds}`,
      during(
        `${who === "redis" ? "Redis" : who} frozen (SIGSTOP) for ${seconds} s`,
        seconds,
        async (run, { workers, solve }) => {
          const frozen = {
            coordinator: [solve.child],
            workers: workers.map(({ child }) => child),
            redis: [run.redis.process],
          };
          const all = who === "all" ? Object.values(frozen).flat() : frozen[who];
          for (const child of all) child.kill("SIGSTOP");
          await sleep(1000 * seconds);
          for (const child of all) child.kill("SIGCONT");
          return {};
        },
      ),
    ]),
  );
}

/** Changes the password; returns a URL with the new one. */
async function changePassword(run: ClusterRun): Promise<string> {
  const url = new URL(run.redis.url);
  url.password = "second";
  await run.tell("CONFIG", "SET", "requirepass", url.password);
  return url.href;
}

/** Moves a run to a server that was a replica, and makes the primary a replica of it. */
function failover(cut: boolean, shape?: string): TroubleKind {
  return {
    what: `${shape === undefined ? "" : `${shape}: `}a replica is promoted; old connections ${cut ? "cut" : "stay with the old primary"}`,
    seconds: 5,
    ...(shape === undefined ? {} : { shape }),
    async inflict(run) {
      const other = run.own(await startRedis());
      await tellRedis(other.url, "REPLICAOF", "127.0.0.1", `${run.redis.port}`);
      const linked = async () =>
        `${await tellRedis(other.url, "INFO", "replication")}`.includes("master_link_status:up");
      await until("the replica is linked", linked);
      const proxy = await run.proxy();
      const { solve } = await begin(run, { worker: proxy.url, solve: proxy.url });
      await tellRedis(other.url, "REPLICAOF", "NO", "ONE");
      await run.tell("REPLICAOF", "127.0.0.1", `${other.port}`);
      proxy.switchTo(other.port, { cut });
      return { solve };
    },
  };
}

/** Stops a node of a Redis Cluster for 10 s: that with the run's keys, or another. */
function nodeStopped(whose: "keys" | "other", { isIdle = false } = {}): TroubleKind {
  return {
    what: `the node of a Redis Cluster with ${whose === "keys" ? "the run's keys" : "other keys"} is killed, and is back after 10 s${isIdle ? "; the workers are idle" : ""}`,
    seconds: 15,
    isCluster: true,
    async inflict(run) {
      const nodes = await run.startNodes();
      const owner = await nodes.ownerOf("{gridlock}");
      const stopped = whose === "keys" ? owner : (owner + 1) % nodes.nodes.length;
      let solve: Process | undefined;
      if (isIdle) {
        for (const name of ["first", "second"]) run.worker(name);
        await run.workers(2);
      } else {
        ({ solve } = await begin(run));
      }
      await nodes.stop(stopped);
      await sleep(10_000);
      await nodes.restart(stopped);
      return { solve: solve ?? run.solve() };
    },
  };
}

/** Bytes of Redis's memory that a run of 2×5 may use. */
const MOST_MEMORY = 16 * 2 ** 20;
/** Entries that an event stream may have; BullMQ's limit of 10,000 is approximate. */
const MOST_EVENTS = 11_000;

/** Returns the bytes of Redis's memory that are used. */
async function usedMemory(run: ClusterRun): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(`${await run.tell("INFO", "memory")}`)?.[1]);
}

/** Returns the keys of a run. */
async function keysOf(run: ClusterRun): Promise<string[]> {
  return (await run.tell("KEYS", "{gridlock}:*")) as string[];
}

/** Returns the keys that would stay in Redis for ever, as a sentence, or nothing. */
async function immortal(run: ClusterRun): Promise<string[]> {
  const stay: string[] = [];
  for (const key of await keysOf(run)) {
    if (Number(await run.tell("PTTL", key)) === -1) stay.push(key);
  }
  return stay.length === 0 ? [] : [`keys without expiry: ${stay.sort().join(", ")}`];
}

/** Watches Redis's memory and the event streams until the solve has ended; returns faults, as sentences. */
async function watchMemory(run: ClusterRun, solve: Process, base: number): Promise<string[]> {
  let [memory, events] = [0, 0];
  while (solve.isRunning) {
    memory = Math.max(memory, (await usedMemory(run)) - base);
    for (const key of await keysOf(run)) {
      if (key.endsWith(":events")) events = Math.max(events, Number(await run.tell("XLEN", key)));
    }
    await sleep(250);
  }
  return [
    memory > MOST_MEMORY ? `${memory} bytes of Redis's memory; expected ${MOST_MEMORY}` : "",
    events > MOST_EVENTS ? `${events} events in a stream; expected ${MOST_EVENTS}` : "",
  ].filter((fault) => fault !== "");
}

const OTHERS: Readonly<Record<string, TroubleKind>> = {
  undisturbed: during("nothing happens", 0, async () => ({})),
  "oom-brief": during("Redis has no memory left for 20 ms, twenty times", 5, async (run) => {
    for (let i = 0; i < 20; i++) {
      await run.tell("CONFIG", "SET", "maxmemory", "1");
      await sleep(20);
      await run.tell("CONFIG", "SET", "maxmemory", "0");
      await sleep(200);
    }
    return {};
  }),
  password: during(
    "the password is changed; connections stay",
    GIVEN_UP_S,
    async (run, { solve }) => {
      await changePassword(run);
      // Connections stay logged in, so the run may finish, unless it needs a new one.
      const { code } = await solve.ended;
      return code === 0 ? {} : { fails: /password/ };
    },
  ),
  "password-and-cut": during(
    "the password is changed, and all connections are cut",
    GIVEN_UP_S,
    async (run) => {
      const url = await changePassword(run);
      for (const type of ["pubsub", "normal"]) await tellRedis(url, "CLIENT", "KILL", "TYPE", type);
      return { fails: /password/, workersFail: /password/ };
    },
  ),
  failover: failover(false),
  "failover-and-cut": failover(true),
  "failover-2x4": failover(false, "2x4"),
  "failover-2x4-and-cut": failover(true, "2x4"),
  "cluster-node-keys": nodeStopped("keys"),
  "cluster-node-keys-idle": nodeStopped("keys", { isIdle: true }),
  "cluster-node-other": nodeStopped("other"),
  memory: {
    what: "Redis's memory and event streams stay small, and no key stays",
    seconds: 0,
    async inflict(run) {
      const base = await usedMemory(run);
      const { solve } = await begin(run);
      const faults = await watchMemory(run, solve, base);
      return { solve, after: async () => [...faults, ...(await immortal(run))] };
    },
  },
  interrupted: during(
    "the solve is interrupted (SIGINT), and no key stays",
    0,
    async (run, { solve }) => {
      solve.child.kill("SIGINT");
      return { stopsWith: 130, after: () => immortal(run) };
    },
  ),
  "database-removed": during("the solve's database is removed", 10, async (run) => {
    removeDatabase(run);
    return { fails: /solve\.db/ };
  }),
  "database-replaced": {
    what: "the solve's database is replaced by another",
    seconds: 10,
    async inflict(run) {
      const other = await run.start(["solve", "2x2", "--db", "other.db", "--quiet"]).ended;
      if (other.code !== 0) throw new Error(other.stderr);
      const { solve } = await begin(run);
      removeDatabase(run);
      renameSync(join(run.folder, "other.db"), join(run.folder, "solve.db"));
      return { solve, fails: /solve\.db/ };
    },
  },
};

function removeDatabase(run: ClusterRun): void {
  for (const more of ["", "-wal", "-shm"])
    rmSync(join(run.folder, `solve.db${more}`), { force: true });
}

/** All kinds of trouble, by name. */
export const TROUBLE: Readonly<Record<string, TroubleKind>> = Object.fromEntries([
  ...Object.entries(OTHERS),
  ...Object.entries(SHARING),
  ...Object.entries(FAULTS),
  ...freezeKinds(),
  ...refusalKinds(),
]);
