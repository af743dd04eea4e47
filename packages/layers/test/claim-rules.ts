import {
  type Board,
  canonical,
  type Game,
  isEnd,
  type PackedBoard,
  packBoard,
  packedFromBits,
  placements,
  slides,
  unpackBoard,
} from "@gridlock/game";
import type { ClaimFile, FileClaim, Oracle } from "@gridlock/testbed";

/** Returns the board of a key: the inverse of `mix` in `kernel/assembly/keys.ts`. */
export function boardOf({ shape }: Game, key: bigint): PackedBoard {
  const bits = BigInt(4 * shape.rows * shape.cols + 1);
  const shift = (bits + 1n) / 2n;
  let x = key ^ (key >> shift);
  x = BigInt.asUintN(Number(bits), x * 0x319642b2d24d8ec3n);
  x ^= x >> shift;
  x = BigInt.asUintN(Number(bits), x * 0x96de1b173f119089n);
  return packedFromBits((x ^ (x >> shift)) >> 1n);
}

/** Determines by the plain rules of the game which claims of a file follow. */
export class ClaimRules {
  readonly #game: Game;
  readonly #oracle: Oracle;
  readonly #claims: Map<PackedBoard, FileClaim>;

  constructor(game: Game, { chunks }: ClaimFile, oracle: Oracle) {
    this.#game = game;
    this.#oracle = oracle;
    this.#claims = new Map(chunks.flat().map((claim) => [boardOf(game, claim.key), claim]));
  }

  /**
   * Returns the sides of a claim that do not follow; with `isStrict`, a search alone supports no
   * side.
   */
  failing({ key, lo, hi }: FileClaim, isStrict: boolean): string[] {
    const board = unpackBoard(this.#game.shape, boardOf(this.#game, key));
    const replies = placements(board, this.#game.tiles).map((reply) => slides(reply.board));
    const isLower = replies.every(
      (all) =>
        all.some((slide) => slide.score + this.#loOf(slide.board) >= 4 * lo) ||
        (!isStrict && all.some((slide) => this.#oracle.forces(slide.board, 4 * lo - slide.score))),
    );
    const isUpper = replies.some((all) =>
      all.every(({ board: after, score }) => score + this.#hiOf(after) <= 4 * hi),
    );
    return [...(lo > 0 && !isLower ? ["lower"] : []), ...(isUpper ? [] : ["upper"])];
  }

  #claimOf(after: Board): FileClaim | undefined {
    return this.#claims.get(packBoard(canonical(after)));
  }

  #loOf(after: Board): number {
    return 4 * (this.#claimOf(after)?.lo ?? 0);
  }

  #hiOf(after: Board): number {
    const canEnd = placements(after, this.#game.tiles).some(({ board }) => isEnd(board));
    return canEnd ? 0 : 4 * (this.#claimOf(after)?.hi ?? Number.POSITIVE_INFINITY);
  }
}
