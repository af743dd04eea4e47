import {
  type Board,
  type BoardLimits,
  type Bound,
  boardLimits,
  type Game,
  normalShape,
  tileOf,
  UNKNOWN,
  unpackBoard,
} from "@gridlock/game";
import { CellRules, type Cells, cellsOf, packEight } from "./cells.js";
import type { Certificate } from "./file.js";
import { Search, type ValueSide } from "./search.js";

/** A part of a claim that may be wrong: one of its sides, or its board. */
export type Side = "board" | ValueSide;

const SIDES: readonly ValueSide[] = ["lower", "upper"];

/** The result of checking a claim. */
export interface Verdict {
  /** The parts that are wrong; empty when the whole claim follows. */
  readonly wrong: readonly Side[];
  /** The numbers of sides that follow by one step, and by search. */
  readonly bySteps: number;
  readonly bySearch: number;
  /** Positions expanded: one for the step of each side, and those of searches. */
  readonly expanded: number;
  /** The sum of the board's tiles. */
  readonly layer: number;
}

/** Checks the claims of a certificate one by one, as docs/certificate.md describes. */
export class Checker {
  readonly game: Game;
  readonly #rules: CellRules;
  readonly #limits: BoardLimits;
  /** Expands a position and looks up the claims about those after it. */
  readonly #step: Search;
  /** Expands positions by the rules alone. */
  readonly #search: Search;
  /** The board of the claim that is being checked. */
  readonly #position: Cells;

  constructor(readonly certificate: Certificate) {
    const { shape, tiles } = certificate.game;
    this.game = { shape: normalShape(shape), tiles };
    this.#rules = CellRules.of(this.game.shape);
    this.#limits = boardLimits(this.game.shape);
    this.#step = new Search(this.#rules, tiles, (isLower, position, value) => {
      const index = this.#find(position);
      return isLower ? this.#lo(index) >= value : this.#hi(index) <= value;
    });
    this.#search = new Search(this.#rules, tiles);
    this.#position = new Uint8Array(this.#rules.size);
  }

  /** Returns the board of a claim, even of a malformed one. */
  board(index: number): Board {
    return unpackBoard(this.game.shape, this.certificate.claims.board(index));
  }

  /** Returns the index of the claim about a position or its images, or −1. */
  indexOf(position: Board): number {
    return this.#find(cellsOf(position), CellRules.of(position));
  }

  /** Returns the claim about a position or its images; a missing side is lo 0 or hi Infinity. */
  claimed(position: Board): Bound {
    const index = this.indexOf(position);
    return { lo: this.#lo(index), hi: this.#hi(index) };
  }

  /** Checks both sides of one claim. */
  check(index: number): Verdict {
    const { claims, effort } = this.certificate;
    const position = this.#position;
    claims.unpack(index, position);
    const layer = sumOf(position);
    if (!this.#isWellFormed(index, layer)) {
      return { wrong: ["board"], bySteps: 0, bySearch: 0, expanded: 0, layer };
    }
    const before = this.#expanded;
    const wrong: Side[] = [];
    let bySteps = 0;
    let bySearch = 0;
    for (const side of SIDES) {
      const value = side === "lower" ? claims.lo(index) : claims.hi(index);
      if (value === (side === "lower" ? UNKNOWN.lo : UNKNOWN.hi)) continue;
      if (this.#step.shows(side, position, value, 1)) bySteps++;
      else if (this.#search.shows(side, position, value, effort)) bySearch++;
      else wrong.push(side);
    }
    // Both sides can follow only from other claims that are false, which fail when checked.
    if (wrong.length === 0 && claims.lo(index) > claims.hi(index)) wrong.push("board");
    return { wrong, bySteps, bySearch, expanded: this.#expanded - before, layer };
  }

  get #expanded(): number {
    return this.#step.expanded + this.#search.expanded;
  }

  /** Returns whether `malformation` finds nothing, which takes it longer. */
  #isWellFormed(index: number, layer: number): boolean {
    const { claims } = this.certificate;
    const position = this.#position;
    if (claims.lo(index) === UNKNOWN.lo && claims.hi(index) === UNKNOWN.hi) return false;
    if (!isWithin(position, this.#limits.tile) || layer > this.#limits.sum) return false;
    // The halves differ unless the board is canonical and has no bits beyond its cells.
    const order = this.#rules.canonicalOrder(position);
    const high = packEight(position, order, 8);
    const low = packEight(position, order, 0);
    return high === claims.high(index) && low === claims.low(index);
  }

  /** Returns the index of the claim about a position or its images, or −1. */
  #find(position: Cells, rules = this.#rules): number {
    // A board with a tile that four bits cannot hold has no claim.
    if (!isWithin(position, 2 ** 15)) return -1;
    const order = rules.canonicalOrder(position);
    return this.certificate.claims.findHalves(
      packEight(position, order, 8),
      packEight(position, order, 0),
    );
  }

  #lo(index: number): number {
    return index < 0 ? UNKNOWN.lo : this.certificate.claims.lo(index);
  }

  #hi(index: number): number {
    return index < 0 ? UNKNOWN.hi : this.certificate.claims.hi(index);
  }
}

/** Returns the sum of a board's tiles. */
function sumOf(cells: Cells): number {
  let sum = 0;
  for (let cell = 0; cell < cells.length; cell++) sum += tileOf(cells[cell] as number);
  return sum;
}

/** Returns whether no tile of a board is larger than another tile. */
function isWithin(cells: Cells, largest: number): boolean {
  for (let cell = 0; cell < cells.length; cell++) {
    if (tileOf(cells[cell] as number) > largest) return false;
  }
  return true;
}
