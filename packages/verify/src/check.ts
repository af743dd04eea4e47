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

/** What may be wrong with a claim: a side of it, or the board that it is about. */
export type Side = "board" | ValueSide;

/** A side of a claim. */
export type ValueSide = "lower" | "upper";

/** What came of checking a claim. */
export interface Verdict {
  /** What is wrong with it; empty when all of it follows. */
  readonly wrong: readonly Side[];
  /** How many of its sides follow by one step, and how many by search. */
  readonly bySteps: number;
  readonly bySearch: number;
  /** Positions expanded: one for the step of each side, and those of searches. */
  readonly expanded: number;
  /** The sum of the board's tiles. */
  readonly layer: number;
}

/** Checks the claims of a certificate, each by itself, as docs/certificate.md says. */
export class Checker {
  readonly game: Game;

  constructor(readonly certificate: Certificate) {
    const { shape, tiles } = certificate.game;
    this.game = { shape: normalShape(shape), tiles };
  }

  /** The board of a claim; of a malformed one, what its cells hold. */
  board(index: number): Board {
    return unpackBoard(this.game.shape, this.certificate.claims.board(index));
  }

  /** What is claimed of a position, however it lies: lo 0, or hi Infinity, where nothing is. */
  claimed(position: Board): Bound {
    // Nothing can be claimed of a tile that four bits do not hold.
    if (position.cells.some((tile) => tile > 2 ** 15)) return UNKNOWN;
    const { claims } = this.certificate;
    const index = claims.find(packBoard(canonical(position)));
    return index < 0 ? UNKNOWN : claims.at(index);
  }

  /** Checks all that is claimed of one position. */
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
    // Both sides can follow only from claims that are false themselves, and fail elsewhere.
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

/** The sides that are claimed. */
function* sidesOf({ lo, hi }: Claim): Generator<[ValueSide, number]> {
  if (lo > 0) yield ["lower", lo];
  if (hi < Number.POSITIVE_INFINITY) yield ["upper", hi];
}
