#!/usr/bin/env bash
# An idle BullMQ worker brings a key of an obliterated queue back: each of its checks for stalled jobs trims the event
# stream, for which it looks up the limit in the hash `meta`, and writes the default there if it is missing. So a queue
# that is gone keeps a key without an expiry as long as any worker waits for it, and afterwards too.
# bullmq 6.7.0. Source: BullMQ's guide, "Removing jobs": "obliterates a queue completely". Needs redis-server.
set -euo pipefail
command -v redis-server >/dev/null || { echo "redis-server is missing: install it, for instance with apt" >&2; exit 2; }
cd "$(mktemp -d)"
redis-server --port 0 --unixsocket "$PWD/redis.sock" --save '' --appendonly no >/dev/null &
trap 'kill %1; wait; rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund bullmq@6.7.0 ioredis@6.0.0 >/dev/null

cat > finding.mjs <<'EOF'
import { setTimeout as sleep } from "node:timers/promises";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";

const connection = new Redis({ path: "redis.sock", maxRetriesPerRequest: null });
const queue = new Queue("jobs", { connection });
await queue.waitUntilReady();
const worker = new Worker("jobs", async () => {}, { connection, stalledInterval: 500 });
await worker.waitUntilReady();
await queue.obliterate();
await queue.close();
const left = async () => (await connection.keys("bull:jobs:*")).filter((key) => !key.endsWith("stalled-check"));
const before = await left();
await sleep(2000);
await worker.close();
const after = await left();
const expires = await connection.pttl("bull:jobs:meta");
console.log(`bullmq 6.7.0, Redis ${/redis_version:(\S+)/.exec(await connection.info("server"))[1]}`);
console.log("guess: no key of an obliterated queue comes back before a job is added");
console.log(`seen:  ${before.length} keys after obliterate(), later ${after.join()}, expires in ${expires} (-1: never)`);
const same = before.length === 0 && after.includes("bull:jobs:meta") && expires === -1;
console.log(same ? "as found" : "CHANGED");
process.exit(same ? 0 : 1);
EOF
node finding.mjs
