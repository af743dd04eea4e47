import {
  type Board,
  cellCount,
  MAX_NUMBER_CELLS,
  type PackedBoard,
  packBoard,
  packedFromBits,
  packedFromHalves,
  packedHalves,
  packedToNumber,
  packNode,
  parseBoard,
  type Shape,
  unpackBoard,
} from "@gridlock/game";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyBoard, errorOf } from "./boards.js";

/** Shapes on both sides of the 53 bits that a number holds. */
const WIDE = [
  { rows: 1, cols: 13 },
  { rows: 2, cols: 7 },
  { rows: 3, cols: 5 },
  { rows: 4, cols: 4 },
] as const;

/** Boards of a wide shape with any contents, large tiles as often as small ones. */
const wideBoard: fc.Arbitrary<Board> = fc.constantFrom(...WIDE).chain((shape) =>
  fc
    .array(
      fc.integer({ min: 0, max: 15 }).map((k) => (k === 0 ? 0 : 2 ** k)),
      { minLength: cellCount(shape), maxLength: cellCount(shape) },
    )
    .map((cells) => ({ ...shape, cells })),
);

const anyOrWide = fc.oneof(anyBoard, wideBoard);

describe("packed boards", () => {
  it("unpack to the board that was packed", () => {
    fc.assert(
      fc.property(anyOrWide, (board) => {
        expect(unpackBoard(board, packBoard(board))).toEqual(board);
      }),
    );
  });

  it("have four bits per cell, the first cell lowest", () => {
    const { board, turn } = parseBoard("2 0 8/0 4 0/0 0 2");
    expect(packBoard(board)).toBe(0x100020301n);
    expect(packNode({ board, turn })).toEqual({ turn: "slider", board: 0x100020301n });
    fc.assert(
      fc.property(anyOrWide, (board) => {
        const digits = [...board.cells].reverse().map((tile) => Math.log2(tile || 1).toString(16));
        expect(packBoard(board)).toBe(BigInt(`0x${digits.join("")}`));
      }),
    );
  });

  it("tell boards of 14 cells apart that a number would confuse", () => {
    const rest = " 0 0 0 0 0 0/0 0 0 0 0 0 32";
    const [a, b] = ["32 ", "16 "].map((tile) => packBoard(parseBoard(tile + rest).board));
    expect(a).not.toBe(b);
    expect((a as bigint) - (b as bigint)).toBe(1n);
  });

  it("reject tiles above 32768", () => {
    const board = { rows: 4, cols: 4, cells: [65536, ...new Array(15).fill(0)] };
    expect(errorOf(() => packBoard(board)).code).toBe("bad-tile");
  });

  it("are read from 64 bits, signed or unsigned", () => {
    fc.assert(
      fc.property(anyOrWide, (board) => {
        const packed = packBoard(board);
        expect(packedFromBits(packed)).toBe(packed);
        expect(packedFromBits(BigInt.asIntN(64, packed))).toBe(packed);
      }),
    );
  });

  it("are split into halves and joined again, signed or unsigned", () => {
    fc.assert(
      fc.property(anyOrWide, (board) => {
        const packed = packBoard(board);
        const [high, low] = packedHalves(packed);
        expect(BigInt(high) * 2n ** 32n + BigInt(low)).toBe(packed);
        expect(packedFromHalves(high, low)).toBe(packed);
        expect(packedFromHalves(high | 0, low | 0)).toBe(packed);
      }),
    );
  });

  it("convert to numbers up to 13 cells, and are rejected beyond", () => {
    const error = /2x7 does not fit a number; expected at most 13 cells/;
    const empty = packedFromBits(0n);
    expect(() => packedToNumber({ rows: 2, cols: 7 }, empty)).toThrow(error);
    fc.assert(
      fc.property(anyOrWide, (board) => {
        const packed = packBoard(board);
        if (cellCount(board) <= MAX_NUMBER_CELLS) {
          expect(BigInt(packedToNumber(board, packed))).toBe(packed);
        } else {
          expect(() => packedToNumber(board, packed)).toThrow(RangeError);
        }
      }),
    );
  });
});

/** Statements that the compiler must reject; `npm run check -- types` fails where it does not. */
export function refusedByTheCompiler(
  shape: Shape,
  packed: PackedBoard,
  raw: bigint,
  unknownBoard: PackedBoard | undefined,
  // biome-ignore lint/suspicious/noExplicitAny: it must select the ordinary signature of Number
  any: any,
): unknown[] {
  // @ts-expect-error: a number cannot hold every packed board
  const rounded: number = Number(packed);
  // @ts-expect-error: not even if the board may be undefined
  const perhaps: number = Number(unknownBoard);
  // @ts-expect-error: nor can arithmetic follow
  const key = 2 * Number(packed) + 1;
  // @ts-expect-error: a raw bigint is not a packed board until packedFromBits converts it
  const board = unpackBoard(shape, raw);
  const allowed: number[] = [Number(raw), Number("2"), Number(any), ...["1"].map(Number)];
  return [rounded, perhaps, key, board, allowed];
}
