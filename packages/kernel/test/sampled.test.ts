import {
  canonical,
  formatBoard,
  type Game,
  type Node,
  packBoard,
  parseShape,
} from "@gridlock/game";
import { createTable, Kernel, tableLimits } from "@gridlock/kernel";
import { Oracle, randomGames, TooLarge } from "@gridlock/testbed";
import { beforeAll, describe, expect, it } from "vitest";

/**
 * Generates nodes of random games that plain minimax can value in `mostNodes` nodes: from each
 * game's end back to the first node that takes more.
 */
function* valuedNodes(game: Game, seed: number, mostNodes: number, count: number) {
  for (const nodes of randomGames(game, seed)) {
    for (const node of nodes.reverse()) {
      if (count === 0) return;
      const oracle = new Oracle(game, { mostNodes });
      try {
        const value =
          node.turn === "slider" ? oracle.position(node.board) : oracle.afterstate(node.board);
        count--;
        yield { node, value };
      } catch (error) {
        if (error instanceof TooLarge) break;
        throw error;
      }
    }
  }
}

function keyOf({ board, turn }: Node) {
  return { turn, board: packBoard(canonical(board)) };
}

describe.each([
  ["2x4", [2, 4], 40],
  ["2x4", [2], 40],
  ["3x3", [2, 4], 75],
  ["3x3", [2], 75],
  ["2x5", [2, 4], 40],
  ["3x4", [2, 4], 40],
  ["2x6", [2, 4], 40],
  ["1x11", [2, 4], 40],
  ["2x7", [2, 4], 50],
  ["2x7", [2], 25],
  ["3x5", [2, 4], 25],
  ["2x8", [2, 4], 25],
  ["4x4", [2, 4], 25],
] as const)("a sample of %s, tiles %j", (name, tiles, count) => {
  const game = { shape: parseShape(name), tiles };
  // One thread needs a smaller table than two, where keys are wide: with other entries.
  const sizes = [...new Set([1, 2].map((threads) => tableLimits(game, threads).least))];
  const tables = sizes.map((least) => createTable(game, least + 32 * 200, 1));
  let sample: { node: Node; value: number }[];

  beforeAll(() => {
    sample = [...valuedNodes(game, 2048, 2000, count)];
  });

  it.each(tables)("agrees with plain minimax in a table of $buckets buckets", (table) => {
    const kernel = new Kernel(table, 0);
    for (const { node, value } of sample) {
      const key = keyOf(node);
      const text = formatBoard(node.board, node.turn);
      const above = kernel.ask(key, value + 4);
      expect(above?.hi, text).toBe(value);
      if (value === 0) continue;
      const at = kernel.ask(key, value);
      expect(at?.lo, text).toBe(value);
      if (node.turn === "placer") {
        expect(kernel.surelyEarned(key.board), text).toBeLessThanOrEqual(value);
      }
    }
    expect(sample).toHaveLength(count);
  });
});
