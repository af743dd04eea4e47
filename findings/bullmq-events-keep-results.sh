#!/usr/bin/env bash
# BullMQ keeps the return values of jobs that were added with removeOnComplete: true: the event stream repeats each of
# them, and its default limit counts events, not bytes. 500 jobs that return 100 kB leave more than 50 MB in Redis after
# the last job is removed, until some 10,000 more events have come or streams.events.maxLen is set.
# bullmq 6.7.0. Source: BullMQ's guide, "Auto-removal of jobs" and "Events". Needs redis-server.
set -euo pipefail
command -v redis-server >/dev/null || { echo "redis-server is missing: install it, for instance with apt" >&2; exit 2; }
cd "$(mktemp -d)"
redis-server --port 0 --unixsocket "$PWD/redis.sock" --save '' --appendonly no >/dev/null &
trap 'kill %1; wait; rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund bullmq@6.7.0 ioredis@6.0.0 >/dev/null

cat > finding.mjs <<'EOF'
import { once } from "node:events";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";

const [JOBS, BYTES] = [500, 100_000];
const connection = new Redis({ path: "redis.sock", maxRetriesPerRequest: null });
const memory = async () => Number(/used_memory:(\d+)/.exec(await connection.info("memory"))[1]);
const queue = new Queue("jobs", { connection });
await queue.waitUntilReady();
const before = await memory();
const opts = { removeOnComplete: true };
await queue.addBulk(Array.from({ length: JOBS }, () => ({ name: "job", data: {}, opts })));
const worker = new Worker("jobs", async () => "x".repeat(BYTES), { connection });
await once(worker, "drained");
while ((await queue.getActiveCount()) > 0) {} // "drained" comes before the last job is done
await worker.close();
const jobs = Object.values(await queue.getJobCounts()).reduce((sum, count) => sum + count, 0);
const grown = (await memory()) - before;
const events = await connection.xlen("bull:jobs:events");
console.log(`bullmq 6.7.0, Redis ${/redis_version:(\S+)/.exec(await connection.info("server"))[1]}`);
console.log("guess: nothing but counters is left of removed jobs");
console.log(`seen:  ${jobs} jobs left, ${events} events, ${(grown / 1e6).toFixed(1)} MB more than before`);
const same = jobs === 0 && grown > (JOBS * BYTES) / 2;
console.log(same ? "as found" : "CHANGED");
process.exit(same ? 0 : 1);
EOF
node finding.mjs
