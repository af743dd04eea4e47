import {
  type Board,
  DIRECTIONS,
  emptyCells,
  place,
  type Slide,
  slide,
  type Tiles,
} from "@gridlock/game";

/**
 * Confirms a value of a position one step further: `h ≥ v` for the lower side, `h ≤ u` for the
 * upper.
 */
export type Below = (position: Board, value: number) => boolean;

/** Generates the legal slides of a position in the order up, left, down, right. */
export function* legalSlides(position: Board): Generator<Slide> {
  for (const direction of DIRECTIONS) {
    const slid = slide(position, direction);
    if (slid !== undefined) yield slid;
  }
}

/**
 * Generates the positions after all placements: cells in reading order, in each the 2 before the 4.
 */
export function* positionsAfter(afterstate: Board, tiles: Tiles): Generator<Board> {
  for (const cell of emptyCells(afterstate)) {
    for (const tile of tiles) yield place(afterstate, cell, tile).board;
  }
}

/**
 * Returns whether `h(position) ≥ v`, v > 0, follows by one slide: some slide earns s such that v ≤ s, or
 * `below` confirms `h ≥ v − s` for the position after every placement.
 */
export function lowerFollows(position: Board, tiles: Tiles, v: number, below: Below): boolean {
  for (const { board, score } of legalSlides(position)) {
    if (v - score <= 0) return true;
    if (everyHolds(positionsAfter(board, tiles), v - score, below)) return true;
  }
  return false;
}

/**
 * Returns whether `h(position) ≤ u`, u ≥ 0, follows by one placement: after every slide, which earns s,
 * `below` confirms `h ≤ u − s` for the position after some placement.
 */
export function upperFollows(position: Board, tiles: Tiles, u: number, below: Below): boolean {
  for (const { board, score } of legalSlides(position)) {
    if (!someHolds(positionsAfter(board, tiles), u - score, below)) return false;
  }
  return true;
}

function everyHolds(positions: Iterable<Board>, value: number, below: Below): boolean {
  for (const position of positions) {
    if (!below(position, value)) return false;
  }
  return true;
}

function someHolds(positions: Iterable<Board>, value: number, below: Below): boolean {
  for (const position of positions) {
    if (below(position, value)) return true;
  }
  return false;
}
