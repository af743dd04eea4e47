/*
 * Entries of the streams with which workers share bounds. The fields of an entry, in this order:
 *
 *     for       whom the entry is for: see `addressOf`
 *     busy      keys of nodes that the sender is searching, 8 bytes each, little-endian
 *     bounds    packed records; see `packages/kernel/src/records.ts`
 *     sum       SHA-256 of all that precedes, the values alone
 *     wants     instead of these three: the name of a worker, which is asked to send its table
 *
 * The checksum finds damage. A worker trusts the bounds of its group: a false bound looks like a true
 * one.
 */
import { createHash } from "node:crypto";
import type { Game } from "@gridlock/game";
import { kernelVersion } from "@gridlock/kernel";
import { nameGame, PROTOCOL } from "./messages.js";

/** The contents of an entry: bounds and announcements. */
export interface Batch {
  readonly busy: readonly bigint[];
  readonly packed: Uint8Array;
}

/** A request for the table of the worker of this name. */
export interface TableRequest {
  readonly wants: string;
}

/** Returns the address of entries for the workers of a group that search the game with this kernel. */
export function addressOf(game: Game, { run, group }: { run: string; group: string }): Buffer {
  const kernel = kernelVersion(game.shape);
  return Buffer.from(JSON.stringify({ protocol: PROTOCOL, kernel, ...nameGame(game), run, group }));
}

/** Returns the fields of an entry. */
export function writeBatch(address: Buffer, batch: Batch | TableRequest): (string | Buffer)[] {
  if ("wants" in batch) return ["for", address, "wants", batch.wants];
  const busy = Buffer.from(BigUint64Array.from(batch.busy).buffer);
  const { buffer, byteOffset, length } = batch.packed;
  const bounds = Buffer.from(buffer, byteOffset, length);
  return ["for", address, "busy", busy, "bounds", bounds, "sum", sumOf(address, busy, bounds)];
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
  const [name, value, second, bounds, third, sum] = fields;
  if (String(name) === "wants" && value && fields.length === 2) return { wants: String(value) };
  const isBatch =
    `${name} ${second} ${third}` === "busy bounds sum" && fields.length === 6 && value && bounds;
  if (!isBatch || value.length % 8 !== 0 || !sum?.equals(sumOf(address, value, bounds))) {
    throw new RangeError("a damaged entry");
  }
  const busy = Array.from({ length: value.length / 8 }, (_, i) => value.readBigUInt64LE(8 * i));
  return { busy, packed: bounds };
}

function sumOf(...values: readonly Buffer[]): Buffer {
  const hash = createHash("sha256");
  for (const value of values) hash.update(value);
  return hash.digest();
}
