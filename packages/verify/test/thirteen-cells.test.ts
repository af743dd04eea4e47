import {
  type Board,
  canonical,
  type Game,
  type PackedBoard,
  packBoard,
  parseBoard,
  placements,
  slides,
} from "@gridlock/game";
import { type Claim, LEAST_MEMORY, verifyCertificate } from "@gridlock/verify";
import { describe, expect, it } from "vitest";
import { certify, gameOf } from "./certificates.js";

/** Values a position, and all positions that play from it reaches, by plain minimax. */
function valueAll(game: Game, position: Board, values: Map<PackedBoard, number>): number {
  const board = canonical(position);
  const key = packBoard(board);
  let value = values.get(key);
  if (value === undefined) {
    const worths = slides(board).map(({ board: after, score }) => {
      const next = placements(after, game.tiles).map((placed) =>
        valueAll(game, placed.board, values),
      );
      return score + Math.min(...next);
    });
    value = Math.max(0, ...worths);
    values.set(key, value);
  }
  return value;
}

/**
 * A nearly full row of 13 cells: the most that a number holds, and more than the kernel searches.
 */
const GAME = gameOf("1x13");
const LATE = parseBoard("4 2 2 8 32 128 8 32 128 8 32 128 512/").board;

describe("a certificate of 13 cells", () => {
  it("is checked to the last bit", async () => {
    const values = new Map<PackedBoard, number>();
    expect(valueAll(GAME, LATE, values)).toBeGreaterThan(0);
    const claims: Claim[] = [...values].map(([board, value]) => ({ board, lo: value, hi: value }));
    const check = async (some: readonly Claim[]) =>
      verifyCertificate(await certify(GAME, some), undefined, { threads: 1, memory: LEAST_MEMORY });
    expect(await check(claims)).toMatchObject({ claims: values.size, failures: [] });
    for (let i = 0; i < claims.length; i += 100) {
      const { board, lo, hi } = claims[i] as Claim;
      const wrong = await check(claims.with(i, { board, lo: lo + 4, hi: hi + 4 }));
      expect(wrong.failed).toBeGreaterThan(0);
    }
  });
});
