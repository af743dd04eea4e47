/* The thread of a `Link`. */
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { Journal, Kernel, kernelVersion, RECORD_BYTES } from "@gridlock/kernel";
import { connect } from "./connection.js";
import { keysOf } from "./keys.js";
import type { LinkData, LinkReport } from "./link.js";
import { nameGame, read } from "./messages.js";
import { openJournal } from "./open-journal.js";
import { Pace } from "./pace.js";

/** Batches that the stream keeps, about: some seconds of a few busy machines. */
const STREAM_LENGTH = 4096;
/** Batches read at a time. */
const READ_COUNT = 64;
/** How long a read waits for a batch, in milliseconds. */
const BLOCK_MS = 1000;
/** Between two reads, so that several batches come at a time; see `pace.ts` for what one costs. */
const READ_PAUSE_MS = 3;
/** A machine that has heard nothing from others for so long, in milliseconds, takes itself to be alone. */
const ALONE_MS = 2000;
/** Nodes that a bound must have cost to be passed on while nobody seems to listen: from the first one heard, all are sent. */
const ALONE_NODES = 1024;
/** Milliseconds between two batches while nobody seems to listen. */
const ALONE_PAUSE_MS = 50;
/** After a failure. */
const RETRY_MS = 200;
const REPORT_MS = 250;

const { redis, name, table, thread, sharing, shutOut } = workerData as LinkData;
const keys = keysOf(redis);
const kernel = new Kernel(table, thread);
const journal = new Journal(table, "sharer");
const version = kernelVersion(table.game.shape);
const { shape, tiles } = nameGame(table.game);
const strangers = new Set([name, ...shutOut]);
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

async function send(least: number): Promise<never> {
  const client = connect(redis, "commands");
  const pace = new Pace(least);
  passOnFrom(least);
  let last = performance.now();
  for (;;) {
    const records = journal.drain();
    const count = records.length / RECORD_BYTES;
    if (count > 0) {
      const packed = kernel.pack(records);
      const began = performance.now();
      // While the server is away or silent nothing waits for it: the journal's other reader needs the room.
      const patience = setTimeout(() => journal.close(), RETRY_MS);
      try {
        await client.xadd(
          ...([keys.bounds, "MAXLEN", "~", STREAM_LENGTH, "*"] as const),
          ...["from", name, "kernel", version, "shape", shape, "tiles", tiles, "count", count],
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

type Entry = [id: Buffer, fields: Buffer[]];

async function receive(): Promise<never> {
  const client = connect(redis, "blocking");
  let last = "0";
  for (;;) {
    try {
      const reply = await client.xreadBuffer(
        ...(["COUNT", READ_COUNT, "BLOCK", BLOCK_MS, "STREAMS", keys.bounds, last] as const),
      );
      for (const [, entries] of (reply ?? []) as [Buffer, Entry[]][]) {
        for (const [id, fields] of entries) {
          last = id.toString();
          const began = performance.now();
          take(fields);
          intakeMs += performance.now() - began;
        }
      }
    } catch {
      await sleep(RETRY_MS);
    }
    await sleep(READ_PAUSE_MS);
  }
}

/** Puts a batch into the table, as far as it can be true; one that is none is counted, and left out. */
function take(fields: Buffer[]): void {
  const batch: Record<string, Buffer> = {};
  for (let i = 0; i + 1 < fields.length; i += 2) {
    batch[String(fields[i])] = fields[i + 1] as Buffer;
  }
  const { records, ...rest } = batch;
  try {
    const texts = Object.entries(rest).map(([field, value]) => [field, String(value)]);
    const message = read("batch", Object.fromEntries(texts));
    if (strangers.has(message.from)) return;
    heardAt = performance.now();
    if (message.kernel !== version || message.shape !== shape || message.tiles !== tiles) return;
    if (records === undefined) throw new RangeError("a batch without records");
    counts.received += message.count;
    counts.bytesReceived += records.length;
    counts.refused += kernel.unpackForeign(records);
  } catch {
    counts.refused++;
  }
}

setInterval(() => parentPort?.postMessage(counts satisfies LinkReport), REPORT_MS);
if (sharing.share !== null) await Promise.all([send(sharing.share), receive()]);
