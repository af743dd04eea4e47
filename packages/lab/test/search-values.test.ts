import {
  applySymmetry,
  formatBoard,
  type Node,
  parseBoard,
  parseShape,
  starts,
  tileSum,
} from "@gridlock/game";
import {
  COMBINATIONS,
  ORDERINGS,
  PAPER_BEST,
  PaperSearch,
  type RunOptions,
  type Techniques,
} from "@gridlock/lab";
import { describe, expect, it } from "vitest";
import {
  combinations,
  GAME_2X2,
  GAME_2X3,
  PRUNINGS,
  positionOf,
  product,
  sample,
  TABLES,
  VALUES_2X2,
  VALUES_2X3,
} from "./setups.js";
import { type Values, valuesOf } from "./values.js";

/**
 * Searches each node to the end of the game; returns the results that retrograde analysis
 * contradicts.
 */
function disagreements(
  { grid, positions, afterstates }: Values,
  search: PaperSearch,
  nodes: Iterable<Node>,
  options: RunOptions = {},
): string[] {
  const wrong: string[] = [];
  for (const node of nodes) {
    const { value, complete } = search.run(node, Number.POSITIVE_INFINITY, options);
    const values = node.turn === "slider" ? positions : afterstates;
    const expected = values.get(grid.canonical(grid.encode(node.board)));
    if (value === expected && complete) continue;
    wrong.push(
      `${formatBoard(node.board, node.turn)}: ${value}, not ${expected}, complete ${complete}, by ${JSON.stringify(search.techniques)}`,
    );
  }
  return wrong;
}

describe("the starts of 2x2", () => {
  it.each([
    ["2 2/0 0", 12],
    ["2 4/0 0", 8],
    ["4 4/0 0", 8],
    ["2 0/0 2", 12],
    ["2 0/0 4", 8],
    ["4 0/0 4", 8],
  ])("%s is worth %i points", (text, value) => {
    for (const { techniques } of COMBINATIONS) {
      const result = new PaperSearch(GAME_2X2, techniques).run(
        parseBoard(text),
        Number.POSITIVE_INFINITY,
      );
      expect(result).toMatchObject({ value, complete: true });
    }
  });
});

describe.each(product(PRUNINGS, TABLES))("every combination of %s and table %s on 2x2", (p, t) => {
  const all = sample(VALUES_2X2, "slider", 1);
  const allStarts = starts(GAME_2X2.shape).map(positionOf);
  const late = all.filter(({ board }) => tileSum(board) >= 30);

  it.each(ORDERINGS)("has the values of retrograde analysis, ordering %s", (ordering) => {
    for (const techniques of combinations({ pruning: p, table: t, ordering })) {
      const search = new PaperSearch(GAME_2X2, techniques);
      // A search with neither table nor lower-bound pruning takes millions of nodes from a start.
      const fromStarts = t !== "none" || (p === "alpha-beta" && techniques.lowerBound);
      // Deepening searches each node many times.
      const some = late.filter((_, i) => ordering !== "deepening" || i % 9 === 0);
      const nodes = fromStarts ? [...allStarts, ...some] : some;
      expect(disagreements(VALUES_2X2, search, nodes)).toEqual([]);
    }
  });
});

describe.each(product(PRUNINGS, TABLES.slice(1)))(
  "every combination of %s and table %s on 2x3",
  (p, t) => {
    const middle = parseBoard("16 8 2/4 2 0");
    const late = [
      ...sample(VALUES_2X3, "slider", 2999).slice(-4),
      ...sample(VALUES_2X3, "placer", 1999).slice(-4),
    ];
    const many = [...sample(VALUES_2X3, "slider", 17_999), ...sample(VALUES_2X3, "placer", 11_999)];
    const keepTable = true;

    it.each(ORDERINGS)("has the values of retrograde analysis, ordering %s", (ordering) => {
      for (const techniques of combinations({ pruning: p, table: t, ordering })) {
        const search = new PaperSearch(GAME_2X3, techniques);
        expect(disagreements(VALUES_2X3, search, late)).toEqual([]);
        // Plain minimax uses neither, and is slow enough without.
        const idle = p === "none" && (techniques.lowerBound || techniques.footnote);
        if (idle) continue;
        if (p !== "none") expect(disagreements(VALUES_2X3, search, [middle])).toEqual([]);
        expect(disagreements(VALUES_2X3, search, many, { keepTable })).toEqual([]);
      }
    });
  },
);

describe("a full search of 2x3", () => {
  const allStarts = starts(GAME_2X3.shape).map(positionOf);

  it.each<[name: string, change: Partial<Techniques>]>([
    ["the paper's best", {}],
    ["the paper's best with a sound bound", { value: "sound" }],
    ["the same with merges behind an empty cell", { value: "sound-behind" }],
    ["the score alone", { value: "score", table: "all-images" }],
  ])("by %s has the values of all starts", (_, change) => {
    const search = new PaperSearch(GAME_2X3, { ...PAPER_BEST, ...change });
    expect(disagreements(VALUES_2X3, search, allStarts)).toEqual([]);
  });

  it("of upright boards has the same values", () => {
    const search = new PaperSearch(
      { shape: parseShape("3x2"), tiles: [2, 4] },
      { ...PAPER_BEST, value: "sound" },
    );
    for (const { board, turn } of allStarts) {
      const upright = applySymmetry(board, { transpose: true, flipRows: false, flipCols: true });
      const { value } = search.run({ board: upright, turn }, Number.POSITIVE_INFINITY);
      expect(value).toBe(VALUES_2X3.positions.get(VALUES_2X3.grid.encode(board)));
    }
  });

  // Iterations of deepening find entries of earlier ones: values that are not of the whole game,
  // and upper bounds that are not lower bounds.
  it.each([
    ["4 128 8/2 2 0", "plain"],
    ["4 128 8/2 2 0", "on-reading"],
    ["16 8 4/32 8 2", "all-images"],
    ["16 8 4/32 8 2", "on-reading"],
    ["4 8 2/2 4 0", "plain"],
    ["4 4 4/0 4 0", "plain"],
    ["8 0 2/16 4 0", "on-reading"],
    ["0 8 4/4 0 0", "on-reading"],
  ] as const)("of %s by iterative deepening has its value, table %s", (text, table) => {
    for (const techniques of combinations({
      pruning: "alpha-beta",
      table,
      ordering: "deepening",
    })) {
      const search = new PaperSearch(GAME_2X3, techniques);
      expect(disagreements(VALUES_2X3, search, [parseBoard(text)])).toEqual([]);
    }
  });

  it("with 2s only has the values of all starts", () => {
    const game = { shape: parseShape("2x3"), tiles: [2] } as const;
    const values = valuesOf(game);
    const search = new PaperSearch(game, { ...PAPER_BEST, value: "sound" });
    expect(disagreements(values, search, allStarts)).toEqual([]);
  });

  it("in any order of moves has the same value", () => {
    const search = new PaperSearch(
      GAME_2X3,
      { ...PAPER_BEST, value: "sound" },
      { slides: ["up", "right", "left", "down"], foursFirst: false, cellsReversed: true },
    );
    expect(disagreements(VALUES_2X3, search, allStarts)).toEqual([]);
  });
});
