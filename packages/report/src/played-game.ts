import { type Board, type Direction, linesToward } from "@gridlock/game";

/** A move of a game: a slide, or a tile placed in a cell. */
export type PlayedMove =
  | { readonly direction: Direction }
  | { readonly tile: number; readonly cell: number };

/** A tile of a game, from its appearance until it merges into another. */
export interface Piece {
  readonly tile: number;
  /** The number of the move that makes it appear, counted from 1; 0 for the tiles of the start. */
  readonly born: number;
  /** True if two tiles merged into it, rather than being placed. */
  readonly merged: boolean;
  /** The cell where it appears, and then the cells to which moves take it. */
  readonly path: { readonly move: number; readonly cell: number }[];
  /** The number of the slide in which it merges into another piece, if it does. */
  died?: number;
}

/**
 * Plays moves on a board and follows each tile. All moves must be legal. `scores[m]` is the score
 * after move m, and `scores[0]` is 0.
 */
export function playMoves(start: Board, moves: readonly PlayedMove[]) {
  const pieces: Piece[] = [];
  const scores = [0];
  const on: (Piece | undefined)[] = start.cells.map(() => undefined);
  const add = (move: number, cell: number, tile: number, merged = false) => {
    const piece: Piece = { tile, born: move, merged, path: [{ move, cell }] };
    pieces.push(piece);
    on[cell] = piece;
  };
  /** Slides the pieces of a line toward its first cell; returns the points earned. */
  const slideLine = (line: readonly number[], move: number): number => {
    const tiles = line.flatMap((cell) => on[cell] ?? []);
    for (const cell of line) on[cell] = undefined;
    let score = 0;
    let filled = 0;
    for (let i = 0; i < tiles.length; i++) {
      const piece = tiles[i] as Piece;
      const next = tiles[i + 1];
      const cell = line[filled++] as number;
      moveTo(piece, cell, move);
      on[cell] = piece;
      if (next?.tile !== piece.tile) continue;
      moveTo(next, cell, move);
      piece.died = next.died = move;
      add(move, cell, 2 * piece.tile, true);
      score += 2 * piece.tile;
      i++;
    }
    return score;
  };
  start.cells.forEach((tile, cell) => {
    if (tile !== 0) add(0, cell, tile);
  });
  moves.forEach((played, i) => {
    let score = scores[i] as number;
    if ("tile" in played) add(i + 1, played.cell, played.tile);
    else for (const line of linesToward(start, played.direction)) score += slideLine(line, i + 1);
    scores.push(score);
  });
  return { pieces, scores };
}

function moveTo(piece: Piece, cell: number, move: number): void {
  if (piece.path.at(-1)?.cell !== cell) piece.path.push({ move, cell });
}
