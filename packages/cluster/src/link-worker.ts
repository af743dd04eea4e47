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

/** Batches that a stream keeps, about: more than a second of a busy machine, 10 MB for each of its threads. */
const STREAM_LENGTH = 256;
/** Batches of each machine read at a time. */
const READ_COUNT = 64;
/** How long a read waits for a batch, in milliseconds. */
const BLOCK_MS = 1000;
/** Between two reads, so that several batches come at a time; see `pace.ts` for what one costs. */
const READ_PAUSE_MS = 3;
/** Between two looks at which machines there are. */
const LOOK_MS = 1000;
/** Bytes of a batch for which there is always room; a larger one has its room made. */
const ROOM_BYTES = 1 << 20;
/** A machine that has heard nothing from others for so long, in milliseconds, takes itself to be alone. */
const ALONE_MS = 2000;
/** Nodes that a bound must have cost to be passed on while nobody seems to listen: from the first one heard, all are sent. */
const ALONE_NODES = 1024;
/** Milliseconds between two batches while nobody seems to listen. */
const ALONE_PAUSE_MS = 50;
/** After a failure. */
const RETRY_MS = 200;
const REPORT_MS = 250;

const { redis, name, epoch, table, thread, sharing, shutOut } = workerData as LinkData;
const keys = keysOf(redis);
const kernel = new Kernel(table, thread);
const journal = new Journal(table, "sharer");
const ownStream = keys.bounds(name);
const strangers = new Set([name, ...shutOut]);
/** What says of a batch for whom it is. */
const header = writeBatchHeader({
  kernel: kernelVersion(table.game.shape),
  ...nameGame(table.game),
  epoch,
});
const headerBytes = Buffer.from(header);
const room = new Uint8Array(ROOM_BYTES);
/** The other machines' streams, and the last batch of each that was read. */
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

/** Milliseconds since the last batch was sent that went into others' bounds. */
let intakeMs = 0;
/** When the last batch of another machine came. */
let heardAt = performance.now();

const isAlone = () => performance.now() - heardAt > ALONE_MS;

/** From now on bounds of so many nodes and more are passed on; alone, only what a machine that joins should know. */
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
      // While the server is away or silent nothing waits for it: the journal's other reader needs the room.
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

/** Sees which machines there are, and that this one's stream does not go before the machine has. */
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

/** Waits for what other machines send, and takes it in. */
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

/** Puts a batch into the table, as far as it can be true; one that is none is counted, and left out. */
function take([first, whose, second, packed, ...more]: Buffer[]): void {
  heardAt = performance.now();
  try {
    // Nearly all have the same header: to look at it once more would cost as much as some hundred records.
    if (!whose?.equals(headerBytes)) return void read("batch", String(whose));
    if (String(first) !== "for" || String(second) !== "records" || !packed || more.length > 0) {
      throw new RangeError("other fields than those of a batch");
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
