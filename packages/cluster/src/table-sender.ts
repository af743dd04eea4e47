import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { type Kernel, RECORD_BYTES } from "@gridlock/kernel";
import { writeBatch } from "./batch.js";
import type { Redis } from "./ioredis.js";
import { GONE_MS, TABLE_MS } from "./timing.js";

/** Records of an entry. */
const ENTRY_RECORDS = 1 << 16;
/** Entries that may wait for the receiver: some 20 MB. */
const MOST_WAITING = 32;
/** Parts in which a table is read: a thread does nothing else meanwhile. */
const PARTS = 1024;
/** Least effort of the bounds to send: half of all cost one node, and are found again as fast. */
const LEAST_EFFORT = 2;

/**
 * Sends a table to a stream, as fast as its worker, which has just joined, takes it.
 *
 * @param rate most bytes a second
 * @param isWanted asked now and then
 */
export async function sendTable(
  { kernel, client, rate }: { kernel: Kernel; client: Redis; rate: number },
  stream: string,
  address: Buffer,
  isWanted: () => boolean,
): Promise<void> {
  for await (const records of piecesOf(kernel)) {
    const packed = kernel.records.packInOrder(records);
    await client.xadd(stream, "*", ...writeBatch(address, { packed }));
    await client.pexpire(stream, GONE_MS);
    await sleep((1000 * packed.length) / rate);
    // A receiver that is gone takes nothing, and the stream expires.
    while (isWanted() && (await client.xlen(stream)) > MOST_WAITING) await sleep(TABLE_MS);
    if (!isWanted()) return;
  }
}

/**
 * Reads the bounds of a table that are worth sending, in pieces of about {@link ENTRY_RECORDS}.
 * After each part, the thread can do other work.
 */
async function* piecesOf({ records }: Kernel): AsyncGenerator<Uint8Array> {
  let read: Uint8Array[] = [];
  let bytes = 0;
  for (let part = 0; part < PARTS; part++) {
    for (const some of records.read(LEAST_EFFORT, part, PARTS)) {
      read.push(some);
      bytes += some.length;
      if (bytes < ENTRY_RECORDS * RECORD_BYTES) continue;
      yield Buffer.concat(read);
      read = [];
      bytes = 0;
    }
    await setImmediate();
  }
  if (bytes > 0) yield Buffer.concat(read);
}
