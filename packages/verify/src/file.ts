import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  statSync,
} from "node:fs";
import {
  type Board,
  type Bound,
  canonical,
  type Game,
  largestTileOn,
  type PackedBoard,
  packBoard,
  packedFromHalves,
  packedHalves,
  tileSum,
  UNKNOWN,
} from "@gridlock/game";
import { type BlockIndex, cutShort, type Group, readEnd, readIndex } from "./block-index.js";
import { CLAIM_WORDS, encodeHeader } from "./blocks.js";
import { decodeBlock } from "./decode.js";
import { CertificateError, reasonOf } from "./errors.js";
import { MOST_HEADER_BYTES, parseHeader } from "./header.js";

/** A claim in points about a canonical position; `lo` 0 or `hi` Infinity: no claim on that side. */
export interface Claim extends Bound {
  /** The canonical board, packed. */
  readonly board: PackedBoard;
}

/** The index of a claim: the block, and the index in it. */
export interface ClaimIndex {
  readonly block: number;
  readonly index: number;
}

/** The most bytes of decoded blocks that are kept for look-ups. */
const CACHE_BYTES = 2 ** 26;

/**
 * A certificate: an open file of claims that are meant to prove the values of a game's starts. Only
 * `verify` checks whether they follow.
 */
export class CertificateFile implements Disposable {
  readonly game: Game;
  readonly index: BlockIndex;
  readonly groups: readonly Group[];
  /** The number of boards with claims. */
  readonly claims: number;
  /** Bytes of the file. */
  readonly bytes: number;
  /** As {@link fileIdentity} returns it. */
  readonly identity: string;
  /** Decoded blocks, the one used last at the end. */
  readonly #cache = new Map<number, Uint32Array>();
  #cached = 0;
  #isClosed = false;

  /**
   * Opens a file and checks that it is whole: its header, the heads of its blocks, and its end. The
   * blocks are checked as they are read.
   *
   * @throws {CertificateError} `missing` or `unreadable` (no such file, or it cannot be read),
   *   `not-a-certificate`, `other-version`, `bad-header`, `wrong-length` (truncated or extended),
   *   `disorder` (blocks out of order), `bad-value`, `bad-checksum`.
   */
  static open(file: string): CertificateFile {
    const handle = openToRead(file);
    try {
      return new CertificateFile(file, handle);
    } catch (error) {
      closeSync(handle);
      throw error;
    }
  }

  private constructor(
    /** What messages call the file. */
    readonly name: string,
    /** The descriptor, which the threads of this process share. */
    readonly handle: number,
  ) {
    const stats = fstatSync(handle, { bigint: true });
    this.identity = identityOf(stats);
    this.bytes = Number(stats.size);
    this.game = readGame(name, handle, this.bytes);
    const read = (from: number, length: number) => readAt(name, handle, from, length);
    this.index = readIndex(name, this.game, encodeHeader(this.game).length, this.bytes, read);
    this.groups = this.index.groups();
    this.claims = this.groups.reduce((sum, group) => sum + group.claims, 0);
    this.expectUnchanged();
  }

  /** @throws {CertificateError} `changed` if the file has been written to since it was opened. */
  expectUnchanged(): void {
    if (identityOf(fstatSync(this.handle, { bigint: true })) !== this.identity) {
      throw new CertificateError(
        "changed",
        `${this.name} changed while it was read; check it again when nothing writes to it`,
      );
    }
  }

