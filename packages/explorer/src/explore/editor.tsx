import {
  type Board,
  exponentOf,
  formatBoard,
  GameError,
  largestTile,
  type Node,
  type Tiles,
} from "@gridlock/game";
import { useEffect, useRef, useState } from "preact/hooks";
import { readBoard } from "../logic/address.js";
import { cellToward } from "../logic/moves.js";
import { cellWords } from "../logic/words.js";
import { cellClasses } from "../ui/board.js";

/** Cells to set: a click puts the chosen tile there, or takes it away; keys raise and lower it. */
export function CellEditor({
  node,
  brush,
  onChange,
  onRefuse,
}: {
  readonly node: Node;
  /** The chosen tile, 0 to empty cells. */
  readonly brush: number;
  readonly onChange: (node: Node) => void;
  readonly onRefuse: (reason: string) => void;
}) {
  const { board } = node;
  const cells = useRef<(HTMLButtonElement | null)[]>([]);
  const [current, setCurrent] = useState(0);
  // Arrows choose a cell at once.
  useEffect(() => cells.current[0]?.focus({ preventScroll: true }), []);

  const set = (cell: number, tile: number) => {
    const changed = board.cells.map((old, i) => (i === cell ? tile : old));
    try {
      // Refuses tiles that no play reaches.
      onChange(readBoard(formatBoard({ ...board, cells: changed }), node.turn));
    } catch (error) {
      if (!(error instanceof GameError)) throw error;
      onRefuse(error.message);
    }
  };
  const press = (event: KeyboardEvent, cell: number) => {
    const tile = board.cells[cell] as number;
    if (event.key.startsWith("Arrow"))
      cells.current[cellToward(board, cell, event.key) ?? cell]?.focus();
    else if (event.key === "+" || event.key === "=") set(cell, tile === 0 ? 2 : 2 * tile);
    else if (event.key === "-") set(cell, tile <= 2 ? 0 : tile / 2);
    else if (event.key === "0" || event.key === "Delete" || event.key === "Backspace") set(cell, 0);
    else return;
    event.preventDefault();
  };
  return (
    <>
      {board.cells.map((tile, cell) => (
        <button
          key={cell}
          ref={(button) => {
            cells.current[cell] = button;
          }}
          type="button"
          class={`edit-cell ${cellClasses(board, cell)}`}
          tabIndex={cell === Math.min(current, board.cells.length - 1) ? 0 : -1}
          aria-label={`${cellWords(board, cell)}: ${tile || "empty"}`}
          onFocus={() => setCurrent(cell)}
          onKeyDown={(event) => press(event, cell)}
          onClick={() => set(cell, tile === brush ? 0 : brush)}
        />
      ))}
    </>
  );
}

/** Lists the tiles that can be put into a cell; 0 empties it. */
export function tilesToSet(board: Board, tiles: Tiles): number[] {
  const most = exponentOf(Math.min(largestTile({ shape: board, tiles }), 2 ** 15));
  return Array.from({ length: most + 1 }, (_, k) => (k === 0 ? 0 : 2 ** k));
}
