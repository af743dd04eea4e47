import {
  applySymmetry,
  type Board,
  formatBoard,
  isEnd,
  type Node,
  type Placement,
  parseBoard,
  parseShape,
  placements,
  type Slide,
  slide,
  slides,
  starts,
  type Turn,
  tileSum,
} from "@gridlock/game";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BASELINE,
  COMBINATIONS,
  LBHSV_FORMS,
  Lbhsv,
  type MoveOrder,
  ORDERINGS,
  PAPER_BEST,
  PAPER_ORDER,
  PaperSearch,
  type RunOptions,
  type Techniques,
} from "../src/index.js";
import { type Values, valuesOf } from "./values.js";

const GAME_2X2 = { shape: parseShape("2x2"), tiles: [2, 4] } as const;
const GAME_2X3 = { shape: parseShape("2x3"), tiles: [2, 4] } as const;
const GAME_3X3 = { shape: parseShape("3x3"), tiles: [2, 4] } as const;

const PRUNINGS = ["none", "alpha-beta"] as const;
const TABLES = ["none", "plain", "all-images", "on-reading"] as const;
const SOUND_VALUES = ["score", "sound"] as const;
const ON_AND_OFF = [false, true] as const;
const LBHSV_TABLES = ["off", "filled"] as const;

function positionOf(board: Board): Node {
  return { board, turn: "slider" };
}

function product<A, B>(as: readonly A[], bs: readonly B[]): [A, B][] {
  return as.flatMap((a) => bs.map((b): [A, B] => [a, b]));
}

/** Every combination of switches that has these three, and whose static value is a sound one. */
function combinations(switches: Pick<Techniques, "pruning" | "table" | "ordering">): Techniques[] {
  return product(product(ON_AND_OFF, ON_AND_OFF), product(SOUND_VALUES, LBHSV_TABLES)).map(
    ([[lowerBound, footnote], [value, lbhsvTable]]) => ({
      ...switches,
      lowerBound,
      footnote,
      value,
      lbhsvTable,
    }),
  );
}

/** Searches each node to the end of the game; what came out otherwise than by retrograde analysis. */
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

/** Every so manieth of the nodes that play can reach, the least tile sum first. */
function sample({ grid, positions, afterstates }: Values, turn: Turn, every: number): Node[] {
  return [...(turn === "slider" ? positions : afterstates).keys()]
    .filter((_, i) => i % every === every - 1)
    .map((code) => ({ board: grid.decode(code), turn }));
}

const VALUES_2X2 = valuesOf(GAME_2X2);
const VALUES_2X3 = valuesOf(GAME_2X3);

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

