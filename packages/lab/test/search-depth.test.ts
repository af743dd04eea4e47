import { type Node, parseBoard, placements, slides } from "@gridlock/game";
import {
  BASELINE,
  LBHSV_FORMS,
  Lbhsv,
  ORDERINGS,
  PAPER_BEST,
  PaperSearch,
  type Techniques,
} from "@gridlock/lab";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  GAME_2X2,
  GAME_3X3,
  ON_AND_OFF,
  product,
  SOUND_VALUES,
  sample,
  VALUES_2X2,
} from "./setups.js";

describe("the paper's node counts on 3x3 from 2 2 0/0 0 0/0 0 0", () => {
  const search = new PaperSearch(GAME_3X3, PAPER_BEST);
  const start = parseBoard("2 2 0/0 0 0/0 0 0");

  // Those of Tables 3 and 4 that are reproduced to the digit.
  it.each([
    [6, 181],
    [7, 233],
    [8, 385],
    [9, 489],
    [10, 1722],
    [11, 1910],
    [12, 3858],
    [13, 4276],
    [14, 10_031],
    [15, 11_534],
    [16, 13_465],
    [17, 15_205],
  ])("to depth %i are %i, each time", (depth, count) => {
    for (let time = 0; time < 2; time++) {
      const { nodes, complete } = search.run(start, depth);
      expect(nodes.positions + nodes.afterstates).toBe(count);
      expect(complete).toBe(false);
    }
  });
});

describe("a search to a depth", () => {
  const tiles = fc.constantFrom(0, 0, 2, 2, 4, 4, 8, 16);
  const anyNode: fc.Arbitrary<Node> = fc
    .tuple(
      fc.array(tiles, { minLength: 9, maxLength: 9 }),
      fc.constantFrom("slider", "placer"),
      fc.nat(8),
    )
    .map(([cells, turn, empty]) => ({
      board: { ...GAME_3X3.shape, cells: cells.map((tile, i) => (i === empty ? 0 : tile)) },
      turn,
    }));
  const plain: Techniques = { ...BASELINE, pruning: "none" };

  /** Computes minimax over `game`, with leaves worth the points to come by `leaf`. */
  function minimax({ board, turn }: Node, depth: number, leaf: (node: Node) => number): number {
    const max = turn === "slider";
    const children = max
      ? slides(board)
      : placements(board, GAME_3X3.tiles).map((next) => ({ board: next.board, score: 0 }));
    if (children.length === 0) return 0;
    if (depth === 0) return leaf({ board, turn });
    const worths = children.map(
      (child) =>
        child.score +
        minimax({ board: child.board, turn: max ? "placer" : "slider" }, depth - 1, leaf),
    );
    return max ? Math.max(...worths) : Math.min(...worths);
  }

  it.each(["score", ...LBHSV_FORMS] as const)("is plain minimax with leaves worth %s", (value) => {
    const search = new PaperSearch(GAME_3X3, { ...plain, value });
    const { grid } = search;
    const lbhsv = value === "score" ? undefined : new Lbhsv(grid, value);
    const leaf = ({ board, turn }: Node) => {
      const code = grid.encode(board);
      return (turn === "slider" ? lbhsv?.position(code) : lbhsv?.afterstate(code)) ?? 0;
    };
    fc.assert(
      fc.property(anyNode, fc.nat(3), (node, depth) => {
        expect(search.run(node, depth).value).toBe(minimax(node, depth, leaf));
      }),
    );
  });

  it.each(["score", ...LBHSV_FORMS] as const)(
    "has the same value with alpha-beta, with leaves worth %s",
    (value) => {
      const minimaxSearch = new PaperSearch(GAME_3X3, { ...plain, value });
      const alphaBeta = ORDERINGS.map(
        (ordering) => new PaperSearch(GAME_3X3, { ...BASELINE, value, ordering }),
      );
      fc.assert(
        fc.property(anyNode, fc.integer({ min: 1, max: 5 }), (node, depth) => {
          const full = minimaxSearch.run(node, depth);
          for (const search of alphaBeta) {
            const pruned = search.run(node, depth);
            expect(pruned.value).toBe(full.value);
          }
        }),
        { numRuns: 30 },
      );
    },
  );

  it.each(["2 2 0/0 0 0/0 0 0", "0 0 0/0 4 0/0 0 2"])(
    "from %s saves nodes by alpha-beta",
    (text) => {
      const start = parseBoard(text);
      for (let depth = 3; depth <= 5; depth++) {
        const full = new PaperSearch(GAME_3X3, plain).run(start, depth);
        const pruned = new PaperSearch(GAME_3X3, BASELINE).run(start, depth);
        expect(pruned.value).toBe(full.value);
        expect(pruned.nodes.positions).toBeLessThan(full.nodes.positions);
      }
    },
  );

  it("counts each generated board, including the root and repeated boards", () => {
    const search = new PaperSearch(GAME_2X2, plain);
    // From 2 2/0 0: down, left and right, and two, three and three cells for two tiles each.
    const start = parseBoard("2 2/0 0");
    const positions = 1 + 4 + 6 + 6;
    expect(search.run(start, 0)).toMatchObject({
      nodes: { positions: 1, afterstates: 0 },
      deepest: 0,
    });
    expect(search.run(start, 1)).toMatchObject({
      nodes: { positions: 1, afterstates: 3 },
      deepest: 1,
    });
    expect(search.run(start, 2)).toMatchObject({
      nodes: { positions, afterstates: 3 },
      deepest: 2,
    });
  });

  it.each(ON_AND_OFF)(
    "is complete only if it has the exact value, keeping the table: %s",
    (keepTable) => {
      for (const [[value, footnote], ordering] of product(
        product(SOUND_VALUES, ON_AND_OFF),
        ORDERINGS,
      )) {
        const search = new PaperSearch(GAME_2X2, { ...PAPER_BEST, value, footnote, ordering });
        let incomplete = 0;
        const wrong: object[] = [];
        for (const depth of [1, 2, 3, 6, 9, 12, 60]) {
          for (const node of sample(VALUES_2X2, "slider", 1)) {
            const expected = VALUES_2X2.positions.get(search.grid.encode(node.board)) as number;
            const found = search.run(node, depth, { keepTable });
            const { complete, value = Number.NaN } = found;
            if (!complete) incomplete++;
            const isRight = complete ? value === expected : value <= expected;
            if (!isRight) wrong.push({ node, depth, found, expected });
          }
        }
        expect(wrong).toEqual([]);
        if (!keepTable) expect(incomplete).toBeGreaterThan(50);
      }
    },
  );

  it("that was cut off stays incomplete when repeated with the same table", () => {
    const search = new PaperSearch(GAME_3X3, PAPER_BEST);
    const start = parseBoard("2 2 0/0 0 0/0 0 0");
    const once = search.run(start, 6);
    const twice = search.run(start, 6, { keepTable: true });
    expect(twice.value).toBe(once.value);
    expect([once.complete, twice.complete]).toEqual([false, false]);
  });
});
