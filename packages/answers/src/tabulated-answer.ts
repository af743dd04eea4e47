import {
  type Board,
  emptyCells,
  formatBoard,
  type Node,
  type Placement,
  place,
  placements,
  type Slide,
  slides,
} from "@gridlock/game";
import { type Line, type Move, placementMove, slideMove } from "@gridlock/solver";
import { type Tabulation, valuesOfNode } from "@gridlock/tablebase";
import type { Answer, AnsweredMove } from "./answer.js";
import { withVerdicts } from "./verdicts.js";

/**
 * Answers a node of a tabulated game from the tabulation alone.
 *
 * @returns `undefined` if play from the starts does not reach the node
 * @throws {StoreError} `damaged` if a block's checksum is wrong
 */
export function tabulatedAnswer(tabulation: Tabulation, node: Node): Answer | undefined {
  const worth = worthOf(tabulation, node);
  if (worth === undefined) return undefined;
  const moves: Omit<AnsweredMove, "verdict">[] = [];
  for (const { move, score, to } of movesFrom(tabulation, node)) {
    const after = worthOf(tabulation, to);
    if (after === undefined) return undefined;
    moves.push({ move, score, to, ...after });
  }
  const line = lineFrom(tabulation, node, worth.bound.lo);
  return {
    ...{ ...node, ...worth, source: "tabulation", tabulated: true },
    moves: withVerdicts(node.turn, worth.bound, moves),
    line,
  };
}

function worthOf(tabulation: Tabulation, node: Node) {
  const [value, expected] = valuesOfNode(tabulation, ["minimax", "expected"], node) ?? [];
  return value === undefined ? undefined : { bound: { lo: value, hi: value }, expected };
}

/** Lists a node's moves in the order of `slides` or `placements`. */
function movesFrom(
  { game }: Tabulation,
  { board, turn }: Node,
): { readonly move: Move; readonly score: number; readonly to: Node }[] {
  if (turn === "slider") {
    return slides(board).map((slide) => ({
      move: slideMove(slide.direction),
      score: slide.score,
      to: { board: slide.board, turn: "placer" },
    }));
  }
  return placements(board, game.tiles).map((placement) => ({
    move: placementMove(board, placement),
    score: 0,
    to: { board: placement.board, turn: "slider" },
  }));
}

/** Follows a line of best play: the first of the best slides, the first of the worst placements. */
function lineFrom(tabulation: Tabulation, { board, turn }: Node, value: number): Line {
  const moves: Move[] = [];
  let at = board;
  let left = value;
  if (turn === "placer") {
    const placed = worstPlacement(tabulation, at, left);
    if (placed === undefined) throw inconsistent(at, left);
    moves.push(placementMove(board, placed));
    at = placed.board;
  }
  for (;;) {
    const slid = slides(at);
    if (slid.length === 0) return { moves, end: at };
    const best = bestSlide(tabulation, slid, left);
    if (best === undefined) throw inconsistent(at, left);
    moves.push(slideMove(best.slide.direction), placementMove(board, best.placed));
    at = best.placed.board;
    left -= best.slide.score;
  }
}

/** Returns the first slide that keeps the value, and a worst placement after it. */
function bestSlide(tabulation: Tabulation, slid: readonly Slide[], value: number) {
  for (const slide of slid) {
    const placed = worstPlacement(tabulation, slide.board, value - slide.score);
    if (placed) return { slide, placed };
  }
  return undefined;
}

/**
 * Returns the first placement that leaves `value`; `undefined` if none does, or one leaves less.
 * The latter is found soon after most slides that give points away.
 */
function worstPlacement(
  tabulation: Tabulation,
  after: Board,
  value: number,
): Placement | undefined {
  let worst: { readonly cell: number; readonly tile: number } | undefined;
  for (const cell of emptyCells(after)) {
    for (const tile of tabulation.game.tiles) {
      const found = tabulation.findAfter(after, cell, tile);
      const left = found && tabulation.value("minimax", found);
      if (left === undefined || left < value) return undefined;
      if (left === value) worst ??= { cell, tile };
    }
  }
  return worst && place(after, worst.cell, worst.tile);
}

function inconsistent(board: Board, value: number): Error {
  return new Error(
    `the tabulation gives ${formatBoard(board)} a value of ${value} that no move keeps`,
  );
}