describe("the paper's node counts on 3x3 from 2 2 0/0 0 0/0 0 0", () => {
  const search = new PaperSearch(GAME_3X3, PAPER_BEST);
  const start = parseBoard("2 2 0/0 0 0/0 0 0");

  // Tables 3 and 4, as far as they come out to the digit.
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

describe.each(product(PRUNINGS, TABLES))("every combination of %s and table %s on 2x2", (p, t) => {
  const all = sample(VALUES_2X2, "slider", 1);
  const allStarts = starts(GAME_2X2.shape).map(positionOf);
  const late = all.filter(({ board }) => tileSum(board) >= 30);

  it.each(ORDERINGS)("has the values of retrograde analysis, ordering %s", (ordering) => {
    for (const techniques of combinations({ pruning: p, table: t, ordering })) {
      const search = new PaperSearch(GAME_2X2, techniques);
      // A search with neither table nor lower-bound pruning takes millions of nodes from a start.
      const fromStarts = t !== "none" || (p === "alpha-beta" && techniques.lowerBound);
      const nodes = fromStarts ? [...allStarts, ...late] : late;
      expect(disagreements(VALUES_2X2, search, nodes)).toEqual([]);
    }
  });
});

describe.each(product(PRUNINGS, TABLES.slice(1)))(
  "every combination of %s and table %s on 2x3",
  (p, t) => {
    // Alpha-beta takes less than half as long from starts of a 2 and a 4 as from the others.
    const [first, second] = ["4 2 0/0 0 0", "0 4 0/0 2 0"].map(parseBoard) as [Node, Node];
    const late = [
      ...sample(VALUES_2X3, "slider", 2999).slice(-4),
      ...sample(VALUES_2X3, "placer", 1999).slice(-4),
    ];
    const many = [...sample(VALUES_2X3, "slider", 2999), ...sample(VALUES_2X3, "placer", 1999)];
    const keepTable = true;

    it.each(ORDERINGS)("has the values of retrograde analysis, ordering %s", (ordering) => {
      for (const techniques of combinations({ pruning: p, table: t, ordering })) {
        const search = new PaperSearch(GAME_2X3, techniques);
        expect(disagreements(VALUES_2X3, search, late)).toEqual([]);
        // Plain minimax has no use for either, and takes long enough without.
        const idle = p === "none" && (techniques.lowerBound || techniques.footnote);
        if (idle) continue;
        expect(disagreements(VALUES_2X3, search, [first])).toEqual([]);
        expect(disagreements(VALUES_2X3, search, [second, ...many], { keepTable })).toEqual([]);
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

  it("of boards that stand upright has the same values", () => {
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

  // Iterations of deepening meet what those before them have stored: values that are not of the whole game,
  // and upper bounds that are no lower ones.
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

  /** Minimax over `game`, its leaves worth what `leaf` says of the points to come. */
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

  it.each(["score", ...LBHSV_FORMS] as const)("is that minimax, its leaves worth %s", (value) => {
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
    "has the same value with alpha-beta, its leaves worth %s",
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

  it("counts each board generated, the root and boards met once more too", () => {
    const search = new PaperSearch(GAME_2X2, plain);
    // Of 2 2/0 0: down, left and right, and two, three and three cells for two tiles each.
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
    "is complete only with the value itself, keeping the table: %s",
    (keepTable) => {
      for (const [[value, footnote], ordering] of product(
        product(SOUND_VALUES, ON_AND_OFF),
        ORDERINGS,
      )) {
        const search = new PaperSearch(GAME_2X2, { ...PAPER_BEST, value, footnote, ordering });
        let incomplete = 0;
        for (const depth of [1, 2, 3, 6, 9, 12, 60]) {
          for (const node of sample(VALUES_2X2, "slider", 1)) {
            const expected = VALUES_2X2.positions.get(search.grid.encode(node.board)) as number;
            const result = search.run(node, depth, { keepTable });
            expect(result.value).toBeLessThanOrEqual(expected);
            if (result.complete) expect(result.value).toBe(expected);
            else incomplete++;
          }
        }
        if (!keepTable) expect(incomplete).toBeGreaterThan(50);
      }
    },
  );

  it("cut off is no more complete when it is repeated with the table of before", () => {
    const search = new PaperSearch(GAME_3X3, PAPER_BEST);
    const start = parseBoard("2 2 0/0 0 0/0 0 0");
    const once = search.run(start, 6);
    const twice = search.run(start, 6, { keepTable: true });
    expect(twice.value).toBe(once.value);
    expect([once.complete, twice.complete]).toEqual([false, false]);
  });
});

describe("a run", () => {
  const start = parseBoard("2 2/0 0");

  it("of the whole game is repeated from the table in one node, and without it in as many", () => {
    const search = new PaperSearch(GAME_2X2, PAPER_BEST);
    const full = search.run(start, Number.POSITIVE_INFINITY);
    const kept = search.run(start, Number.POSITIVE_INFINITY, { keepTable: true });
    expect(kept).toMatchObject({ value: 12, complete: true, entries: full.entries });
    expect(kept.nodes).toEqual({ positions: 1, afterstates: 0 });
    expect(kept.prunings).toEqual({ alphaBeta: 0, immediate: 0, shallow: 0, deep: 0, table: 1 });
    const again = search.run(start, Number.POSITIVE_INFINITY);
    expect({ ...again, seconds: 0 }).toEqual({ ...full, seconds: 0 });
  });

  it("gives up beyond as many nodes as it may generate, and not before", () => {
    for (const { techniques } of COMBINATIONS) {
      const search = new PaperSearch(GAME_2X2, techniques);
      const full = search.run(start, Number.POSITIVE_INFINITY);
      const nodes = full.nodes.positions + full.nodes.afterstates;
      const enough = search.run(start, Number.POSITIVE_INFINITY, { mostNodes: nodes });
      expect(enough).toMatchObject({ value: 12, complete: true });
      for (const mostNodes of [0, 1, nodes - 1]) {
        const gaveUp = search.run(start, Number.POSITIVE_INFINITY, { mostNodes });
        expect(gaveUp).toMatchObject({ value: undefined, complete: false });
      }
      // What is in the table when a run gives up is true all the same.
      const goesOn = search.run(start, Number.POSITIVE_INFINITY, { keepTable: true });
      expect(goesOn).toMatchObject({ value: 12, complete: true });
    }
  });

  it("leaves its result as it is, whatever is searched next", () => {
    const search = new PaperSearch(GAME_2X2, PAPER_BEST);
    const result = search.run(start, Number.POSITIVE_INFINITY);
    const copy = structuredClone(result);
    search.endState(start);
    expect(result).toEqual(copy);
    search.run(parseBoard("4 4/0 0"), Number.POSITIVE_INFINITY, { keepTable: true });
    expect(result).toEqual(copy);
  });
});

describe("the end state of best play", () => {
  /** Where the first best move of each node leads, by the values of retrograde analysis. */
  function endOf({ grid, positions, afterstates }: Values, board: Board, order: MoveOrder): Board {
    const worth = (values: ReadonlyMap<number, number>, of: Board) =>
      values.get(grid.canonical(grid.encode(of))) as number;
    const moves = order.slides.flatMap((direction) => slide(board, direction) ?? []);
    if (moves.length === 0) return board;
    const best = moves.find(
      (move) => move.score + worth(afterstates, move.board) === worth(positions, board),
    ) as Slide;
    const all = placements(best.board, [2, 4]).sort((a, b) => {
      const byCell = order.cellsReversed ? b.cell - a.cell : a.cell - b.cell;
      return order.foursFirst ? b.tile - a.tile || byCell : byCell || b.tile - a.tile;
    });
    const worst = all.find(
      (placement) => worth(positions, placement.board) === worth(afterstates, best.board),
    ) as Placement;
    return endOf({ grid, positions, afterstates }, worst.board, order);
  }

  const orders: MoveOrder[] = [
    PAPER_ORDER,
    { slides: ["up", "right", "left", "down"], foursFirst: false, cellsReversed: true },
  ];

  it.each([
    ["2x2", VALUES_2X2],
    ["2x3", VALUES_2X3],
  ] as const)("of each start of %s is where the first of the best moves lead", (name, values) => {
    const shape = parseShape(name);
    for (const table of TABLES.slice(1)) {
      for (const [value, order] of product(SOUND_VALUES, orders)) {
        const search = new PaperSearch(
          { shape, tiles: [2, 4] },
          { ...PAPER_BEST, table, value, ordering: value === "score" ? "fixed" : "mixed" },
          order,
        );
        starts(shape).forEach((start, i) => {
          // From what a full search has left in the table as well as from one that was cut off.
          const depth = i % 2 === 0 ? Number.POSITIVE_INFINITY : 4;
          search.run(positionOf(start), depth, { keepTable: true });
          const end = search.endState(positionOf(start));
          expect(isEnd(end)).toBe(true);
          expect(end).toEqual(endOf(values, start, order));
        });
      }
    }
  });

  it("of an end state is itself, and of an afterstate has what the placer puts there", () => {
    const search = new PaperSearch(GAME_2X2, PAPER_BEST);
    const { board: end } = parseBoard("2 4/8 2");
    expect(search.endState(positionOf(end))).toEqual(end);
    // Here a 4 could be slid on, and a 2 ends the game.
    expect(search.endState(parseBoard("2 4/4 0 placer"))).toEqual(parseBoard("2 4/4 2").board);
  });
});

describe("prunings", () => {
  const start = parseBoard("2 2 0/0 0 0/0 0 0");
  const depth = 8;

  it.each(product(TABLES, ["score", "sound", "printed"] as const))(
    "without lower bounds are by alpha-beta or the table alone: table %s, value %s",
    (table, value) => {
      for (const ordering of ORDERINGS) {
        const search = new PaperSearch(GAME_3X3, {
          ...PAPER_BEST,
          table,
          value,
          ordering,
          lowerBound: false,
        });
        const { prunings } = search.run(start, table === "none" ? 5 : depth);
        expect(prunings).toMatchObject({ immediate: 0, shallow: 0, deep: 0 });
        expect(prunings.alphaBeta).toBeGreaterThan(0);
        expect(prunings.table > 0).toBe(table !== "none");
      }
    },
  );

  it("of all kinds are found with them", () => {
    const of = (value: Techniques["value"]) =>
      new PaperSearch(GAME_3X3, { ...PAPER_BEST, value }).run(start, depth).prunings;
    // A position's score is that of the afterstate before it, which has already been held against its parent,
    // and LBHSV of an afterstate is no more than of the position before it: each bound misses one kind.
    const [byScore, byLbhsv] = [of("score"), of("sound")];
    for (const kind of ["alphaBeta", "deep", "table"] as const) {
      expect(byScore[kind]).toBeGreaterThan(0);
      expect(byLbhsv[kind]).toBeGreaterThan(0);
    }
    expect(byScore.immediate).toBeGreaterThan(0);
    expect(byLbhsv.shallow).toBeGreaterThan(0);
  });

  it("of plain minimax are none, but by the table, whatever is switched on besides", () => {
    const counts = product(ON_AND_OFF, ON_AND_OFF).map(([lowerBound, footnote]) => {
      const techniques: Techniques = { ...PAPER_BEST, pruning: "none", lowerBound, footnote };
      const search = new PaperSearch(GAME_2X2, { ...techniques, ordering: "deepening" });
      const { nodes, prunings, entries } = search.run(parseBoard("2 2/0 0"), 20);
      expect(prunings).toMatchObject({ alphaBeta: 0, immediate: 0, shallow: 0, deep: 0 });
      const withoutTable = new PaperSearch(GAME_3X3, { ...techniques, table: "none" });
      expect(Object.values(withoutTable.run(start, 4).prunings)).toEqual([0, 0, 0, 0, 0]);
      return { nodes, prunings, entries };
    });
    for (const count of counts) expect(count).toEqual(counts[0]);
  });
});
