/* The thread of `Link`. */
import { setTimeout as sleep } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { Journal, Kernel, RECORD_BYTES } from "@gridlock/kernel";
import type { SharedCounts } from "@gridlock/schemas/cluster";
import type { NewBatch } from "@gridlock/store";
import { answerRequests, notify } from "@gridlock/threads";
import { addressOf, type Batch, readBatch, type TableRequest, writeBatch } from "./batch.js";
import { atMost, connect } from "./connection.js";
import { keysOf } from "./keys.js";
import { type LinkData, type LinkRequest, NOTHING_SHARED, type Sharing } from "./link.js";
import { isDamage } from "./outage.js";
import { Outlet } from "./outlet.js";
import { sendTable } from "./table-sender.js";
import {
  ALONE_MS,
  BEAT_MS,
  FLUSH_MS,
  GONE_MS,
  LEAST_SHARE_MS,
  MEASURE_MS,
  READ_BATCHES,
  READ_MS,
  REREAD_MS,
  RETRY_MS,
  SHARE_MS,
  STREAM_MS,
} from "./timing.js";

const { redis, name, table, news, rate } = workerData as LinkData;
const keys = keysOf(redis);
const kernel = new Kernel(table, table.threads - 2);
const journal = new Journal(table);
const outlet = new Outlet(rate);
const counts: { -readonly [Key in keyof SharedCounts]: SharedCounts[Key] } = { ...NOTHING_SHARED };
const commands = connect(redis, "commands");
const blocking = connect(redis, "blocking");

let peerNames: readonly string[] = [];
/** Whom this worker's batches are for, and who may send to it. */
let address: Buffer | undefined;
/** Other workers' streams, and the id of the last batch that was read of each. */
const peers = new Map<string, string>();
/** The worker whose table to ask for; `null` once it has been asked, or if none need be. */
let donor: string | undefined | null;
/** Batches that the snapshot thread has not got yet, and the time when it got the last ones. */
let unsaved: NewBatch[] = [];
let savedAt = performance.now();
/** The batch that is under way to the server. */
let sending: Promise<void> | undefined;
/** Sends the table to one worker after another. */
let tables: Promise<void> = Promise.resolve();
let heardAt = performance.now();
/** When the stream's expiry is to be put off again. */
let keptUntil = 0;

function share(sharing: Sharing): void {
  if (address === undefined) void drainOn(); // not before: what is drained for nobody is not sent later
  const next = addressOf(table.game, sharing);
  if (!address?.equals(next)) {
    address = next;
    peers.clear();
  }
  peerNames = sharing.peers;
  const streams = peerNames.map(keys.bounds);
  for (const stream of peers.keys()) {
    if (!streams.includes(stream) && stream !== keys.table(name)) peers.delete(stream);
  }
  for (const stream of streams) if (!peers.has(stream)) peers.set(stream, "0");
  if (donor === undefined && peerNames.length > 0) donor = sharing.isLate ? peerNames[0] : null;
}

/** Returns the milliseconds until the next exchange. */
function pause(): number {
  const others = peerNames.length;
  return others === 0 ? ALONE_MS : Math.max(LEAST_SHARE_MS, SHARE_MS / others);
}

/** Adds an entry to this worker's stream. */
async function send(entry: Batch | TableRequest): Promise<void> {
  if (!address) return;
  const stream = keys.bounds(name);
  const batches = Math.ceil(STREAM_MS / pause());
  await commands.xadd(stream, "MAXLEN", batches, "*", ...writeBatch(address, entry));
  if (performance.now() < keptUntil) return;
  keptUntil = performance.now() + BEAT_MS;
  await commands.pexpire(stream, GONE_MS);
}

/** Waits after an error; removes all streams, with their bounds, if one has the wrong type. */
async function mend(error: unknown): Promise<void> {
  if (isDamage(error)) await commands.del(keys.bounds(name), ...peers.keys()).catch(() => {});
  await sleep(RETRY_MS);
}

/** Sends bounds to the other workers. */
async function passOn(entries: number, packed: Uint8Array): Promise<void> {
  if (peerNames.length === 0) return;
  try {
    await send({ packed });
    counts.sent += entries;
    counts.bytesSent += packed.length;
  } catch (error) {
    await mend(error);
  }
}

