import { boardLimits, cellCount, type Game } from "@gridlock/game";
import {
  CLAIMS_PER_BLOCK,
  DIGEST_AT,
  digestOf,
  END_PAYLOAD_BYTES,
  HEAD_BYTES,
  MOST_CLAIM_BYTES,
} from "./blocks.js";
import { CertificateError } from "./errors.js";

/** 32-bit words of a head. */
const HEAD_WORDS = HEAD_BYTES / 4;
const COUNT = 1;
const PAYLOAD = 2;
const FIRST = 3;
const LAST = 5;
const DIGEST = DIGEST_AT / 4;
/** Bytes of the end block. */
const END_BYTES = HEAD_BYTES + END_PAYLOAD_BYTES;
/** Most bytes of a payload beyond its columns: deflate adds some where it cannot compress. */
const PAYLOAD_SLACK = 64;
/** The most blocks that are read: 17 thousand million claims, whose index takes 55 MB. */
const MOST_BLOCKS = 2 ** 20;

/** The blocks of one tile sum. */
export interface Group {
  readonly tileSum: number;
  /** The index of its first block, and that after its last one. */
  readonly from: number;
  readonly to: number;
  readonly claims: number;
}

/** The data of an index, to share with threads. */
export interface BlockIndexData {
  readonly heads: SharedArrayBuffer;
  readonly offsets: SharedArrayBuffer;
}

/** Reads bytes of a file from an offset on, exactly so many. */
export type ReadAt = (from: number, length: number) => Buffer;

/**
 * The heads of a file's blocks, checked for their order, and where each block lies. It takes 52
 * bytes a block, in shared memory.
 */
export class BlockIndex {
  /** The number of blocks, without the end block. */
  readonly size: number;
  /** By block: the words of its head, little-endian. */
  readonly #heads: Uint32Array;
  /** By block: the offset of its payload. */
  readonly #offsets: Float64Array;

  constructor(readonly data: BlockIndexData) {
    this.#heads = new Uint32Array(data.heads);
    this.#offsets = new Float64Array(data.offsets);
    this.size = this.#offsets.length;
  }

  tileSum(block: number): number {
    return this.#heads[HEAD_WORDS * block] as number;
  }

  /** Returns the number of claims of a block. */
  claims(block: number): number {
    return this.#heads[HEAD_WORDS * block + COUNT] as number;
  }

  payloadBytes(block: number): number {
    return this.#heads[HEAD_WORDS * block + PAYLOAD] as number;
  }

  payloadOffset(block: number): number {
    return this.#offsets[block] as number;
  }

  firstLow(block: number): number {
    return this.#heads[HEAD_WORDS * block + FIRST] as number;
  }

  firstHigh(block: number): number {
    return this.#heads[HEAD_WORDS * block + FIRST + 1] as number;
  }

  lastLow(block: number): number {
    return this.#heads[HEAD_WORDS * block + LAST] as number;
  }

  lastHigh(block: number): number {
    return this.#heads[HEAD_WORDS * block + LAST + 1] as number;
  }

