import {
  canonical,
  type Game,
  largestTileOn,
  type PackedBoard,
  packBoard,
  parseShape,
  starts,
  type Tiles,
  tileSum,
} from "@gridlock/game";
import { enumerate, type Layers, type Objective, valueLayers } from "@gridlock/lab";
import { Oracle, type PlainObjective } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

/**
 * Number of canonical positions and afterstates reachable from the starts; the counts of the game
 * are published.
 */
const COUNTS: [shape: string, tiles: Tiles, positions: number, afterstates: number][] = [
  ["1x2", [2, 4], 5, 2],
  ["1x4", [2], 61, 40],
  ["1x6", [2, 4], 10_830, 4760],
  ["2x2", [2, 4], 110, 67],
  ["2x2", [2], 36, 30],
  ["2x3", [2, 4], 21_752, 14_883],
  ["3x2", [2, 4], 21_752, 14_883],
  ["2x3", [2], 4421, 4531],
  ["2x4", [2], 764_954, 768_143],
];

const OBJECTIVES: [name: string, PlainObjective & Pick<Objective, "placer">][] = [
  ["score, against the placer", { end: () => 0, scored: true, placer: "adversary" }],
  ["score, with the placer's help", { end: () => 0, scored: true, placer: "helper" }],
  ["largest tile", { end: largestExponentOn, scored: false, placer: "adversary" }],
  ["largest tile, with help", { end: largestExponentOn, scored: false, placer: "helper" }],
];

function largestExponentOn(board: { readonly cells: readonly number[] }): number {
  return Math.log2(Math.max(...board.cells));
}

describe("the boards that play can reach", () => {
  it.each(COUNTS)(
    "are, for %s and tiles %j, %i positions and %i afterstates",
    (name, tiles, p, a) => {
      const { counts } = enumerate({ shape: parseShape(name), tiles });
      expect(counts).toEqual({ positions: p, afterstates: a });
    },
  );

  it("cannot be enumerated if there are too many", () => {
    expect(() => enumerate({ shape: parseShape("4x4"), tiles: [2, 4] })).toThrow(RangeError);
  });
});

describe.each([
  ["2x2", [2, 4]],
  ["2x2", [2]],
  ["1x5", [2, 4]],
  ["2x3", [2, 4]],
  ["2x3", [2]],
] satisfies [string, Tiles][])("the layers of %s, tiles %j", (name, tiles) => {
  const game: Game = { shape: parseShape(name), tiles };
  const layers = enumerate(game);

  it("ascend, each of canonical positions of its tile sum", () => {
    const { grid } = layers;
    let below = 0;
    for (const { sum, positions } of layers.layers) {
      expect(sum).toBeGreaterThan(below);
      below = sum;
      for (const code of positions) {
        const board = grid.decode(code);
        if (tileSum(board) !== sum) expect(tileSum(board)).toBe(sum);
        const form = canonical(board);
        if (grid.encode(form) !== code) expect(board).toEqual(form);
      }
    }
  });

  it.each(OBJECTIVES)("have the values of plain minimax: %s", (_, objective) => {
    const oracle = new Oracle(game, { objective });
    for (const start of starts(game.shape)) oracle.position(start);
    const found = valuesOf(layers, {
      ...objective,
      end: (code) => objective.end(layers.grid.decode(code)),
    });
    expect(differences(found.positions, oracle.positions)).toEqual([]);
    expect(differences(found.afterstates, oracle.afterstates)).toEqual([]);
  });
});

describe("the sweep", () => {
  it("visits each layer once, the highest tile sum first, with arrays to keep", () => {
    const layers = enumerate({ shape: parseShape("2x2"), tiles: [2, 4] });
    const kept: { sum: number; array: Float64Array; copy: Float64Array }[] = [];
    const objective: Objective = { end: () => 0, scored: true, placer: "adversary" };
    valueLayers(layers, objective, ({ sum, positionValues }) => {
      kept.push({ sum, array: positionValues, copy: positionValues.slice() });
    });
    expect(kept.map(({ sum }) => sum)).toEqual(layers.layers.map(({ sum }) => sum).reverse());
    for (const { array, copy } of kept) expect(array).toEqual(copy);
  });

  it("asks for the values of end states only", () => {
    const layers = enumerate({ shape: parseShape("2x2"), tiles: [2, 4] });
    const ends = new Set<string>();
    const objective: Objective = {
      end: (code) => {
        const board = layers.grid.decode(code);
        ends.add(board.cells.join());
        return largestTileOn(board);
      },
      scored: false,
      placer: "adversary",
    };
    valueLayers(layers, objective, () => {});
    for (const end of ends) {
      const [a, b, c, d] = end.split(",");
      expect(new Set([a, b]).size + new Set([c, d]).size).toBe(4);
      expect(new Set([a, c]).size + new Set([b, d]).size).toBe(4);
      expect(end.split(",")).not.toContain("0");
    }
    expect(ends.size).toBeGreaterThan(10);
  });
});

/** Returns all values by packed canonical board. */
function valuesOf(layers: Layers, objective: Objective) {
  const positions = new Map<PackedBoard, number>();
  const afterstates = new Map<PackedBoard, number>();
  const keyOf = (code: number) => packBoard(layers.grid.decode(code));
  valueLayers(layers, objective, (layer) => {
    layer.positions.forEach((code, i) => {
      expect(positions.has(keyOf(code))).toBe(false);
      positions.set(keyOf(code), layer.positionValues[i] as number);
    });
    layer.afterstates.forEach((code, i) => {
      afterstates.set(keyOf(code), layer.afterstateValues[i] as number);
    });
  });
  return { positions, afterstates };
}

/** Returns the first few boards on which two valuations differ, or that only one of them has. */
function differences(
  found: Map<PackedBoard, number>,
  expected: Map<PackedBoard, number>,
): string[] {
  const boards = new Set([...found.keys(), ...expected.keys()]);
  return [...boards]
    .filter((board) => found.get(board) !== expected.get(board))
    .slice(0, 5)
    .map((board) => `0x${board.toString(16)}: ${found.get(board)}, not ${expected.get(board)}`);
}
