import { type Game, normalShape, starts, type Tiles, tileSum } from "@gridlock/game";
import { ALL_SLIDES, EVERY_SLIDE, Grid, ILLEGAL } from "./grid.js";
import { KeyIndex } from "./key-index.js";

/** Codes of boards; 32 bits suffice on shapes of up to 9 cells, all others need a double. */
export type Codes = Uint32Array | Float64Array;

/** Codes of the canonical positions of one tile sum. */
export interface Layer {
  /** Sum of the tiles. */
  readonly sum: number;
  readonly positions: Codes;
}

/** All layers of a game in ascending order of their sum; sums without positions are omitted. */
export interface Layers {
  readonly game: Game;
  readonly grid: Grid;
  readonly layers: readonly Layer[];
  /** Numbers of canonical boards in all layers. */
  readonly counts: { readonly positions: number; readonly afterstates: number };
}

/**
 * Finds every canonical position that play from the starts can reach, and counts the afterstates. A
 * slide keeps the tile sum and a placement raises it, so each layer of equal sum follows from the
 * two below it. Memory holds the codes of all positions (4 or 8 bytes each) and an index of three
 * layers.
 *
 * @throws {RangeError} if the shape has too many boards; see {@link Grid}
 */
export function enumerate(game: Game): Layers {
  const grid = new Grid(normalShape(game.shape));
  const frontier = new Frontier(grid, game.tiles);
  for (const start of starts(grid.shape)) frontier.add(tileSum(start), grid.encode(start));
  const layers: Layer[] = [];
  const counts = { positions: 0, afterstates: 0 };
  for (const layer of frontier.layers()) {
    const { sum, positions } = layer;
    const slid = new KeyIndex(positions.length);
    for (const position of positions) {
      grid.set(position);
      addSlides(grid, EVERY_SLIDE, slid);
    }
    frontier.place(sum, slid.keys());
    layers.push(layer);
    counts.positions += positions.length;
    counts.afterstates += slid.size;
  }
  return { game, grid, layers, counts };
}

/** Adds the canonical afterstates of the legal ones of some slides of the board that was set. */
export function addSlides(grid: Grid, slides: number, to: KeyIndex): void {
  for (const slide of ALL_SLIDES) {
    if ((slides & (1 << slide)) === 0) continue;
    const code = grid.slideToCanonical(slide);
    if (code !== ILLEGAL) to.add(code);
  }
}

/** The positions that play is known to reach and that are not looked at yet, by their tile sum. */
export class Frontier {
  readonly #grid: Grid;
  readonly #tiles: Tiles;
  readonly #indices = new Map<number, KeyIndex>();

  constructor(grid: Grid, tiles: Tiles) {
    this.#grid = grid;
    this.#tiles = tiles;
  }

  /** Adds the canonical code of a position. */
  add(sum: number, code: number): void {
    this.#at(sum).add(code);
  }

  /** Adds the positions after all placements on the afterstates of a sum. */
  place(sum: number, afterstates: Float64Array): void {
    const next = this.#tiles.map((tile) => this.#at(sum + tile));
    for (const afterstate of afterstates) {
      this.#grid.images(afterstate);
      const exponents = this.#grid.exponents(afterstate);
      for (let cell = 0; cell < exponents.length; cell++) {
        if (exponents[cell] !== 0) continue;
        for (const [i, index] of next.entries())
          index.add(this.#grid.placeToCanonical(cell, i + 1));
      }
    }
  }

  /**
   * Removes and yields the positions of each sum in ascending order, until the caller has added no
   * others. Sums without positions are omitted.
   */
  *layers(): Generator<Layer> {
    for (let sum = 4; this.#indices.size > 0; sum += 2) {
      const keys = this.#at(sum).keys();
      this.#indices.delete(sum);
      if (keys.length > 0) yield { sum, positions: compact(this.#grid, keys) };
    }
  }

  #at(sum: number): KeyIndex {
    const index = this.#indices.get(sum) ?? new KeyIndex();
    this.#indices.set(sum, index);
    return index;
  }
}

/** Returns codes in as few bits as suffice for their grid. */
function compact(grid: Grid, codes: Float64Array): Codes {
  return grid.base ** grid.cells <= 2 ** 32 ? Uint32Array.from(codes) : codes;
}
