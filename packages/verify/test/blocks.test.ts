import { createHash } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import { packedFromBits, packedHalves } from "@gridlock/game";
import { CLAIMS_PER_BLOCK, encodeBlock, encodeEnd, encodeHeader } from "@gridlock/verify";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gameOf } from "./certificates.js";

/** A claim as its numbers in the file: the board, lo / 4, and hi / 4 + 1. */
type Row = readonly [board: bigint, lower: number, upper: number];

const anyWord = fc.nat(2 ** 32 - 1);
const anyRows: fc.Arbitrary<Row[]> = fc
  .uniqueArray(fc.tuple(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), anyWord, anyWord), {
    minLength: 1,
    selector: ([board]) => board,
  })
  .map((rows) => rows.sort(([a], [b]) => (a < b ? -1 : 1)));

/** Returns rows as claims in memory, in memory that threads share. */
function wordsOf(rows: readonly Row[]): Uint32Array {
  const words = new Uint32Array(new SharedArrayBuffer(16 * rows.length));
  rows.forEach(([board, lower, upper], i) => {
    const [high, low] = packedHalves(packedFromBits(board));
    words.set([low, high, lower, upper], 4 * i);
  });
  return words;
}

/** Writes a number as the page says: 7 bits a byte, lowest first. */
function varint(number: bigint | number): number[] {
  const rest = BigInt(number) >> 7n;
  const byte = Number(BigInt(number) & 127n);
  return rest === 0n ? [byte] : [byte | 128, ...varint(rest)];
}

/** Returns the digest of a block of 44 bytes and a payload. */
function digest(block: Buffer): Buffer {
  const hash = createHash("sha256").update(block.subarray(0, 28)).update(block.subarray(44));
  return hash.digest().subarray(0, 16);
}

describe("a block", () => {
  it("has the head and the columns that docs/certificate.md describes", async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, fc.nat(65_534), async (rows, sum) => {
        const block = Buffer.from(await encodeBlock(sum, wordsOf(rows)));
        expect(block.readUInt32LE(0)).toBe(sum);
        expect(block.readUInt32LE(4)).toBe(rows.length);
        expect(block.readUInt32LE(8)).toBe(block.length - 44);
        expect(block.readBigUInt64LE(12)).toBe(rows[0]?.[0]);
        expect(block.readBigUInt64LE(20)).toBe(rows.at(-1)?.[0]);
        expect(block.subarray(28, 44)).toEqual(digest(block));
        const differences = rows.slice(1).map(([board], i) => board - (rows[i] as Row)[0]);
        const numbers = [
          ...differences,
          ...rows.map((row) => row[1]),
          ...rows.map((row) => row[2]),
        ];
        expect([...inflateRawSync(block.subarray(44))]).toEqual(numbers.flatMap(varint));
      }),
    );
  });

  it("is refused if it is empty, too large or out of order", async () => {
    const rows = (count: number) => Array.from({ length: count }, (_, i): Row => [BigInt(i), 1, 1]);
    await encodeBlock(4, wordsOf(rows(CLAIMS_PER_BLOCK)));
    for (const claims of [
      wordsOf([]),
      wordsOf(rows(CLAIMS_PER_BLOCK + 1)),
      new Uint32Array(5),
      wordsOf(rows(3).reverse()),
      wordsOf([...rows(1), ...rows(1)]),
      wordsOf([
        [2n ** 32n, 1, 1],
        [1n, 1, 1],
      ]),
    ]) {
      await expect(encodeBlock(4, claims)).rejects.toThrow(RangeError);
    }
  });
});

describe("the other parts of a file", () => {
  it("are a header of four lines", () => {
    const text = (...of: Parameters<typeof gameOf>) =>
      Buffer.from(encodeHeader(gameOf(...of))).toString();
    expect(text("2x3")).toBe("gridlock certificate 2\nshape 2x3\ntiles 2,4\n\n");
    expect(text("3x2", [2])).toBe("gridlock certificate 2\nshape 2x3\ntiles 2\n\n");
  });

  it("and an end block with the numbers of claims and blocks", () => {
    const end = Buffer.from(encodeEnd(2n ** 40n + 5n, 7));
    expect(end).toHaveLength(44 + 16);
    expect(end.subarray(0, 28)).toEqual(
      Buffer.from([...new Array(8).fill(0), 16, ...new Array(19).fill(0)]),
    );
    expect(end.subarray(28, 44)).toEqual(digest(end));
    expect(end.readBigUInt64LE(44)).toBe(2n ** 40n + 5n);
    expect(end.readBigUInt64LE(52)).toBe(7n);
  });
});
