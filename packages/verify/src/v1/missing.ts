import { type Board, placements, slides } from "@gridlock/game";
import type { Checker } from "./check.js";
import { searchFor, type ValueSide } from "./search.js";

/**
 * A claim that a certificate lacks: `h(position) ≥ value` for the lower side, `≤ value` for the
 * upper.
 */
export interface Need {
  readonly position: Board;
  readonly value: number;
}

/**
 * The most positions that each of the two attempts may expand for one claim: about half a second.
 */
const BUDGET = 25_000;
/**
 * The most positions that one search by the rules may expand here, so that any thread's stack
 * suffices.
 */
const SEARCH_EFFORT = 1_000;

/**
 * Looks for claims that would make a failing claim follow if the certificate had them. It tries to
 * prove the failing claim from the existing claims in more and more steps. If that succeeds, a part
 * of the proof is missing; if not (`undefined`), no support for the claim was found.
 */
export function findMissing(
  checker: Checker,
  board: Board,
  side: ValueSide,
  value: number,
): Need[] | undefined {
  const effort = Math.min(checker.certificate.effort, SEARCH_EFFORT);
  const byClaims = new Attempt(checker, side, 0);
  const bySearch = new Attempt(checker, side, effort);
  for (let depth = 1; byClaims.open || (effort > 0 && bySearch.open); depth++) {
    // A search costs as much as many steps, so proofs by claims alone go one step deeper.
    const needs =
      byClaims.show(board, value, depth + 1) ??
      (effort > 0 ? bySearch.show(board, value, depth) : undefined);
    if (needs !== undefined) return needs;
  }
  return undefined;
}

/** A search for proofs of a claim to a given depth, which collects the claims that they lack. */
class Attempt {
  /** True if a greater depth may prove more, and the budget allows it. */
  open = true;
  #left = BUDGET;
  #cutShort = false;

  /** @param effort positions that the search at the full depth may expand; 0 for no search */
  constructor(
    readonly checker: Checker,
    readonly side: ValueSide,
    readonly effort: number,
  ) {}

  /** Returns the other claims that the claim needs, if it can be proven in `depth` steps. */
  show(board: Board, value: number, depth: number): Need[] | undefined {
    if (!this.open) return undefined;
    this.#cutShort = false;
    const needs = this.#expand(board, value, depth);
    this.open = this.#cutShort && this.#left > 0;
    return needs?.slice(1);
  }

  /** Returns the claims that a proof from a position needs: its own, then those below. */
  #expand(position: Board, value: number, depth: number): Need[] | undefined {
    if (this.#left <= 0) return undefined;
    this.#left--;
    // A lower claim needs one slide and all replies to it, an upper claim all slides and one reply each.
    const isLower = this.side === "lower";
    const [ofSlides, ofReplies] = isLower ? [needsOfOne, needsOfAll] : [needsOfAll, needsOfOne];
    const below = ofSlides(slides(position), ({ board, score }) => {
      const rest = value - score;
      if (isLower && rest <= 0) return [];
      if (rest < 0) return undefined;
      const replies = placements(board, this.checker.game.tiles);
      return ofReplies(replies, (reply) => this.#below(reply.board, rest, depth - 1));
    });
    return below && [{ position, value }, ...below];
  }

  /**
   * Returns the claims that a position's value needs: an empty list if it is claimed or a search
   * shows it, else the claims of a proof from below.
   */
  #below(position: Board, value: number, depth: number): Need[] | undefined {
    const { lo, hi } = this.checker.claimed(position);
    const [claimed, refuted] =
      this.side === "lower" ? [lo >= value, hi < value] : [hi <= value, lo > value];
    if (claimed) return [];
    if (refuted) return undefined;
    if (depth > 0) return this.#expand(position, value, depth);
    this.#cutShort = true;
    return this.#searched(position, value) ? [{ position, value }] : undefined;
  }

  /** Returns whether the claim would follow by search. */
  #searched(position: Board, value: number): boolean {
    const effort = Math.min(this.effort, this.#left);
    const { tiles } = this.checker.game;
    const { shown, expanded } = searchFor(this.side, position, tiles, value, effort);
    this.#left -= expanded;
    return shown;
  }
}

type NeedsOf<Move> = (move: Move) => Need[] | undefined;

/** Returns the needs of the first move that can be proven; `undefined` if none can. */
function needsOfOne<Move>(moves: readonly Move[], needsOf: NeedsOf<Move>): Need[] | undefined {
  for (const move of moves) {
    const needs = needsOf(move);
    if (needs !== undefined) return needs;
  }
  return undefined;
}

/** Returns the needs of all moves; `undefined` if one cannot be proven. */
function needsOfAll<Move>(moves: readonly Move[], needsOf: NeedsOf<Move>): Need[] | undefined {
  const all: Need[] = [];
  for (const move of moves) {
    const needs = needsOf(move);
    if (needs === undefined) return undefined;
    all.push(...needs);
  }
  return all;
}
