import { isTile } from "../fault.js";
import { MAX_EXPONENT, tileOf } from "../pack.js";
import type { Cell } from "./cells.js";
import { VALUES_NOTE } from "./options.js";
import type { Source } from "./source.js";

/**
 * Decides whether numbers are tiles or exponents: tiles if they all can be, otherwise exponents if
 * they all can be. Returns the tiles, with a note if their numbers could be read in two ways.
 *
 * @param exponents the caller's decision, if there is one
 */
export function tilesOf(source: Source, cells: readonly Cell[], exponents: boolean | undefined) {
  const numbers = cells.map(({ number }) => number);
  const large = cells.find(({ number }) => number > MAX_EXPONENT);
  const odd = cells.find(({ number }) => !isTile(number));
  if (exponents === true) {
    if (large === undefined) return { tiles: numbers.map(tileOf), notes: [] };
    throw source.error(
      "bad-tile",
      `${large.number} is not an exponent; expected 0 to ${MAX_EXPONENT}, 1 for a tile of 2`,
      large,
    );
  }
  const isOpen = exponents === undefined && large === undefined;
  if (odd === undefined) {
    return { tiles: numbers, notes: isOpen && numbers.some((n) => n > 0) ? [VALUES_NOTE] : [] };
  }
  if (isOpen) {
    const note = `read as exponents, since ${odd.number} is not a tile: 1 is 2, 2 is 4, 3 is 8, …`;
    return { tiles: numbers.map(tileOf), notes: [note] };
  }
  throw source.error(
    "bad-tile",
    `${odd.number} is not a tile; expected 0 for an empty cell, or 2, 4, 8, 16, …`,
    odd,
  );
}
