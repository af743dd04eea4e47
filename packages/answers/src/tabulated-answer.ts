import {
  type Board,
  emptyCells,
  formatBoard,
  type Node,
  opponent,
  type Placement,
  place,
  placements,
  type Slide,
  slides,
} from "@gridlock/game";
import { type Line, type Move, placementMove, slideMove } from "@gridlock/solver";
import { type Tabulation, valuesOfNode } from "@gridlock/tablebase";
import { type Answer, type AnsweredMove, withVerdicts } from "./answer.js";

/**
 * Answers a node of a tabulated game from the tabulation alone.
 *
 * @returns `undefined` if play from the starts does not reach the node
 * @throws {StoreError} `damaged` if a block's checksum is wrong
 */
export function tabulatedAnswer(tabulation: Tabulation, node: Node): Answer | undefined {
  const worth = worthOf(tabulation, node);
  if (worth === undefined) return undefined;
  const { board, turn } = node;
  const made =
    turn === "slider"
      ? slides(board).map((slid) => ({ ...slid, move: slideMove(slid.direction) }))
      : placements(board, tabulation.game.tiles).map((placed) => {
          return { ...placed, move: placementMove(board, placed), score: 0 };
        });
  const moves: Omit<AnsweredMove, "verdict">[] = [];
  for (const { move, score, board: after } of made) {
    const to = { board: after, turn: opponent(turn) };
    const left = worthOf(tabulation, to);
    if (left === undefined) return undefined;
    moves.push({ move, score, to, ...left });
  }
  const { bound, expected } = worth;
  return {
    board,
    turn,
    bound,
    source: "tabulation",
    tabulated: true,
    expected,
    moves: withVerdicts(turn, bound, moves),
    line: lineFrom(tabulation, node, bound.lo),
  };
}

const COLUMNS = ["minimax", "expected"] as const;

function worthOf(tabulation: Tabulation, node: Node) {
  const [value, expected] = valuesOfNode(tabulation, COLUMNS, node) ?? [];
  return value === undefined ? undefined : { bound: { lo: value, hi: value }, expected };
}

/** Follows a line of best play: the first of the best slides, the first of the worst placements. */
function lineFrom(tabulation: Tabulation, { board, turn }: Node, value: number): Line {
  const line: Move[] = [];
  let at = board;
  let left = value;
  if (turn === "placer") {
    const placed = worstPlacement(tabulation, at, left);
    if (placed === undefined) throw inconsistent(at, left);
    line.push(placementMove(board, placed));
    at = placed.board;
  }
  for (;;) {
    const slid = slides(at);
    if (slid.length === 0) return { moves: line, end: at };
    const best = bestSlide(tabulation, slid, left);
    if (best === undefined) throw inconsistent(at, left);
    line.push(slideMove(best.slide.direction), placementMove(board, best.placed));
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
      const entry = tabulation.entryAfter(after, cell, tile);
      if (entry < 0) return undefined;
      const left = tabulation.valueAt("minimax", entry);
      if (left < value) return undefined;
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
