/*
 * Measures the overhead of a run over many machines, with a real Redis server:
 *
 *     npm run load                    costs of 64 workers, and of the bounds of 3 other machines
 *     npm run load -- --workers 128 --seconds 20
 *
 * The workers only send messages: a status each second, progress on their jobs, and unfinished jobs. The bounds are those
 * of a real search of 2×6, sent repeatedly at the pace of three threads.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { packBoard, parseBoard, parseShape } from "@gridlock/game";
import {
  createTable,
  effortOf,
  Journal,
  Kernel,
  kernelVersion,
  preferLargePages,
  RECORD_BYTES,
  tableLimits,
} from "@gridlock/kernel";
import { formatCount, formatPercent } from "@gridlock/report";
import { GRIDLOCK, startRedis } from "@gridlock/testbed";
import { Worker } from "bullmq";
import { Redis } from "ioredis";
import { Link } from "../packages/cluster/dist/link.js";
import { PROTOCOL, writeBatchHeader } from "../packages/cluster/dist/messages.js";

const PREFIX = "{gridlock}";
/** Clock ticks a second, the unit of a process's time in /proc. */
const TICKS = 100;
/** Approximate number of 2×6 nodes that a thread expands in a second; it sets the rate of other machines' bounds. */
const NODES_PER_SECOND = 1_400_000;
const OTHERS = 3;
/** Milliseconds of a machine's single-threaded work between two of its batches (`pace.ts`). */
const BATCH_MS = 5;
const BATCHES = 1000;
/** Nodes that a bound must have cost to be shared; workers raise it from the first value while reading takes too long. */
const SHARES = [1, 2, 4, 16, 64];

const { values: flags } = parseArgs({
  strict: false, // the feeder's arguments are its own
  options: {
    workers: { type: "string", default: "64" },
    seconds: { type: "string", default: "15" },
  },
});
const span = 1000 * Number(flags.seconds);

