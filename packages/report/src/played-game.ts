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

/** The moving tiles of a game, and the score after each move. */
export interface PlayedGame {
  readonly pieces: readonly Piece[];
  /** `scores[m]` is the score after move m; `scores[0]`, at the start, is 0. */
  readonly scores: readonly number[];
}

/** Plays moves on a board and follows each tile. All moves must be legal. */
export function playMoves(start: Board, moves: readonly PlayedMove[]): PlayedGame {
  const pieces: Piece[] = [];
  const scores = [0];
  const on: (Piece | undefined)[] = start.cells.map(() => undefined);
  const add = (move: number, cell: number, tile: number, merged: boolean) => {
    const piece: Piece = { tile, born: move, merged, path: [{ move, cell }] };
    pieces.push(piece);
    on[cell] = piece;
  };
  start.cells.forEach((tile, cell) => {
    if (tile !== 0) add(0, cell, tile, false);
  });
  moves.forEach((played, i) => {
    const move = i + 1;
    let score = 0;
    if ("tile" in played) add(move, played.cell, played.tile, false);
    else {
      for (const line of linesToward(start, played.direction)) {
        score += slidePieces(line, on, move, add);
      }
    }
    scores.push((scores.at(-1) as number) + score);
  });
  return { pieces, scores };
}

/** Slides the pieces of a line toward its first cell; returns the points earned. */
function slidePieces(
  line: readonly number[],
  on: (Piece | undefined)[],
  move: number,
  add: (move: number, cell: number, tile: number, merged: boolean) => void,
): number {
  const tiles = line.flatMap((cell) => on[cell] ?? []);
  for (const cell of line) on[cell] = undefined;
  let score = 0;
  let filled = 0;
  for (let i = 0; i < tiles.length; i++) {
    const piece = tiles[i] as Piece;
    const next = tiles[i + 1];
    const cell = line[filled++] as number;
    if (next?.tile === piece.tile) {
      for (const part of [piece, next]) {
        moveTo(part, cell, move);
        part.died = move;
      }
      add(move, cell, 2 * piece.tile, true);
      score += 2 * piece.tile;
      i++;
    } else {
      moveTo(piece, cell, move);
      on[cell] = piece;
    }
  }
  return score;
}

function moveTo(piece: Piece, cell: number, move: number): void {
  if (piece.path.at(-1)?.cell !== cell) piece.path.push({ move, cell });
}
