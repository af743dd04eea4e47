import {
  type Board,
  type Bound,
  canonical,
  type Game,
  normalShape,
  packBoard,
  tileSum,
  UNKNOWN,
  unpackBoard,
} from "@gridlock/game";
import type { Claim } from "./claims.js";
import type { Certificate } from "./file.js";
import { lowerFollows, upperFollows } from "./follow.js";
import { malformation } from "./malformed.js";
import { type SearchResult, showsLower, showsUpper } from "./search.js";

/** A part of a claim that may be wrong: one of its sides, or its board. */
export type Side = "board" | ValueSide;

/** A side of a claim. */
export type ValueSide = "lower" | "upper";

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

  constructor(readonly certificate: Certificate) {
    const { shape, tiles } = certificate.game;
    this.game = { shape: normalShape(shape), tiles };
  }

  /** Returns the board of a claim, even of a malformed one. */
  board(index: number): Board {
    return unpackBoard(this.game.shape, this.certificate.claims.board(index));
  }

  /** Returns the index of the claim about a canonical position, or −1. */
  indexOf(position: Board): number {
    return this.certificate.claims.find(packBoard(position));
  }

  /** Returns the claim about a position or its images; a missing side is lo 0 or hi Infinity. */
  claimed(position: Board): Bound {
    // A board with a tile that four bits cannot hold has no claim.
    if (position.cells.some((tile) => tile > 2 ** 15)) return UNKNOWN;
    const index = this.indexOf(canonical(position));
    return index < 0 ? UNKNOWN : this.certificate.claims.at(index);
  }

  /** Checks both sides of one claim. */
  check(index: number): Verdict {
    const claim = this.certificate.claims.at(index);
    const board = this.board(index);
    const layer = tileSum(board);
    if (malformation(this.game.shape, claim) !== undefined) {
      return { wrong: ["board"], bySteps: 0, bySearch: 0, expanded: 0, layer };
    }
    const wrong: Side[] = [];
    let bySteps = 0;
    let bySearch = 0;
    let expanded = 0;
    for (const [side, value] of sidesOf(claim)) {
      expanded++;
      if (this.#followsByStep(board, side, value)) {
        bySteps++;
        continue;
      }
      const search = this.#search(board, side, value);
      expanded += search.expanded;
      if (search.shown) bySearch++;
      else wrong.push(side);
    }
    // Both sides can follow only from other claims that are false, which fail when checked.
    if (wrong.length === 0 && claim.lo > claim.hi) wrong.push("board");
    return { wrong, bySteps, bySearch, expanded, layer };
  }

  #followsByStep(board: Board, side: ValueSide, value: number): boolean {
    const { tiles } = this.game;
    return side === "lower"
      ? lowerFollows(board, tiles, value, (next, v) => this.claimed(next).lo >= v)
      : upperFollows(board, tiles, value, (next, u) => this.claimed(next).hi <= u);
  }

  #search(board: Board, side: ValueSide, value: number): SearchResult {
    const shows = side === "lower" ? showsLower : showsUpper;
    return shows(board, this.game.tiles, value, this.certificate.effort);
  }
}

/** Lists the sides of a claim that claim something. */
function* sidesOf({ lo, hi }: Claim): Generator<[ValueSide, number]> {
  if (lo > 0) yield ["lower", lo];
  if (hi < Number.POSITIVE_INFINITY) yield ["upper", hi];
}
