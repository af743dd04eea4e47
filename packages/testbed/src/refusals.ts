import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClusterRun } from "./cluster-run.js";
import { during, type TroubleKind } from "./trouble-kind.js";
import { until } from "./until.js";

/** A state in which Redis refuses writes: commands that begin and end it. */
interface Refusal {
  readonly what: string;
  /** A part of Redis's reply. */
  readonly reply: RegExp;
  begin(run: ClusterRun): Promise<unknown>;
  end(run: ClusterRun): Promise<unknown>;
}

const REFUSALS: Readonly<Record<string, Refusal>> = {
  noreplicas: {
    what: "Redis wants a replica before it accepts writes",
    reply: /NOREPLICAS/,
    begin: (run) => run.tell("CONFIG", "SET", "min-replicas-to-write", "1"),
    end: (run) => run.tell("CONFIG", "SET", "min-replicas-to-write", "0"),
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
    end: (run) => run.tell("CONFIG", "SET", "stop-writes-on-bgsave-error", "no"),
  },
  noperm: {
    what: "the user of the run may not write",
    reply: /NOPERM|can't run this command/,
    begin: (run) => run.tell("ACL", "SETUSER", "default", "-@write"),
    end: (run) => run.tell("ACL", "SETUSER", "default", "+@all"),
  },
  oom: {
    what: "Redis has no memory left",
    reply: /OOM/,
    begin: (run) => run.tell("CONFIG", "SET", "maxmemory", "1"),
    end: (run) => run.tell("CONFIG", "SET", "maxmemory", "0"),
  },
};

/** Seconds of a refusal that a run must survive. */
const REFUSED_S = 10;
/** Seconds within which a run and its workers must end when refused for good: after 30 s, by protocol.md. */
export const GIVEN_UP_S = 45;

/** Returns a kind for each refusal that passes, and for each that stays. */
export function refusalKinds(): [string, TroubleKind][] {
  return Object.entries(REFUSALS).flatMap(([name, refusal]): [string, TroubleKind][] => [
    [
      name,
      during(`${refusal.what}, for ${REFUSED_S} s`, REFUSED_S, async (run) => {
        await refusal.begin(run);
        await sleep(1000 * REFUSED_S);
        await refusal.end(run);
        return {};
      }),
    ],
    [
      `${name}-for-good`,
      during(`${refusal.what}, for good`, GIVEN_UP_S, async (run) => {
        await refusal.begin(run);
        return { fails: refusal.reply, workersFail: refusal.reply };
      }),
    ],
  ]);
}
