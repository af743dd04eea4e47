import { setTimeout as sleep } from "node:timers/promises";
import type { ClusterRun } from "./cluster-run.js";
import { begin, type Ending, type TroubleKind } from "./trouble-kind.js";

/** Seconds for which a process is frozen or a connection is cut: longer than until it counts as gone. */
const PAUSE_S = 20;

async function restartRedis(run: ClusterRun, keep: boolean): Promise<Ending> {
  const { solve } = await begin(run);
  const { port } = run.redis;
  await run.redis.stop("SIGKILL");
  await sleep(2000);
  await run.startRedis({ port, keep });
  return { solve };
}

/** Milliseconds within which a run goes on without a worker: long before that counts as gone. */
const AT_ONCE_MS = 8000;
/** Milliseconds within which a worker must end that leaves. */
const LEAVE_MS = 10_000;

/**
 * Faults that a run over several processes must survive, by name. The length of one includes the time
 * until the lead of a killed coordinator expires.
 */
export const FAULTS: Readonly<Record<string, TroubleKind>> = {
  "worker-killed": {
    what: "one of two workers is killed",
    seconds: 0,
    async inflict(run) {
      const { first, solve } = await begin(run);
      await run.workers(2);
      await first.kill();
      const answered = run.progress(2).then(() => true);
      const ended = solve.ended.then(() => true);
      const late = sleep(AT_ONCE_MS, false);
      const goesOn = await Promise.race([answered, ended, late]);
      // A question of a large shape may take a minute; the other worker must be searching it by then.
      if (!goesOn && solve.isRunning && (await run.atWork()).length === 0) {
        throw new Error("the run waited for the worker that was killed");
      }
      return { solve };
    },
  },

  /** The worker wakes when it counts as gone. */
  "worker-frozen": {
    what: "one of two workers is frozen for 20 s",
    seconds: PAUSE_S,
    async inflict(run) {
      const { first, solve } = await begin(run, { alone: true });
      run.worker("second");
      first.child.kill("SIGSTOP");
      await sleep(1000 * PAUSE_S);
      first.child.kill("SIGCONT");
      return { solve };
    },
  },

  "coordinator-killed": {
    what: "the coordinator is killed, and the solve run again",
    seconds: 12,
    async inflict(run) {
      const { solve } = await begin(run, { alone: true });
      await solve.kill();
      return { solve: run.solve() };
    },
  },

  "redis-killed": {
    what: "Redis is killed and restarted, its data kept",
    seconds: 5,
    inflict: (run) => restartRedis(run, true),
  },
  "redis-killed-with-loss": {
    what: "Redis is killed and restarted, its data lost",
    seconds: 15,
    inflict: (run) => restartRedis(run, false),
  },

  "worker-cut-off": {
    what: "a worker's connections are cut for 20 s",
    seconds: PAUSE_S + 12,
    async inflict(run) {
      const proxy = await run.proxy();
      const { solve } = await begin(run, { alone: true, worker: proxy.url });
      run.worker("second");
      await proxy.cut(1000 * PAUSE_S);
      return { solve };
    },
  },

  "coordinator-cut-off": {
    what: "the coordinator's connections are cut for 20 s",
    seconds: PAUSE_S + 12,
    async inflict(run) {
      const proxy = await run.proxy();
      const { solve } = await begin(run, { alone: true, solve: proxy.url });
      await proxy.cut(1000 * PAUSE_S);
      return { solve };
    },
  },

  "all-killed-three-times": {
    what: "all processes are killed, three times",
    seconds: 50,
    async inflict(run) {
      for (let time = 0; time < 3; time++) {
        const solve = run.solve();
        const processes = [run.worker("first"), run.worker("second"), solve];
        // Saved work adds up, so a fast machine may be done before the last kill.
        if (!(await run.workingOrOver(solve)) && time > 0) return { solve };
        await sleep(1500);
        const { port } = run.redis;
        const gone = [...processes.map((one) => one.kill()), run.redis.stop("SIGKILL")];
        await Promise.all(gone);
        await run.startRedis({ port });
      }
      run.worker("first");
      return { solve: run.solve() };
    },
  },

  "worker-replaced": {
    what: "a worker joins late, and another leaves politely",
    seconds: 0,
    async inflict(run) {
      const { first, solve } = await begin(run);
      await run.workers(2);
      first.child.kill("SIGTERM");
      const began = performance.now();
      const { code, stderr } = await first.ended;
      if (performance.now() - began > LEAVE_MS) throw new Error("the worker left too late");
      if (code !== 0) throw new Error(`the worker that left ended with ${code}: ${stderr}`);
      return { solve };
    },
  },
};
