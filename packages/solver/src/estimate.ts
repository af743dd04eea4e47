import { cellCount, type Shape } from "@gridlock/game";

/** The expected cost of solving all starts of a shape: orders of magnitude, for planning only. */
export interface Estimate {
  /** Positions and afterstates expanded. */
  readonly nodes: number;
  /** Bytes of a table with room for every entry. */
  readonly tableBytes: number;
  /** Seconds on one thread. */
  readonly seconds: number;
}

/** Nodes for all starts of 3×3, and their growth with each further cell (3×3 to 3×4). */
const NODES_OF_NINE_CELLS = 100_000;
const GROWTH_PER_CELL = 11;
/** The same for two rows (2×4 to 2×7). */
const NODES_OF_TWO_ROWS = 300_000;
const GROWTH_PER_CELL_OF_TWO_ROWS = 6.2;
/** Rough number of nodes that one thread expands in a second. */
const NODES_PER_SECOND = 1_000_000;
/** Each node has at most one table entry, of 8 bytes. */
const BYTES_PER_NODE = 8;

/** The same for a single row, which has far fewer nodes: nodes for two cells, growth per cell. */
const NODES_OF_A_PAIR = 4;
const GROWTH_PER_CELL_OF_A_ROW = 3.3;

/** The largest part of a search to report as done: it may need more nodes than estimated. */
const MOST_PART = 0.95;

/** Estimates the part of a search that is done, 0 to 0.95, from its expanded nodes. */
export function partOfSearch(shape: Shape, nodes: number): number {
  return Math.min(nodes / estimate(shape).nodes, MOST_PART);
}

/** Part of a search from which an estimate of the rest means something. */
const FIRST_PART = 0.01;

/**
 * Estimates the seconds that a search still takes; `undefined` at its beginning, and once it has
 * expanded more nodes than estimated, as when several workers search the same.
 *
 * @param nodes nodes expanded so far, in all runs that it resumes
 * @param rate nodes a second; 0 while that is not known
 */
export function secondsLeft(shape: Shape, nodes: number, rate: number): number | undefined {
  const all = estimate(shape).nodes;
  if (rate === 0 || nodes > all || nodes < FIRST_PART * all) return undefined;
  return ((1 - partOfSearch(shape, nodes)) * all) / rate;
}

/** Estimated nodes of a shape up to which the search for any board takes less than about 0.15 s. */
const QUICK_NODES = 200_000;

/** Returns whether the search for any board of a shape takes but a moment. */
export function isQuick(shape: Shape): boolean {
  return estimate(shape).nodes <= QUICK_NODES;
}

/** Extrapolates the cost of a shape from measured counts: up to 12 cells, and 2×7. */
export function estimate(shape: Shape): Estimate {
  const nodes = nodesOf(cellCount(shape), Math.min(shape.rows, shape.cols));
  return { nodes, tableBytes: nodes * BYTES_PER_NODE, seconds: nodes / NODES_PER_SECOND };
}

function nodesOf(cells: number, rows: number): number {
  if (rows === 1) return NODES_OF_A_PAIR * GROWTH_PER_CELL_OF_A_ROW ** (cells - 2);
  if (rows === 2) return NODES_OF_TWO_ROWS * GROWTH_PER_CELL_OF_TWO_ROWS ** (cells - 9);
  return NODES_OF_NINE_CELLS * GROWTH_PER_CELL ** (cells - 9);
}