/** Returns the seconds of processor time that a process has used. */
function spent(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** A worker as the coordinator sees it. */
function pretend(name, connection) {
  const bull = new Worker(
    "questions",
    async (job) => {
      for (let i = 0; i < 5; i++) {
        await job.updateProgress({ seconds: i });
        await sleep(1000);
      }
      const run = JSON.parse(await connection.get(`${PREFIX}:run`));
      return {
        ...{ protocol: PROTOCOL, run: run.run, epoch: run.epoch, worker: name },
        ...{ counts: { positions: 1, afterstates: 1 }, outcome: "unfinished" },
      };
    },
    { connection, prefix: PREFIX },
  );
  bull.on("error", () => {});
  const shared = { sent: 1, received: 1, refused: 0, bytesSent: 1, bytesReceived: 1, effort: 5 };
  const message = JSON.stringify({
    ...{ protocol: PROTOCOL, worker: name, host: "h", pid: 1, version: "0", threads: 8, memory: 0 },
    ...{ state: "working", job: null, run: null, counts: { positions: 1e9, afterstates: 1e9 } },
    ...{ nodesPerSecond: 5e6, shared: { ...shared, delay: 1 } },
  });
  const beat = async () => {
    await connection.set(`${PREFIX}:worker:${name}`, message, "PX", 10_000);
    await connection.sadd(`${PREFIX}:workers`, name);
  };
  const timer = setInterval(() => void beat().catch(() => {}), 1000);
  return async () => {
    clearInterval(timer);
    await bull.close(true);
  };
}

async function coordinatorLoad(folder) {
  const redis = await startRedis();
  const connection = new Redis(redis.url, { maxRetriesPerRequest: null });
  const args = ["solve", "2x6", "--redis", redis.url, "--db", join(folder, "load.db"), "--quiet"];
  const coordinator = spawn(process.execPath, [GRIDLOCK, ...args], { stdio: "ignore" });
  const ends = Array.from({ length: Number(flags.workers) }, (_, i) =>
    pretend(`w${i}`, connection),
  );
  await sleep(5000);
  const before = spent(coordinator.pid);
  await sleep(span);
  const used = spent(coordinator.pid) - before;
  coordinator.kill("SIGKILL");
  await Promise.all(ends.map((end) => end()));
  connection.disconnect();
  await redis.stop("SIGKILL");
  return (1000 * used) / span;
}

/** Returns batches of the records that a real search shares, and their number of records for each node. */
function realBatches(share) {
  const game = { shape: parseShape("2x6"), tiles: [2, 4] };
  const table = createTable(game, tableLimits(game, 1).least + 2 ** 27, 1);
  const journal = new Journal(table, "sharer");
  const effort = effortOf(share);
  journal.open(effort);
  journal.share({ reuseEffort: effort, announceAfter: 1000 });
  const kernel = new Kernel(table, 0, { together: true });
  const board = packBoard(parseBoard("2 2 0 0 0 0/0 0 0 0 0 0").board);
  const batches = [];
  let count = 0;
  const piece = (BATCH_MS / 1000) * NODES_PER_SECOND;
  for (let i = 0; i < BATCHES; i++) {
    kernel.ask({ turn: "slider", board }, 448, piece);
    const records = journal.drain();
    count += records.length / RECORD_BYTES;
    if (records.length > 0) batches.push(Buffer.from(kernel.records.pack(records)));
  }
  return { game, batches, perNode: count / (BATCHES * piece) };
}

async function linkLoad(share) {
  const { game, batches, perNode } = realBatches(share);
  const server = await startRedis();
  const redis = { url: server.url, prefix: "gridlock", cluster: false };
  const table = createTable(game, tableLimits(game, 2).least + 2 ** 28, 2);
  preferLargePages(table);
  const sharing = { share, reuse: true, announce: 1000 };
  const link = new Link(
    { redis, name: "me", epoch: 0, table, thread: 1, sharing, shutOut: [] },
    (error) => {
      throw error;
    },
  );
  // Another process sends, so that this one's time is the link's.
  const feed = spawn(process.execPath, [fileURLToPath(import.meta.url), "--feed", server.url], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  feed.stdin.end(JSON.stringify(batches.map((batch) => batch.toString("base64"))));
  await sleep(4000);
  const before = process.cpuUsage();
  const received = link.counts.received;
  await sleep(span);
  const { user, system } = process.cpuUsage(before);
  const bounds = link.counts.received - received;
  feed.kill("SIGKILL");
  await link.close();
  await server.stop("SIGKILL");
  return { part: (user + system) / 1000 / span, perSecond: (1000 * bounds) / span, perNode };
}

/** Plays the other machines: sends batches as fast as this number of threads makes them. */
async function feed(url) {
  let text = "";
  for await (const chunk of process.stdin) text += chunk;
  const batches = JSON.parse(text).map((batch) => Buffer.from(batch, "base64"));
  const client = new Redis(url);
  const kernel = kernelVersion(parseShape("2x6"));
  const header = writeBatchHeader({ kernel, shape: "2x6", tiles: "2,4", epoch: 0 });
  const others = Array.from({ length: OTHERS }, (_, other) => `other${other}`);
  await client.sadd(`${PREFIX}:workers`, ...others);
  const began = performance.now();
  for (let i = 0; ; i++) {
    for (const other of others) {
      client.xadd(
        ...[`${PREFIX}:bounds:${other}`, "MAXLEN", "~", 256, "*"],
        ...["for", header, "records", batches[i % batches.length]],
      );
    }
    const ahead = BATCH_MS * i - (performance.now() - began);
    if (ahead > 5) await sleep(ahead);
  }
}

if (process.argv[2] === "--feed") await feed(process.argv[3]);
else {
  const folder = mkdtempSync(join(tmpdir(), "gridlock-load-"));
  try {
    const coordinator = await coordinatorLoad(folder);
    console.log(
      `the coordinator, with ${flags.workers} workers: ${formatPercent(coordinator)} of one processor`,
    );
    for (const share of SHARES) {
      const { part, perSecond, perNode } = await linkLoad(share);
      console.log(
        `a worker that reads the bounds of ${OTHERS} other machines, --share ${share}: ${formatPercent(part)} of one processor, ${formatCount(perSecond)} bounds a second, ${perNode.toFixed(2)} a node`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