  /** Returns whether a payload is the one that the head's digest was made of. */
  hasDigest(block: number, payload: Uint8Array): boolean {
    const from = HEAD_WORDS * block;
    const head = Buffer.alloc(DIGEST_AT);
    for (let i = 0; i < DIGEST; i++) head.writeUInt32LE(this.#heads[from + i] as number, 4 * i);
    const digest = Buffer.from(digestOf(head, payload));
    for (let i = DIGEST; i < HEAD_WORDS; i++) {
      if (digest.readUInt32LE(4 * (i - DIGEST)) !== this.#heads[from + i]) return false;
    }
    return true;
  }

  /** Lists the groups, by ascending tile sum. */
  groups(): Group[] {
    const groups: Group[] = [];
    for (let from = 0; from < this.size; ) {
      const tileSum = this.tileSum(from);
      let to = from;
      let claims = 0;
      for (; to < this.size && this.tileSum(to) === tileSum; to++) claims += this.claims(to);
      groups.push({ tileSum, from, to, claims });
      from = to;
    }
    return groups;
  }
}

/**
 * Reads all heads of a file and checks them.
 *
 * @param name what messages call the file
 * @param start the offset of the first block
 * @param size the bytes of the file
 * @throws {CertificateError} `wrong-length`, `disorder`, `bad-value` or, for the end block,
 *   `bad-checksum`
 */
export function readIndex(
  name: string,
  { shape }: Game,
  start: number,
  size: number,
  read: ReadAt,
): BlockIndex {
  const largestSum = boardLimits(shape).sum;
  const bits = 4 * cellCount(shape);
  let heads = new Uint32Array(HEAD_WORDS * 64);
  let offsets = new Float64Array(64);
  let blocks = 0;
  let claims = 0;
  let at = start;
  for (;;) {
    const fail = (code: "disorder" | "bad-value", what: string) =>
      new CertificateError(code, `${name}: the block at byte ${at} ${what}`);
    if (at + END_BYTES > size) throw cutShort(name, size);
    const bytes = read(at, HEAD_BYTES);
    const head = Array.from({ length: HEAD_WORDS }, (_, i) => bytes.readUInt32LE(4 * i));
    const [sum = 0, count = 0, payload = 0] = head;
    if (sum === 0) {
      const end = endOf(name, bytes, read(at + HEAD_BYTES, END_PAYLOAD_BYTES));
      if (end.claims !== BigInt(claims) || end.blocks !== BigInt(blocks)) {
        throw new CertificateError(
          "wrong-length",
          `${name} has ${claims} claims in ${blocks} blocks, but its end block says ${end.claims} in ${end.blocks}; it is damaged and proves nothing`,
        );
      }
      if (at + END_BYTES < size) {
        throw new CertificateError(
          "wrong-length",
          `${name} has ${size - at - END_BYTES} bytes after its end block; expected none: it was added to and proves nothing`,
        );
      }
      break;
    }
    if (sum % 2 !== 0 || sum > largestSum) {
      throw fail(
        "bad-value",
        `has the tile sum ${sum}; expected an even number up to ${largestSum}`,
      );
    }
    if (count < 1 || count > CLAIMS_PER_BLOCK) {
      throw fail("bad-value", `has ${count} claims; expected 1 to ${CLAIMS_PER_BLOCK}`);
    }
    const mostBytes = MOST_CLAIM_BYTES * count + PAYLOAD_SLACK;
    if (payload < 1 || payload > mostBytes) {
      throw fail(
        "bad-value",
        `has a payload of ${payload} bytes; expected 1 to ${mostBytes} for ${count} claims`,
      );
    }
    const first = boardAt(bytes, FIRST);
    const last = boardAt(bytes, LAST);
    if (last >> BigInt(bits) !== 0n) {
      throw fail("bad-value", `ends with a board of more than ${bits} bits`);
    }
    if (count === 1 ? first !== last : first >= last) {
      throw fail("disorder", `has ${count} claims, but its first and last board do not fit this`);
    }
    if (blocks > 0) {
      const before = heads.subarray(HEAD_WORDS * (blocks - 1), HEAD_WORDS * blocks);
      const [sumBefore = 0, countBefore = 0] = before;
      if (sum < sumBefore) {
        throw fail("disorder", `has the tile sum ${sum}, but the block before it has ${sumBefore}`);
      }
      if (sum === sumBefore && countBefore < CLAIMS_PER_BLOCK) {
        throw fail(
          "disorder",
          `follows one of the same tile sum with only ${countBefore} claims; expected ${CLAIMS_PER_BLOCK}`,
        );
      }
      const lastBefore = joined(before[LAST] as number, before[LAST + 1] as number);
      if (sum === sumBefore && first <= lastBefore) {
        throw fail("disorder", "begins with a board that is not above the last one before it");
      }
    }
    if (blocks === MOST_BLOCKS) {
      throw fail("bad-value", `is one too many; at most ${MOST_BLOCKS} are read`);
    }
    if (blocks === offsets.length) {
      heads = grown(heads, new Uint32Array(2 * heads.length));
      offsets = grown(offsets, new Float64Array(2 * offsets.length));
    }
    heads.set(head, HEAD_WORDS * blocks);
    offsets[blocks] = at + HEAD_BYTES;
    blocks++;
    claims += count;
    at += HEAD_BYTES + payload;
  }
  const data = {
    heads: new SharedArrayBuffer(HEAD_BYTES * blocks),
    offsets: new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT * blocks),
  };
  new Uint32Array(data.heads).set(heads.subarray(0, HEAD_WORDS * blocks));
  new Float64Array(data.offsets).set(offsets.subarray(0, blocks));
  return new BlockIndex(data);
}

function grown<T extends Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

function joined(low: number, high: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}

function boardAt(head: Buffer, word: number): bigint {
  return head.readBigUInt64LE(4 * word);
}

/**
 * Reads the end block of a file, and returns the number of claims that it names.
 *
 * @throws {CertificateError} `wrong-length` if there is none, `bad-checksum` if it is damaged
 */
export function readEnd(name: string, size: number, read: ReadAt): number {
  const at = size - END_BYTES;
  if (at < 0) throw cutShort(name, size);
  const { claims } = endOf(name, read(at, HEAD_BYTES), read(at + HEAD_BYTES, END_PAYLOAD_BYTES));
  return Number(claims);
}

/** Checks an end block, and returns its numbers. */
function endOf(name: string, head: Buffer, payload: Buffer): { claims: bigint; blocks: bigint } {
  const plain = Buffer.alloc(DIGEST_AT);
  plain.writeUInt32LE(END_PAYLOAD_BYTES, 4 * PAYLOAD);
  if (!head.subarray(0, DIGEST_AT).equals(plain)) {
    throw new CertificateError("bad-value", `${name}: its end block is malformed or missing`);
  }
  if (!head.subarray(DIGEST_AT).equals(digestOf(head, payload))) {
    throw new CertificateError("bad-checksum", `${name}: its end block is damaged`);
  }
  return { claims: payload.readBigUInt64LE(0), blocks: payload.readBigUInt64LE(8) };
}

/** The error for a file that ends too early. */
export function cutShort(name: string, size: number): CertificateError {
  return new CertificateError(
    "wrong-length",
    `${name} ends after ${size} bytes, before its end block: it was cut short and proves nothing`,
  );
}
