import { createHash } from "node:crypto";
import { formatShape, formatTiles, type Game, normalShape } from "@gridlock/game";
import type { FileKind } from "./schema.js";

/** The identity of table entries: their game, and the kernel version that reads and writes them. */
export interface SnapshotIdentity {
  readonly game: Game;
  readonly kernel: string;
}

/** The number of parts, each a range of keys, in which a whole table is written. */
export const SNAPSHOT_PARTS = 256;

/** A batch of entries. */
export interface SnapshotBatch {
  readonly id: number;
  /** The part it belongs to, 0 to {@link SNAPSHOT_PARTS} − 1; null for news. */
  readonly part: number | null;
  readonly entries: number;
  /** The entries in the kernel's format. */
  readonly data: Uint8Array;
}

/** A batch as its row stores it. */
export interface BatchColumns extends SnapshotBatch {
  readonly digest: Uint8Array;
  readonly covers: number | null;
}

/** An identity as its row stores it. */
export type IdentityColumns = Readonly<Record<"shape" | "tiles" | "kernel", string>>;

/**
 * The schema of a snapshot: entries of a transposition table, in batches. Each batch has a digest
 * of its bytes and its identity, so that a damaged batch, or one of another game, is never taken
 * for proof.
 *
 * A batch of *news* has no part. The batches of a part hold every entry that the table had in it,
 * including the entries of all news up to batch number `covers`. News that all parts cover is
 * deleted.
 */
export const SNAPSHOT: FileKind = {
  name: "table snapshot",
  maker: "gridlock solve",
  remedy: "delete it to continue without it",
  links: false,
  applicationId: 0x47524c53, // "GRLS"
  pageBytes: 32_768,
  journal: "TRUNCATE",
  migrations: [
    (sqlite) =>
      sqlite.exec(`
        CREATE TABLE identity (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          shape TEXT NOT NULL,
          tiles TEXT NOT NULL,
          kernel TEXT NOT NULL
        ) STRICT;

        CREATE TABLE batch (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          written TEXT NOT NULL,
          entries INTEGER NOT NULL,
          digest BLOB NOT NULL,
          data BLOB NOT NULL
        ) STRICT;
      `),
    (sqlite) =>
      sqlite.exec(`
        ALTER TABLE batch ADD COLUMN part INTEGER;
        ALTER TABLE batch ADD COLUMN covers INTEGER;
        CREATE INDEX batch_part ON batch (part, covers, entries);
      `),
  ],
};

/** Returns the columns of an identity; a shape and its transpose are one game. */
export function columnsOf({ game, kernel }: SnapshotIdentity): IdentityColumns {
  const { shape, tiles } = game;
  return { shape: formatShape(normalShape(shape)), tiles: formatTiles(tiles), kernel };
}

/** Returns whether a part has a number that parts have. */
export function isPart(part: unknown): part is number {
  return Number.isInteger(part) && (part as number) >= 0 && (part as number) < SNAPSHOT_PARTS;
}

/**
 * Returns whether a batch matches its digest, and has a possible part and number of entries, of at
 * least a byte each. In a damaged file, all of them may be of any type.
 */
export function isAsWritten(
  identity: SnapshotIdentity,
  { digest, ...batch }: BatchColumns,
): boolean {
  if (!(batch.data instanceof Uint8Array && digest instanceof Uint8Array)) return false;
  const { part, entries, data } = batch;
  const isPossible =
    (part === null || isPart(part)) &&
    Number.isInteger(entries) &&
    entries >= 0 &&
    entries <= data.length;
  return isPossible && digestOf(identity, batch).equals(digest);
}

/** Computes the digest of a batch: the SHA-256 of its identity, place and data. */
export function digestOf(
  identity: SnapshotIdentity,
  { entries, data, part, covers }: Omit<BatchColumns, "id" | "digest">,
): Buffer {
  const { shape, tiles, kernel } = columnsOf(identity);
  const place = part === null ? "" : ` ${part} ${covers}`;
  return createHash("sha256")
    .update(`${shape} ${tiles} ${kernel} ${entries}${place}\n`)
    .update(data)
    .digest();
}
