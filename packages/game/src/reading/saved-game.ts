import type { CellRows } from "./cells.js";
import type { Source } from "./source.js";

/*
 * The saved game of the original 2048 (the item `gameState` of its local storage). Its cells lie
 * column by column, each null or with its position and value:
 *
 *     {"grid":{"size":2,"cells":[[{"position":{"x":0,"y":0},"value":2},null],[null,null]]},
 *      "score":0,"over":false,"won":false,"keepPlaying":false}
 */

/** A field of an unknown value, `undefined` if it has no fields. */
function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** Reads the grid of a saved game. */
export function readSavedGame(source: Source, saved: unknown): CellRows & { score?: number } {
  const grid = field(saved, "grid");
  const size = field(grid, "size");
  const columns = field(grid, "cells");
  const isSquare =
    typeof size === "number" &&
    Array.isArray(columns) &&
    columns.length === size &&
    columns.every((column) => Array.isArray(column) && column.length === size);
  if (!isSquare || size < 1) {
    throw source.error(
      "bad-json",
      "the grid of this saved game is not a square; expected size columns of size cells each",
    );
  }
  source.likely = { rows: size, cols: size };
  const span = { start: 0, end: source.text.length };
  const rows = Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => {
      const cell: unknown = (columns[x] as unknown[])[y];
      if (cell === null) return { number: 0, ...span };
      const value = field(cell, "value");
      const position = field(cell, "position");
      if (typeof value !== "number" || !Number.isInteger(value) || value < 0) {
        throw source.error("bad-json", `cells[${x}][${y}] has no value; expected a tile or null`);
      }
      if (position !== undefined && (field(position, "x") !== x || field(position, "y") !== y)) {
        throw source.error(
          "bad-json",
          `cells[${x}][${y}] has another position; expected x ${x} and y ${y}`,
        );
      }
      return { number: value, ...span };
    }),
  );
  const score = field(saved, "score");
  return { rows, isList: false, ...(typeof score === "number" && { score }) };
}