  /** Decodes a block: four words a claim. It is kept in memory for a while. */
  block(block: number): Uint32Array {
    let claims = this.#cache.get(block);
    if (claims === undefined) {
      claims = readBlock(this, block);
      this.#cached += claims.byteLength;
      for (const [oldest, { byteLength }] of this.#cache) {
        if (this.#cached <= CACHE_BYTES) break;
        this.#cache.delete(oldest);
        this.#cached -= byteLength;
      }
    } else {
      this.#cache.delete(block);
    }
    this.#cache.set(block, claims);
    return claims;
  }

  /** Returns the claim at an index. */
  at({ block, index }: ClaimIndex): Claim {
    const [low, high, lower, upper] = this.block(block).subarray(
      CLAIM_WORDS * index,
      CLAIM_WORDS * (index + 1),
    ) as unknown as [number, number, number, number];
    return { board: packedFromHalves(high, low), ...boundOf(lower, upper) };
  }

  /** Lists all claims, by ascending tile sum and board. */
  *all(): Generator<Claim> {
    for (let block = 0; block < this.index.size; block++) {
      const count = this.index.claims(block);
      for (let index = 0; index < count; index++) yield this.at({ block, index });
    }
  }

  /** Finds the claim about a position or one of its images; returns its index. */
  find(position: Board): ClaimIndex | undefined {
    // A board with a tile that four bits cannot hold has no claim.
    if (largestTileOn(position) > 2 ** 15) return undefined;
    const sum = tileSum(position);
    const group = this.groups.find(({ tileSum }) => tileSum === sum);
    if (group === undefined) return undefined;
    const [high, low] = packedHalves(packBoard(canonical(position)));
    const { index } = this;
    const block =
      firstIndex(group.from, group.to, (i) =>
        isAbove(index.firstLow(i), index.firstHigh(i), low, high),
      ) - 1;
    if (block < group.from) return undefined;
    const claims = this.block(block);
    const at =
      firstIndex(0, index.claims(block), (i) =>
        isAbove(
          claims[CLAIM_WORDS * i] as number,
          claims[CLAIM_WORDS * i + 1] as number,
          low,
          high,
        ),
      ) - 1;
    return claims[CLAIM_WORDS * at] === low && claims[CLAIM_WORDS * at + 1] === high
      ? { block, index: at }
      : undefined;
  }

  /** Returns the claim about a position or its images; a missing side is lo 0 or hi Infinity. */
  claimed(position: Board): Bound {
    const found = this.find(position);
    if (found === undefined) return UNKNOWN;
    const { lo, hi } = this.at(found);
    return { lo, hi };
  }

  [Symbol.dispose](): void {
    if (this.#isClosed) return; // the descriptor may be another file's by now
    this.#isClosed = true;
    this.#cache.clear();
    closeSync(this.handle);
  }
}

/**
 * Reads the header and the end of a file, and nothing between: what they say, whether the file is
 * whole or not.
 *
 * @throws {CertificateError} as {@link CertificateFile.open}
 */
export function readSummary(file: string) {
  const handle = openToRead(file);
  try {
    const stats = fstatSync(handle, { bigint: true });
    const bytes = Number(stats.size);
    const game = readGame(file, handle, bytes);
    const claims = readEnd(file, bytes, (from, length) => readAt(file, handle, from, length));
    return { game, claims, bytes, identity: identityOf(stats) };
  } finally {
    closeSync(handle);
  }
}

function readGame(name: string, handle: number, bytes: number): Game {
  const start = readAt(name, handle, 0, Math.min(bytes, MOST_HEADER_BYTES));
  return parseHeader(name, start.toString("latin1"));
}

/** The file that a block is read from: an open certificate, or what a thread knows of one. */
export type BlockSource = Pick<CertificateFile, "name" | "handle" | "index">;

/**
 * Reads and decodes a block.
 *
 * @throws {CertificateError} if it is damaged
 */
export function readBlock({ name, handle, index }: BlockSource, block: number): Uint32Array {
  const offset = index.payloadOffset(block);
  const payload = readAt(name, handle, offset, index.payloadBytes(block));
  return decodeBlock(name, index, block, payload);
}

function boundOf(lower: number, upper: number): Bound {
  return { lo: 4 * lower, hi: upper === 0 ? UNKNOWN.hi : 4 * (upper - 1) };
}

/** Returns whether one board is above another. */
function isAbove(low: number, high: number, otherLow: number, otherHigh: number): boolean {
  return high > otherHigh || (high === otherHigh && low > otherLow);
}

/** Returns the first index where a condition holds, as at all later ones; `to` if it never does. */
function firstIndex(from: number, to: number, holds: (index: number) => boolean): number {
  let [below, above] = [from, to];
  while (below < above) {
    const middle = below + ((above - below) >>> 1);
    if (holds(middle)) above = middle;
    else below = middle + 1;
  }
  return below;
}

/**
 * Returns a text that tells a file from its copies, and from itself before a change: its device,
 * inode, size, and the times, in nanoseconds, of the last changes of its contents and of its inode,
 * which no program can set. `undefined` if there is no such file.
 */
export function fileIdentity(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && identityOf(stats);
}

function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(":");
}

function openToRead(file: string): number {
  let handle: number;
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for someone to write into it.
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new CertificateError(
      missing ? "missing" : "unreadable",
      missing
        ? `${file} does not exist; expected a certificate written by gridlock prove`
        : `cannot open ${file} (${reasonOf(error)}); expected a file that can be read`,
      { cause: error },
    );
  }
  if (fstatSync(handle).isFile()) return handle;
  closeSync(handle);
  throw new CertificateError("unreadable", `cannot read ${file}: it is not a regular file`);
}

/** Reads so many bytes from an offset on. */
function readAt(name: string, handle: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    let read: number;
    try {
      read = readSync(handle, bytes, filled, length - filled, from + filled);
    } catch (error) {
      throw new CertificateError("unreadable", `cannot read ${name} (${reasonOf(error)})`, {
        cause: error,
      });
    }
    if (read === 0) throw cutShort(name, from + filled);
    filled += read;
  }
  return bytes;
}
