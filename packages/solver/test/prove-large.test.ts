import { join } from "node:path";
import { canonical, type Game, type Node, packNode } from "@gridlock/game";
import { createTable, Kernel, tableLimits } from "@gridlock/kernel";
import type { StartBound } from "@gridlock/solver";
import { randomGames, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { naiveCertificate } from "./naive-prover.js";
import { checked, claimsOf, prove } from "./proving.js";
import { gameOf } from "./setup.js";

/** Nodes that the kernel may search for one threshold of a position. */
const MOST_NODES = 1000;

/**
 * Creates a kernel with nearly the smallest table of a game. Memory is used only once it is written
 * to.
 */
function smallKernel(game: Game): Kernel {
  return new Kernel(createTable(game, tableLimits(game, 1).least + 2 ** 20, 1), 0);
}

/** Returns a position's value, or `undefined` if a search takes too many nodes. */
function solvedValue(kernel: Kernel, { board, turn }: Node): number | undefined {
  const node = packNode({ turn, board: canonical(board) });
  for (let threshold = 4; ; threshold += 4) {
    const bound = kernel.ask(node, threshold, MOST_NODES);
    if (bound === undefined) return undefined;
    if (bound.hi < threshold) return bound.hi;
  }
}

/** Finds the earliest quickly solved position of each of several random games, with its value. */
function solvedPositions(game: Game, games: number) {
  const kernel = smallKernel(game);
  const solved = [];
  for (const nodes of randomGames(game, 2048)) {
    if (solved.length === games) break;
    let earliest: StartBound | undefined;
    for (const node of nodes.reverse().filter(({ turn }) => turn === "slider")) {
      const value = solvedValue(kernel, node);
      if (value === undefined) break;
      earliest = { board: node.board, bound: { lo: value, hi: value } };
    }
    if (earliest && earliest.bound.lo > 0) solved.push(earliest);
  }
  return solved;
}

describe("a proof of positions", () => {
  it.each(["2x7", "3x4", "4x4"])("of %s has the claims of the naive prover, which hold", compare);

  it.each(["3x5", "2x8"])(
    "of %s, with tables of a GiB, has the claims of the naive prover, which hold",
    { tags: ["long"] },
    compare,
  );
});

/** Compares a proof of positions of a shape with the naive prover's. */
async function compare(shape: string): Promise<void> {
  const game = gameOf(shape);
  const positions = solvedPositions(game, 6);
  const file = join(temporaryFolder(), "test.certificate");
  await prove(game, positions, file);
  const kernel = smallKernel(game);
  const naive = naiveCertificate(game, positions, (board, turn, threshold) => {
    const bound = kernel.ask(packNode({ board: canonical(board), turn }), threshold);
    return (bound?.lo ?? 0) >= threshold;
  });
  expect(claimsOf(file)).toEqual(naive);
  expect(naive.size).toBeGreaterThan(40);
  // The starts have no claims, but all claims follow.
  expect(await checked(file)).toMatchObject({ claims: naive.size, failures: [] });
}
