import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import { formatShape, formatTiles, type Game, normalShape } from "@gridlock/game";

/*
 * The parts of a certificate's file, as docs/certificate.md defines them: a header, blocks of
 * claims by ascending tile sum and board, and the end block. A block is a head and a payload:
 *
 *     byte  0          4        8         12            20            28       44
 *           tile sum   claims   payload   first board   last board    digest   payload …
 *
 * In memory a claim is four 32-bit words:
 *
 *     word  0            1             2                 3
 *           board, low   board, high   lo / 4; 0: none   hi / 4 + 1; 0: none
 */

/** The format version that this program writes and reads. */
export const VERSION = 2;
/** Claims of every block of a tile sum but its last one, which may have fewer. */
export const CLAIMS_PER_BLOCK = 16_384;
/** 32-bit words of a claim in memory. */
export const CLAIM_WORDS = 4;
/** Bytes of a block before its payload. */
export const HEAD_BYTES = 44;
/** Offset of the digest: the bytes before it and the payload are digested. */
export const DIGEST_AT = 28;
/** The most bytes of a claim in its three columns: a difference and two values. */
export const MOST_CLAIM_BYTES = 10 + 5 + 5;
/** Bytes of the end block's payload. */
export const END_PAYLOAD_BYTES = 16;

/** Encodes the header of a game's certificate: four lines, the last one empty. */
export function encodeHeader({ shape, tiles }: Game): Uint8Array {
  const lines = [
    `gridlock certificate ${VERSION}`,
    `shape ${formatShape(normalShape(shape))}`,
    `tiles ${formatTiles(tiles)}`,
    "\n",
  ];
  return Buffer.from(lines.join("\n"), "latin1");
}

/**
 * Encodes a block: its head and its payload, which is compressed in Node's thread pool.
 *
 * @param tileSum the tile sum of all boards
 * @param claims four words a claim, by ascending board; they are read before this returns
 * @throws {RangeError} for fewer than one or more than {@link CLAIMS_PER_BLOCK} claims, or boards
 *   that do not ascend
 */
export async function encodeBlock(tileSum: number, claims: Uint32Array): Promise<Uint8Array> {
  const count = claims.length / CLAIM_WORDS;
  if (!Number.isInteger(count) || count < 1 || count > CLAIMS_PER_BLOCK) {
    throw new RangeError(`${count} claims are not a block; expected 1 to ${CLAIMS_PER_BLOCK}`);
  }
  const last = claims.length - CLAIM_WORDS;
  const ends = [claims[0], claims[1], claims[last], claims[last + 1]] as readonly number[];
  return blockOf(tileSum, count, ends, await promisify(deflateRaw)(columnsOf(claims)));
}

/** Encodes the end block of a file of so many claims in so many blocks. */
export function encodeEnd(claims: bigint | number, blocks: number): Uint8Array {
  const payload = Buffer.alloc(END_PAYLOAD_BYTES);
  payload.writeBigUInt64LE(BigInt(claims), 0);
  payload.writeBigUInt64LE(BigInt(blocks), 8);
  return blockOf(0, 0, [0, 0, 0, 0], payload);
}

/**
 * Makes a block.
 *
 * @param ends the low and the high word of the first board, then of the last one
 */
function blockOf(
  tileSum: number,
  count: number,
  ends: readonly number[],
  payload: Uint8Array,
): Uint8Array {
  const block = Buffer.alloc(HEAD_BYTES + payload.length);
  [tileSum, count, payload.length, ...ends].forEach((word, i) => {
    block.writeUInt32LE(word, 4 * i);
  });
  block.set(payload, HEAD_BYTES);
  block.set(digestOf(block, payload), DIGEST_AT);
  return block;
}

/** Returns the digest of a block with this head. */
export function digestOf(head: Uint8Array, payload: Uint8Array): Uint8Array {
  const hash = createHash("sha256").update(head.subarray(0, DIGEST_AT)).update(payload);
  return hash.digest().subarray(0, HEAD_BYTES - DIGEST_AT);
}

/** Encodes claims as three columns: the differences of their boards, lower values, upper values. */
function columnsOf(claims: Uint32Array): Uint8Array {
  const bytes = Buffer.allocUnsafe((claims.length / CLAIM_WORDS) * MOST_CLAIM_BYTES);
  let length = 0;
  const put = (low: number, high: number) => {
    let [below, above] = [low, high];
    while (above !== 0 || below > 127) {
      bytes[length++] = (below & 127) | 128;
      below = ((below >>> 7) | (above << 25)) >>> 0;
      above >>>= 7;
    }
    bytes[length++] = below;
  };
  let low = claims[0] as number;
  let high = claims[1] as number;
  for (let i = CLAIM_WORDS; i < claims.length; i += CLAIM_WORDS) {
    const nextLow = claims[i] as number;
    const nextHigh = claims[i + 1] as number;
    if (nextHigh < high || (nextHigh === high && nextLow <= low)) {
      throw new RangeError(`claim ${i / CLAIM_WORDS} of a block is not above the one before it`);
    }
    put((nextLow - low) >>> 0, nextHigh - high - (nextLow < low ? 1 : 0));
    [low, high] = [nextLow, nextHigh];
  }
  for (const word of [2, 3]) {
    for (let i = word; i < claims.length; i += CLAIM_WORDS) put(claims[i] as number, 0);
  }
  return bytes.subarray(0, length);
}
