import { type Bound, type PackedBoard, packedFromBits, packedHalves } from "@gridlock/game";
import { CertificateError } from "../errors.js";
import type { Cells } from "./cells.js";

/** A claim about one canonical position, in points; `lo` 0 or `hi` Infinity: no claim of that side. */
export interface Claim extends Bound {
  /** The canonical board, packed. */
  readonly board: PackedBoard;
}

/*
 * A claim is a record of 16 bytes, little-endian, both in memory and in the file:
 *
 *     byte  0               8       12      16
 *           board, packed   lo      hi            hi = 0xffffffff: no upper claim
 */

/** Bytes per claim. */
export const RECORD_BYTES = 16;
const HIGH_AT = 4;
const LO_AT = 8;
const HI_AT = 12;
const NO_UPPER = 0xffff_ffff;

/**
 * The claims of a certificate by ascending board, in shared memory so that threads can read them
 * without copying. A table never changes.
 */
export class ClaimTable {
  readonly size: number;
  readonly #view: DataView;

  /**
   * Makes a table of the records of another table or of a file, without copying. The caller must
   * check their order; see {@link firstDisorder}.
   */
  constructor(
    /** The records, to share with other threads. */
    readonly records: SharedArrayBuffer,
  ) {
    this.size = records.byteLength / RECORD_BYTES;
    this.#view = new DataView(records);
  }

  /**
   * Makes a table of `count` claims.
   *
   * @throws {CertificateError} `disorder` unless the boards ascend, `bad-value` for a board or
   *   value that a record cannot hold, `wrong-length` for more or fewer claims than `count`.
   */
  static from(claims: Iterable<Claim>, count: number): ClaimTable {
    const table = new ClaimTable(new SharedArrayBuffer(count * RECORD_BYTES));
    let size = 0;
    for (const claim of claims) {
      if (size < count) table.#write(size, claim);
      size++;
    }
    if (size !== count) {
      throw new CertificateError("wrong-length", `${size} claims were given; expected ${count}`);
    }
    const disorder = table.firstDisorder();
    if (disorder >= 0) throw new CertificateError("disorder", table.describeDisorder(disorder));
    return table;
  }

  #write(index: number, { board, lo, hi }: Claim): void {
    const hiHeld = hi === Number.POSITIVE_INFINITY || (isUnsigned(hi) && hi < NO_UPPER);
    if (BigInt.asUintN(64, board) !== board || !isUnsigned(lo) || !hiHeld) {
      throw new CertificateError(
        "bad-value",
        `${lo} ≤ h ≤ ${hi} of the packed board 0x${board.toString(16)} cannot be written; expected 64 bits of board and whole points of at most 32 bits`,
      );
    }
    const at = index * RECORD_BYTES;
    this.#view.setBigUint64(at, board, true);
    this.#view.setUint32(at + LO_AT, lo, true);
    this.#view.setUint32(at + HI_AT, Math.min(hi, NO_UPPER), true);
  }

  /** Returns the index of the first claim whose board is not above the previous one, or −1. */
  firstDisorder(): number {
    for (let index = 1; index < this.size; index++) {
      if (!this.#isBelow(index - 1, this.high(index), this.low(index))) return index;
    }
    return -1;
  }

  /** Describes the disorder at an index that {@link firstDisorder} returned. */
  describeDisorder(index: number): string {
    const [before, board] = [this.board(index - 1), this.board(index)];
    return `claim ${index + 1} is about the packed board 0x${board.toString(16)}, after 0x${before.toString(16)}; expected ascending boards, each once`;
  }

  /** Returns the index of the claim about a board, or −1. */
  find(board: PackedBoard): number {
    return this.findHalves(...packedHalves(board));
  }

  /** Returns the index of the claim about a board of two halves, or −1. */
  findHalves(high: number, low: number): number {
    let from = 0;
    let to = this.size;
    while (from < to) {
      const middle = from + ((to - from) >>> 1);
      if (this.#isBelow(middle, high, low)) from = middle + 1;
      else to = middle;
    }
    return from < this.size && this.high(from) === high && this.low(from) === low ? from : -1;
  }

  /** Returns whether the board of a claim is below the board of two halves. */
  #isBelow(index: number, high: number, low: number): boolean {
    const ownHigh = this.high(index);
    return ownHigh < high || (ownHigh === high && this.low(index) < low);
  }

  at(index: number): Claim {
    return { board: this.board(index), lo: this.lo(index), hi: this.hi(index) };
  }

  board(index: number): PackedBoard {
    return packedFromBits(this.#view.getBigUint64(index * RECORD_BYTES, true));
  }

  /** Returns cells 8 to 15 of a board: the upper 32 bits. */
  high(index: number): number {
    return this.#view.getUint32(index * RECORD_BYTES + HIGH_AT, true);
  }

  /** Returns cells 0 to 7 of a board: the lower 32 bits. */
  low(index: number): number {
    return this.#view.getUint32(index * RECORD_BYTES, true);
  }

  /** Writes the cells of a board; ignores bits beyond them. */
  unpack(index: number, cells: Cells): void {
    const high = this.high(index);
    const low = this.low(index);
    for (let cell = 0; cell < cells.length; cell++) {
      cells[cell] = ((cell < 8 ? low : high) >>> (4 * (cell % 8))) & 15;
    }
  }

  lo(index: number): number {
    return this.#view.getUint32(index * RECORD_BYTES + LO_AT, true);
  }

  hi(index: number): number {
    const hi = this.#view.getUint32(index * RECORD_BYTES + HI_AT, true);
    return hi === NO_UPPER ? Number.POSITIVE_INFINITY : hi;
  }
}

function isUnsigned(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff;
}
