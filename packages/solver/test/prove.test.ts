import { type Game, isExact, packBoard, parseBoard } from "@gridlock/game";
import { createTable, Kernel } from "@gridlock/kernel";
import { defaultMemory, Prover } from "@gridlock/solver";
import { Oracle } from "@gridlock/testbed";
import { ClaimTable, verify } from "@gridlock/verify";
import { describe, expect, it } from "vitest";
import { freshDatabase, gameOf, solveWith } from "./setup.js";

/** Creates a kernel with an empty table. */
function emptyKernel(game: Game): Kernel {
  return new Kernel(createTable(game, defaultMemory(game, 1, 2 ** 32), 1), 0);
}

async function solvedStartsOf(game: Game) {
  const { starts } = await solveWith(game, freshDatabase());
  return starts.map(({ board, bound }) => {
    if (!isExact(bound)) throw new Error("not solved");
    return { board, value: bound.lo };
  });
}

describe("a certificate", () => {
  it.each([
    ["1x5", [2, 4], 0],
    ["2x2", [2, 4], 0],
    ["2x2", [2], 3],
    ["2x3", [2, 4], 0],
    ["2x3", [2, 4], 1],
    ["2x3", [2, 4], 30],
    ["2x3", [2], 0],
    ["2x3", [2], 5],
    ["2x4", [2, 4], 5],
  ] as const)(
    "of %s with tiles %j and effort %i is valid, even if made with an empty table",
    async (shape, tiles, effort) => {
      const game = gameOf(shape, tiles);
      const starts = await solvedStartsOf(game);
      const { claims, bySearch } = new Prover(game, emptyKernel(game), effort).prove(starts);
      const sorted = [...claims].sort((a, b) => (a.board < b.board ? -1 : 1));
      const table = ClaimTable.from(sorted, sorted.length);
      const report = await verify({ game, effort, claims: table }, undefined, { threads: 1 });
      expect(report.failures).toEqual([]);
      expect(report.complete).toBe(true);
      expect(report.starts.map(({ value }) => value)).toEqual(starts.map(({ value }) => value));
      // A claim that a search shows may also follow by one step, from claims made for others.
      expect(report.bySearch).toBeLessThanOrEqual(bySearch);
      expect(bySearch > 0).toBe(effort > 0);
    },
  );

  it("of 2×3 contains only true claims", async () => {
    const game = gameOf("2x3");
    const oracle = new Oracle(game).valueAll();
    const starts = await solvedStartsOf(game);
    const { claims } = new Prover(game, emptyKernel(game), 0).prove(starts);
    for (const { board, lo, hi } of claims) {
      const value = oracle.positions.get(board) as number;
      expect(lo).toBeLessThanOrEqual(value);
      expect(hi).toBeGreaterThanOrEqual(value);
    }
    // The proof is far smaller than the game, which has 21,752 positions.
    expect(claims.length).toBeLessThan(1000);
  });

  it("of a false value cannot be made", () => {
    const game = gameOf("2x3");
    const { board } = parseBoard("2 2 0/0 0 0");
    for (const value of [40, 48]) {
      expect(() => new Prover(game, emptyKernel(game), 0).prove([{ board, value }])).toThrow(
        /cannot prove h (≥ 48|≤ 40) of 2 2 0\/0 0 0/,
      );
    }
    const { claims } = new Prover(game, emptyKernel(game), 0).prove([{ board, value: 44 }]);
    expect(claims[0]).toEqual({ board: packBoard(board), lo: 44, hi: 44 });
  });
});
