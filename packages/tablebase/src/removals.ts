import { cellCount, type Shape } from "@gridlock/game";
import { codeOf } from "./block.js";
import { exponentPacker } from "./canonical.js";
import { lastNotAbove } from "./numbers.js";

/** Counts of pairs of a position and a tile on it, by what taking the tile off does. */
export interface RemovalCounts {
  /** Pairs after whose removal the board is a position that play can reach. */
  readonly valued: number;
  /** Those of them whose removal lowers the value, and leaves it the same. */
  readonly lower: number;
  readonly same: number;
  /** Pairs after whose removal play cannot reach the board; they are not valued. */
  readonly unreachable: number;
}

/** Most positions that are kept: half a gigabyte on nine cells, ten bytes each on ten. */
const MOST_POSITIONS = 1e8;

interface KeptLayer {
  readonly codes: Uint32Array | Float64Array;
  /** Points / 4. */
  readonly values: Uint16Array;
}

/** Counts the removals of tiles, given valued layers from the last to the first. */
export class Removals {
  readonly #cells: number;
  readonly #pack: (exponents: Uint8Array) => number;
  readonly #layers = new Map<number, KeptLayer>();
  readonly #exponents: Uint8Array;
  #valued = 0;
  #lower = 0;
  #same = 0;

  constructor(shape: Shape) {
    this.#cells = cellCount(shape);
    this.#pack = exponentPacker(shape);
    this.#exponents = new Uint8Array(this.#cells);
  }

  /** Returns true if the positions of a game fit in memory. */
  static fits(positions: number): boolean {
    return positions <= MOST_POSITIONS;
  }

  /** Adds a layer, given as the lists of a survey. */
  add(sum: number, boards: Uint32Array, values: Uint32Array): void {
    const count = boards.length / 2;
    const codes = this.#cells > 9 ? new Float64Array(count) : new Uint32Array(count);
    const kept = { codes, values: new Uint16Array(count) };
    for (let i = 0; i < count; i++) {
      codes[i] = codeOf(boards[2 * i] as number, boards[2 * i + 1] as number);
      kept.values[i] = ((values[2 * i] as number) >>> 16) - 1;
    }
    this.#layers.set(sum, kept);
    for (let exponent = 1; exponent <= this.#cells + 1; exponent++) {
      const above = this.#layers.get(sum + 2 ** exponent);
      if (above !== undefined) this.#remove(above, sum + 2 ** exponent, exponent, kept);
    }
  }

  /** Returns the counts of the layers added. */
  counts(): RemovalCounts {
    // A removal that leaves a layer without positions was never tried.
    let all = 0;
    for (const [sum, { codes }] of this.#layers) {
      for (let i = 0; i < codes.length; i++) all += this.#unpack(codes[i] as number, sum);
    }
    const valued = this.#valued;
    return { valued, lower: this.#lower, same: this.#same, unreachable: all - valued };
  }

  /** Takes each tile of an exponent off each board of a layer. */
  #remove(from: KeptLayer, sum: number, exponent: number, to: KeptLayer): void {
    const exponents = this.#exponents;
    for (let i = 0; i < from.codes.length; i++) {
      this.#unpack(from.codes[i] as number, sum);
      for (let cell = 0; cell < this.#cells; cell++) {
        if (exponents[cell] !== exponent) continue;
        exponents[cell] = 0;
        const code = Math.floor(this.#pack(exponents) / 16);
        exponents[cell] = exponent;
        const at = lastNotAbove(to.codes, 0, to.codes.length, code);
        if (to.codes[at] !== code) continue;
        const value = to.values[at] as number;
        const before = from.values[i] as number;
        this.#valued++;
        if (value < before) this.#lower++;
        else if (value === before) this.#same++;
      }
    }
  }

  /** Sets the exponents of a board, packed without its first cell; returns its number of tiles. */
  #unpack(code: number, sum: number): number {
    const exponents = this.#exponents;
    let low = code >>> 0;
    let high = Math.floor(code / 2 ** 32);
    let rest = sum;
    let tiles = 0;
    for (let cell = 1; cell < this.#cells; cell++) {
      const exponent = cell <= 8 ? low & 15 : high & 15;
      if (cell <= 8) low >>>= 4;
      else high >>>= 4;
      exponents[cell] = exponent;
      if (exponent === 0) continue;
      rest -= 1 << exponent;
      tiles++;
    }
    exponents[0] = rest === 0 ? 0 : 31 - Math.clz32(rest);
    return rest === 0 ? tiles : tiles + 1;
  }
}
