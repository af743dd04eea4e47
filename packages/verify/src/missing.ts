import { type Board, placements, slides } from "@gridlock/game";
import type { CertificateFile } from "./file.js";
import type { ValueSide } from "./work.js";

/**
 * A claim that a certificate lacks: `h(position) ≥ value` for the lower side, `≤ value` for the
 * upper.
 */
export interface Need {
  readonly position: Board;
  readonly value: number;
}

/** The most positions that the attempts to explain one claim may expand: less than a second. */
const BUDGET = 5_000;

/**
 * Looks for claims that would make a failing claim follow if the certificate had them. It tries to
 * prove the failing claim from the existing claims in more and more steps. If that succeeds, a part
 * of the proof is missing; if not (`undefined`), no support for the claim was found.
 */
export function findMissing(
  file: CertificateFile,
  board: Board,
  side: ValueSide,
  value: number,
): Need[] | undefined {
  const attempt = new Attempt(file, side);
  for (let depth = 2; attempt.open; depth++) {
    const needs = attempt.show(board, value, depth);
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

  constructor(
    readonly file: CertificateFile,
    readonly side: ValueSide,
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
      const replies = placements(board, this.file.game.tiles);
      return ofReplies(replies, (reply) => this.#below(reply.board, rest, depth - 1));
    });
    return below && [{ position, value }, ...below];
  }

  /**
   * Returns the claims that a position's value needs: an empty list if it is claimed, else the claims
   * of a proof from below.
   */
  #below(position: Board, value: number, depth: number): Need[] | undefined {
    const { lo, hi } = this.file.claimed(position);
    const [claimed, refuted] =
      this.side === "lower" ? [lo >= value, hi < value] : [hi <= value, lo > value];
    if (claimed) return [];
    if (refuted) return undefined;
    if (depth > 0) return this.#expand(position, value, depth);
    this.#cutShort = true;
    return undefined;
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
