import {
  type Board,
  isEnd,
  type Placement,
  parseBoard,
  parseShape,
  placements,
  type Slide,
  slide,
  starts,
} from "@gridlock/game";
import {
  COMBINATIONS,
  type MoveOrder,
  ORDERINGS,
  PAPER_BEST,
  PAPER_ORDER,
  PaperSearch,
  type Techniques,
} from "@gridlock/lab";
import { describe, expect, it } from "vitest";
import {
  GAME_2X2,
  GAME_3X3,
  ON_AND_OFF,
  positionOf,
  product,
  SOUND_VALUES,
  TABLES,
  VALUES_2X2,
  VALUES_2X3,
} from "./setups.js";
import type { Values } from "./values.js";

describe("a run", () => {
  const start = parseBoard("2 2/0 0");

  it("of the whole game repeats in one node with the table, and in as many without", () => {
    const search = new PaperSearch(GAME_2X2, PAPER_BEST);
    const full = search.run(start, Number.POSITIVE_INFINITY);
    const kept = search.run(start, Number.POSITIVE_INFINITY, { keepTable: true });
    expect(kept).toMatchObject({ value: 12, complete: true, entries: full.entries });
    expect(kept.nodes).toEqual({ positions: 1, afterstates: 0 });
    expect(kept.prunings).toEqual({ alphaBeta: 0, immediate: 0, shallow: 0, deep: 0, table: 1 });
    const again = search.run(start, Number.POSITIVE_INFINITY);
    expect({ ...again, seconds: 0 }).toEqual({ ...full, seconds: 0 });
  });

  it("gives up exactly when it exceeds its limit of nodes", () => {
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
      // The table's entries are true even if a run gave up.
      const goesOn = search.run(start, Number.POSITIVE_INFINITY, { keepTable: true });
      expect(goesOn).toMatchObject({ value: 12, complete: true });
    }
  });

  it("returns a result that later searches do not change", () => {
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
  /**
   * Follows the first best move of each node, by the values of retrograde analysis; returns the end
   * state.
   */
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
  ] as const)("of each start of %s is reached by the first best moves", (name, values) => {
    const shape = parseShape(name);
    for (const table of TABLES.slice(1)) {
      for (const [value, order] of product(SOUND_VALUES, orders)) {
        const search = new PaperSearch(
          { shape, tiles: [2, 4] },
          { ...PAPER_BEST, table, value, ordering: value === "score" ? "fixed" : "mixed" },
          order,
        );
        starts(shape).forEach((start, i) => {
          // From the table of a full search as well as from that of one that was cut off.
          const depth = i % 2 === 0 ? Number.POSITIVE_INFINITY : 4;
          search.run(positionOf(start), depth, { keepTable: true });
          const end = search.endState(positionOf(start));
          expect(isEnd(end)).toBe(true);
          expect(end).toEqual(endOf(values, start, order));
        });
      }
    }
  });

  it("of an end state is that state, and of an afterstate includes the placement", () => {
    const search = new PaperSearch(GAME_2X2, PAPER_BEST);
    const { board: end } = parseBoard("2 4/8 2");
    expect(search.endState(positionOf(end))).toEqual(end);
    // After a 4 here, a slide would be legal; a 2 ends the game.
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
    // A position's score is that of the previous afterstate, which has already been compared with
    // its parent, and LBHSV of an afterstate is at most that of the previous position: each bound
    // misses one kind.
    const [byScore, byLbhsv] = [of("score"), of("sound")];
    for (const kind of ["alphaBeta", "deep", "table"] as const) {
      expect(byScore[kind]).toBeGreaterThan(0);
      expect(byLbhsv[kind]).toBeGreaterThan(0);
    }
    expect(byScore.immediate).toBeGreaterThan(0);
    expect(byLbhsv.shallow).toBeGreaterThan(0);
  });

  it("in plain minimax come from the table alone, whatever else is switched on", () => {
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
