/* The thread of a `Link`. */
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { Journal, Kernel, kernelVersion, RECORD_BYTES } from "@gridlock/kernel";
import { connect, type RedisClient } from "./connection.js";
import { keysOf } from "./keys.js";
import type { LinkData, LinkReport } from "./link.js";
import { GONE_MS, nameGame, read, writeBatchHeader } from "./messages.js";
import { openJournal } from "./open-journal.js";
import { Pace } from "./pace.js";

/** Approximate number of batches that a stream keeps: over a second of a busy machine, 10 MB for each of its threads. */
const STREAM_LENGTH = 256;
/** Batches of each machine read at a time. */
const READ_COUNT = 64;
/** Milliseconds that a read waits for a batch. */
const BLOCK_MS = 1000;
/** Milliseconds between two reads, so that a read returns several batches; `pace.ts` has the cost of a batch. */
const READ_PAUSE_MS = 3;
/** Milliseconds between two looks for new or lost machines. */
const LOOK_MS = 1000;
/** Bytes of the preallocated buffer for a batch; a larger batch gets a buffer of its own. */
const ROOM_BYTES = 1 << 20;
/** Milliseconds without a batch from other machines after which a machine considers itself alone. */
const ALONE_MS = 2000;
/** Nodes that a bound must have cost to be shared while the machine is alone. */
const ALONE_NODES = 1024;
/** Milliseconds between two batches while the machine is alone. */
const ALONE_PAUSE_MS = 50;
/** Milliseconds to wait after a failure. */
const RETRY_MS = 200;
const REPORT_MS = 250;

const { redis, name, epoch, table, thread, sharing, shutOut } = workerData as LinkData;
const keys = keysOf(redis);
const kernel = new Kernel(table, thread);
const journal = new Journal(table, "sharer");
const ownStream = keys.bounds(name);
const strangers = new Set([name, ...shutOut]);
/** The header of this machine's batches, which identifies the tables that they fit. */
const header = writeBatchHeader({
  kernel: kernelVersion(table.game.shape),
  ...nameGame(table.game),
  epoch,
});
const headerBytes = Buffer.from(header);
const room = new Uint8Array(ROOM_BYTES);
/** The other machines' streams, with the id of the last batch read from each. */
const streams = new Map<string, string>();
const counts: { -readonly [Key in keyof LinkReport]: LinkReport[Key] } = {
  sent: 0,
  received: 0,
  refused: 0,
  bytesSent: 0,
  bytesReceived: 0,
  effort: sharing.share,
  delay: 0,
};

/** Milliseconds spent on other machines' bounds since the last batch was sent. */
let intakeMs = 0;
/** When another machine's last batch arrived, in milliseconds of `performance.now`. */
let heardAt = performance.now();

const isAlone = () => performance.now() - heardAt > ALONE_MS;

/** Shares bounds of at least this many nodes from now on; alone, only bounds that a machine that joins should have. */
function passOnFrom(nodes: number): void {
  const alone = isAlone();
  const share = alone ? Math.max(ALONE_NODES, nodes) : nodes;
  openJournal(journal, { ...sharing, share, reuse: sharing.reuse && !alone });
  counts.effort = share;
}

async function send(client: RedisClient, least: number): Promise<never> {
  const pace = new Pace(least);
  passOnFrom(least);
  let last = performance.now();
  for (;;) {
    const records = journal.drain();
    const count = records.length / RECORD_BYTES;
    if (count > 0) {
      const packed = kernel.records.pack(records, room);
      const began = performance.now();
      // While the server is away or silent, records are not kept for it: the journal's other reader needs the room.
      const patience = setTimeout(() => journal.close(), RETRY_MS);
      try {
        await client.xadd(
          ...([ownStream, "MAXLEN", "~", STREAM_LENGTH, "*", "for", header] as const),
          ...(["records", Buffer.from(packed.buffer, packed.byteOffset, packed.length)] as const),
        );
        counts.sent += count;
        counts.bytesSent += packed.length;
      } catch {
        journal.close();
        await sleep(RETRY_MS);
      } finally {
        clearTimeout(patience);
      }
      const now = performance.now();
      pace.took(now - began, count, intakeMs / (now - last));
      last = now;
      intakeMs = 0;
      counts.delay = pace.delay;
    }
    passOnFrom(pace.nodes);
    await sleep(isAlone() ? ALONE_PAUSE_MS : pace.pause);
  }
}

/** Finds the other machines' streams, and renews the expiry of this machine's stream. */
async function lookAround(client: RedisClient): Promise<void> {
  await client.pexpire(ownStream, GONE_MS);
  const names = await client.smembers(keys.workers);
  const there = new Set(names.filter((name) => !strangers.has(name)).map(keys.bounds));
  for (const stream of streams.keys()) if (!there.has(stream)) streams.delete(stream);
  for (const stream of there) if (!streams.has(stream)) streams.set(stream, "0");
}

async function receive(commands: RedisClient): Promise<never> {
  const client = connect(redis, "blocking");
  let lookedAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      if (performance.now() - lookedAt > LOOK_MS) {
        await lookAround(commands);
        lookedAt = performance.now();
      }
      if (streams.size > 0) await takeNext(client);
      else await sleep(LOOK_MS);
    } catch {
      await sleep(RETRY_MS);
    }
    await sleep(READ_PAUSE_MS);
  }
}

type Entry = [id: Buffer, fields: Buffer[]];

/** Waits for batches from other machines, and stores their bounds. */
async function takeNext(client: RedisClient): Promise<void> {
  const reply = await client.xreadBuffer(
    ...(["COUNT", READ_COUNT, "BLOCK", BLOCK_MS] as const),
    ...(["STREAMS", ...streams.keys(), ...streams.values()] as const),
  );
  const began = performance.now();
  for (const [stream, entries] of (reply ?? []) as [Buffer, Entry[]][]) {
    for (const [, fields] of entries) take(fields);
    const last = entries.at(-1);
    if (last) streams.set(String(stream), String(last[0]));
  }
  intakeMs += performance.now() - began;
}

/** Stores a batch's records in the table, except those that cannot be true. Counts an invalid batch as refused. */
function take([first, whose, second, packed, ...more]: Buffer[]): void {
  heardAt = performance.now();
  try {
    // Nearly all batches have the same header; parsing it again would cost as much as a few hundred records.
    if (!whose?.equals(headerBytes)) return void read("batch", String(whose));
    if (String(first) !== "for" || String(second) !== "records" || !packed || more.length > 0) {
      throw new RangeError("a batch has other fields than a header and records");
    }
    const { records, refused } = kernel.records.unpackForeign(packed);
    counts.received += records;
    counts.refused += refused;
    counts.bytesReceived += packed.length;
  } catch {
    counts.refused++;
  }
}

setInterval(() => parentPort?.postMessage(counts satisfies LinkReport), REPORT_MS);
if (sharing.share !== null) {
  const client = connect(redis, "commands");
  await Promise.all([send(client, sharing.share), receive(client)]);
}