/** Has bounds saved, all of a second at once: a wake for each batch takes 4 % of a processor. */
function save(): void {
  news.postMessage(unsaved);
  unsaved = [];
  savedAt = performance.now();
}

/** Empties the journal, which fills in a tenth of a second: sends the costliest, saves all. */
function drain(): void {
  const { passed, held } = outlet.select(journal.drain(), sending !== undefined);
  for (const records of [passed, held]) {
    const isSent = records === passed && peerNames.length > 0;
    if (records.length === 0) continue;
    const entries = records.length / RECORD_BYTES;
    const data = kernel.records.pack(records);
    unsaved.push({ data, entries });
    if (!isSent) continue;
    sending = passOn(entries, data).then(() => {
      sending = undefined;
    });
  }
}

async function drainOn(): Promise<never> {
  for (;;) {
    await sleep(pause());
    drain();
    if (performance.now() - savedAt >= BEAT_MS) save();
  }
}

type Entry = [id: Buffer, fields: Buffer[]];

async function readOnce(): Promise<void> {
  if (peers.size === 0) return;
  if (donor) {
    await send({ wants: donor });
    peers.set(keys.table(name), "0");
    donor = null;
  }
  const streams = [...peers];
  const reply = (await blocking.xreadBuffer(
    ...(["COUNT", READ_BATCHES, "BLOCK", READ_MS, "STREAMS"] as const),
    ...streams.map(([stream]) => stream),
    ...streams.map(([, last]) => last),
  )) as [Buffer, Entry[]][] | null;
  for (const [stream, entries] of reply ?? []) {
    if (peers.has(String(stream))) await receiveAll(String(stream), entries);
  }
  if (reply) heardAt = performance.now();
  else if (performance.now() - heardAt > REREAD_MS) {
    // Ids may have begun anew, on another server or one whose clock was set back.
    for (const stream of peers.keys()) peers.set(stream, "0");
    heardAt = performance.now();
  }
}

/** Puts batches of a worker into the table, as far as they are for this worker. */
async function receiveAll(stream: string, entries: readonly Entry[]): Promise<void> {
  for (const [, fields] of entries) receive(stream, fields);
  const last = String(entries.at(-1)?.[0]);
  const isTable = stream === keys.table(name);
  const next = isTable || entries.length < READ_BATCHES ? last : await newest(stream, last);
  if (peers.has(stream)) peers.set(stream, next);
  if (isTable) await commands.xtrim(stream, "MINID", last); // the sender waits until there is room
}

/** Returns the id of a stream's newest entry. "$" would lose what comes between two reads. */
async function newest(stream: string, known: string): Promise<string> {
  const [entry] = await commands.xrevrange(stream, "+", "-", "COUNT", 1);
  return entry?.[0] ?? known;
}

function receive(stream: string, fields: readonly Buffer[]): void {
  try {
    const batch = address && readBatch(address, fields);
    if (batch === undefined) {
      counts.refused++;
      return;
    }
    if ("wants" in batch) {
      if (batch.wants === name) sendTableTo(stream);
      return;
    }
    const records = kernel.records.unpack([batch.packed]);
    if (stream === keys.table(name)) counts.table += records;
    else counts.received += records;
    counts.bytesReceived += batch.packed.length;
  } catch {
    counts.refused++;
  }
}

/** Sends the table to the worker of a stream, after those that wait. */
function sendTableTo(stream: string): void {
  const to = address;
  const receiver = peerNames.find((peer) => keys.bounds(peer) === stream);
  if (to === undefined || receiver === undefined) return;
  const isWanted = () => address === to && peerNames.includes(receiver);
  const sender = { kernel, client: commands, rate };
  tables = tables.then(() => sendTable(sender, keys.table(receiver), to, isWanted)).catch(() => {}); // without it, the receiver searches a little longer
}

async function readOn(): Promise<never> {
  for (;;) {
    try {
      await readOnce();
    } catch (error) {
      await mend(error);
    }
    await sleep(pause());
  }
}

answerRequests(async (request: LinkRequest): Promise<void> => {
  if (request !== "flush") return share(request);
  if (sending) await atMost(FLUSH_MS, sending);
  drain();
  save();
  if (sending) await atMost(FLUSH_MS, sending);
});
setInterval(() => notify({ ...counts }), MEASURE_MS);
void readOn();
