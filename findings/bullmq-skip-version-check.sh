#!/usr/bin/env bash
# BullMQ's option skipVersionCheck, which is documented as skipping a validation of Redis's version, also makes BullMQ
# take any server for version 5.0: it then finds a job's state by copying the queue's lists (LRANGE) instead of having
# Redis search them (LPOS). On a queue of 4,000 waiting jobs that takes about ten times as long.
# bullmq 6.7.0, Redis 7.0. Source: QueueBaseOptions in the API reference of BullMQ, "Avoid version validation to be
# greater or equal than v5.0.0". Needs redis-server 6.0.6 or newer.
set -euo pipefail
command -v redis-server >/dev/null || { echo "redis-server is missing: install it, for instance with apt" >&2; exit 2; }
cd "$(mktemp -d)"
redis-server --port 0 --unixsocket "$PWD/redis.sock" --save '' --appendonly no >/dev/null &
trap 'kill %1; wait; rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund bullmq@6.7.0 ioredis@6.0.0 >/dev/null

cat > finding.mjs <<'EOF'
import { Queue } from "bullmq";
import { Redis } from "ioredis";

const JOBS = 4000;
const redis = new Redis({ path: "redis.sock", maxRetriesPerRequest: null });

/** Asks for the states of waiting jobs; returns the commands that Redis was given for it. */
async function commands(skipVersionCheck) {
  const queue = new Queue("jobs", { connection: redis, skipVersionCheck });
  await queue.waitUntilReady();
  await redis.flushall();
  const jobs = Array.from({ length: JOBS }, (_, i) => ({ name: "job", opts: { jobId: `job${i}` } }));
  await queue.addBulk(jobs);
  await redis.config("RESETSTAT");
  for (let i = 0; i < JOBS; i += 10) await queue.getJobState(`job${i}`);
  const stats = await redis.info("commandstats");
  const of = (name) => /calls=(\d+),usec=(\d+)/.exec(stats.split(`cmdstat_${name}:`)[1] ?? "") ?? [];
  await queue.close();
  return { lrange: of("lrange")[1] ?? 0, lpos: of("lpos")[1] ?? 0, ms: of("evalsha")[2] / 1000 };
}

const [checked, skipped] = [await commands(false), await commands(true)];
console.log(`bullmq 6.7.0, Redis ${/redis_version:(\S+)/.exec(await redis.info("server"))[1]}`);
redis.disconnect();
console.log("guess: the option only skips a check");
const row = ({ lrange, lpos, ms }) => `${lpos} LPOS, ${lrange} LRANGE, ${ms.toFixed(1)} ms`;
console.log(`seen:  400 states of ${JOBS} waiting jobs: ${row(checked)}; with skipVersionCheck: ${row(skipped)}`);
const same = checked.lpos > 0 && checked.lrange === 0 && skipped.lpos === 0 && skipped.lrange > 0;
console.log(same ? "as found" : "CHANGED");
process.exit(same ? 0 : 1);
EOF
node finding.mjs
