import { type Game, normalShape, starts, tileSum } from "@gridlock/game";
import { ALL_SLIDES, Grid, ILLEGAL } from "./grid.js";
import { KeyIndex } from "./key-index.js";

/** Codes of boards; 32 bits suffice on shapes of up to 9 cells, all others need a double. */
export type Codes = Uint32Array | Float64Array;

/** Codes of the canonical boards of one tile sum that play from the starts can reach. */
export interface Layer {
  /** Sum of the tiles. */
  readonly sum: number;
  readonly positions: Codes;
  readonly afterstates: Codes;
}

/** All layers of a game in ascending order of their sum; sums without positions are omitted. */
export interface Layers {
  readonly game: Game;
  readonly grid: Grid;
  readonly layers: readonly Layer[];
}

/**
 * Finds every canonical board that play from the starts can reach. A slide keeps the tile sum and a
 * placement raises it, so each layer of equal sum follows from the two below it. Memory holds the
 * codes of all boards (4 or 8 bytes each) and an index of three layers.
 *
 * @throws {RangeError} if the shape has too many boards; see {@link Grid}
 */
export function enumerate(game: Game): Layers {
  const grid = new Grid(normalShape(game.shape));
  const coming = new Map<number, KeyIndex>();
  const positionsOf = (sum: number) => {
    const index = coming.get(sum) ?? new KeyIndex();
    coming.set(sum, index);
    return index;
  };
  for (const start of starts(grid.shape)) {
    positionsOf(tileSum(start)).add(grid.encode(start));
  }
  const layers: Layer[] = [];
  for (let sum = 4; coming.size > 0; sum += 2) {
    const positions = coming.get(sum)?.keys() ?? new Float64Array();
    coming.delete(sum);
    if (positions.length === 0) continue;
    const afterstates = afterstatesOf(grid, positions);
    for (const tile of game.tiles) {
      const next = positionsOf(sum + tile);
      for (const afterstate of afterstates) {
        grid.images(afterstate);
        for (let cell = 0; cell < grid.cells; cell++) {
          if (grid.isEmpty(afterstate, cell)) next.add(grid.placeToCanonical(cell, tile / 2));
        }
      }
    }
    layers.push({
      sum,
      positions: compact(grid, positions),
      afterstates: compact(grid, afterstates),
    });
  }
  return { game, grid, layers };
}

/** Returns the distinct canonical afterstates that slides of some positions lead to. */
export function afterstatesOf(grid: Grid, positions: Codes): Float64Array {
  const slid = new KeyIndex(positions.length);
  for (const position of positions) {
    grid.set(position);
    for (const direction of ALL_SLIDES) {
      const code = grid.slideToCanonical(direction);
      if (code !== ILLEGAL) slid.add(code);
    }
  }
  return slid.keys();
}

/** Returns codes in as few bits as suffice for their grid. */
export function compact(grid: Grid, codes: Float64Array): Codes {
  return grid.base ** grid.cells <= 2 ** 32 ? Uint32Array.from(codes) : codes;
}

/** Counts the canonical positions and afterstates of all layers. */
export function countBoards({ layers }: Layers) {
  return layers.reduce(
    (counts, layer) => ({
      positions: counts.positions + layer.positions.length,
      afterstates: counts.afterstates + layer.afterstates.length,
    }),
    { positions: 0, afterstates: 0 },
  );
}
