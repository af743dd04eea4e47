import {
  type Board,
  DIRECTIONS,
  emptyCells,
  place,
  type Slide,
  slide,
  type Tiles,
} from "@gridlock/game";

/** Whether a value is known to hold of a position below: `h ≥ v` or `h ≤ u`, as the side is. */
export type Below = (position: Board, value: number) => boolean;

/** The legal slides of a position: up, left, down, right, each made only when it is asked for. */
export function* legalSlides(position: Board): Generator<Slide> {
  for (const direction of DIRECTIONS) {
    const slid = slide(position, direction);
    if (slid !== undefined) yield slid;
  }
}

/** The positions that a placement can leave: cells in reading order, in each the 2 before the 4. */
export function* positionsAfter(afterstate: Board, tiles: Tiles): Generator<Board> {
  for (const cell of emptyCells(afterstate)) {
    for (const tile of tiles) yield place(afterstate, cell, tile).board;
  }
}

/**
 * Whether `h(position) ≥ v`, v > 0, follows by one slide: there is one that earns s such that `below` says
 * `h ≥ v − s` of all positions that can come, or v ≤ s.
 */
export function lowerFollows(position: Board, tiles: Tiles, v: number, below: Below): boolean {
  for (const { board, score } of legalSlides(position)) {
    if (v - score <= 0) return true;
    if (everyHolds(positionsAfter(board, tiles), v - score, below)) return true;
  }
  return false;
}

/**
 * Whether `h(position) ≤ u`, u ≥ 0, follows by one placement: after every slide, earning s, there is
 * one for which `below` says `h ≤ u − s` of the position that it leaves.
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
