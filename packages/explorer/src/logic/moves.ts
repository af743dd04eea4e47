import { type Node, place, type Shape, slides } from "@gridlock/game";

/** A move that was made: its points, and where it leads. */
export interface Step {
  /** The move as the API writes it: `left`, `4@2,1`. */
  readonly name: string;
  readonly score: number;
  readonly after: Node;
  /** The cell of a placed tile. */
  readonly cell?: number;
  readonly tile?: number;
}

/** Returns the name of a slide or a placement, as the API gives it. */
export function nameOf(move: { readonly move: string } | { readonly place: string }): string {
  return "move" in move ? move.move : move.place;
}

/** Makes a move by its name, `left` or `4@2,1`; returns `undefined` if it is not legal there. */
export function applyMove({ board, turn }: Node, name: string): Step | undefined {
  if (turn === "slider") {
    const slid = slides(board).find(({ direction }) => direction === name);
    return slid && { name, score: slid.score, after: { board: slid.board, turn: "placer" } };
  }
  const [, tile, row, col] = /^(\d+)@(\d+),(\d+)$/.exec(name)?.map(Number) ?? [];
  if (tile === undefined || row === undefined || col === undefined) return undefined;
  const cell = (row - 1) * board.cols + (col - 1);
  if (row < 1 || col < 1 || col > board.cols || board.cells[cell] !== 0) return undefined;
  const placed = place(board, cell, tile).board;
  return { name, score: 0, after: { board: placed, turn: "slider" }, cell, tile };
}

/** Follows a line of moves from a node. It ends before the first move that is not legal. */
export function followLine(start: Node, line: readonly string[]): Step[] {
  const steps: Step[] = [];
  let node = start;
  for (const name of line) {
    const step = applyMove(node, name);
    if (step === undefined) break;
    steps.push(step);
    node = step.after;
  }
  return steps;
}

/** Returns the next cell in an arrow key's direction; `undefined` at the edge or for other keys. */
export function cellToward({ rows, cols }: Shape, cell: number, key: string): number | undefined {
  const [row, col] = [Math.floor(cell / cols), cell % cols];
  if (key === "ArrowUp" && row > 0) return cell - cols;
  if (key === "ArrowDown" && row < rows - 1) return cell + cols;
  if (key === "ArrowLeft" && col > 0) return cell - 1;
  return key === "ArrowRight" && col < cols - 1 ? cell + 1 : undefined;
}
