/*
 * Entries of the streams with which workers share bounds. The fields of an entry, in this order:
 *
 *     for       whom the entry is for: see `addressOf`
 *     bounds    packed records; see `packages/kernel/src/records.ts`
 *     sum       CRC-32 of the bounds and then the address, big-endian
 *     wants     instead of these two: the name of a worker, which is asked to send its table
 *
 * The checksum finds damage. A worker trusts the bounds of others: a false bound looks like a true
 * one.
 */
import { crc32 } from "node:zlib";
import type { Game } from "@gridlock/game";
import { kernelVersion } from "@gridlock/kernel";
import { nameGame, PROTOCOL } from "./messages.js";

/** The contents of an entry: bounds. */
export interface Batch {
  readonly packed: Uint8Array;
}

/** A request for the table of the worker of this name. */
export interface TableRequest {
  readonly wants: string;
}

/** Returns the address of entries for the workers of a run, a game and this kernel. */
export function addressOf(game: Game, { run }: { run: string }): Buffer {
  const kernel = kernelVersion(game.shape);
  return Buffer.from(JSON.stringify({ protocol: PROTOCOL, kernel, ...nameGame(game), run }));
}

/** Returns the fields of an entry. */
export function writeBatch(address: Buffer, batch: Batch | TableRequest): (string | Buffer)[] {
  if ("wants" in batch) return ["for", address, "wants", batch.wants];
  const { buffer, byteOffset, length } = batch.packed;
  const bounds = Buffer.from(buffer, byteOffset, length);
  return ["for", address, "bounds", bounds, "sum", sumOf(address, bounds)];
}

/**
 * Reads the fields of an entry; `undefined` if it is for others.
 *
 * @throws {RangeError} if it is not an entry
 */
export function readBatch(
  address: Buffer,
  [first, whom, ...fields]: readonly Buffer[],
): Batch | TableRequest | undefined {
  if (String(first) !== "for" || whom === undefined) throw new RangeError("not an entry");
  if (!whom.equals(address)) return undefined;
  const [name, value, second, sum] = fields;
  if (String(name) === "wants" && value && fields.length === 2) return { wants: String(value) };
  const isBatch = `${name} ${second}` === "bounds sum" && fields.length === 4 && value;
  if (!isBatch || !sum?.equals(sumOf(address, value))) throw new RangeError("a damaged entry");
  return { packed: value };
}

function sumOf(address: Buffer, bounds: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  // Not the other way round: Node.js 20 loses the sum so far at empty bounds;
  // findings/node-crc32-empty.sh.
  sum.writeUInt32BE(crc32(address, crc32(bounds)));
  return sum;
}
