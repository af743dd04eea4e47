import { isTile } from "../fault.js";
import { tileOf } from "../pack.js";
import type { Cell } from "./cells.js";
import { VALUES_NOTE } from "./options.js";
import type { Source } from "./source.js";

/** The largest exponent of a tile: 32768 is 2^15. */
export const MOST_EXPONENT = 15;

/** Tiles, with a note if their numbers could be read in two ways. */
interface Tiles {
  readonly tiles: number[];
  readonly notes: readonly string[];
}

function isExponent({ number }: Cell): boolean {
  return number <= MOST_EXPONENT;
}

/**
 * Decides whether numbers are tiles or exponents: tiles if they all can be, otherwise exponents if
 * they all can be.
 *
 * @param exponents the caller's decision, if there is one
 */
export function tilesOf(
  source: Source,
  cells: readonly Cell[],
  exponents: boolean | undefined,
): Tiles {
  const numbers = cells.map(({ number }) => number);
  if (exponents === true) {
    const large = cells.find((cell) => !isExponent(cell));
    if (large) {
      throw source.error(
        "bad-tile",
        `${large.number} is not an exponent; expected 0 to ${MOST_EXPONENT}, 1 for a tile of 2`,
        large,
      );
    }
    return { tiles: numbers.map(tileOf), notes: [] };
  }
  const odd = cells.find(({ number }) => !isTile(number));
  const canBeExponents = cells.every(isExponent);
  if (odd === undefined) {
    const isOpen = exponents === undefined && canBeExponents && numbers.some((n) => n > 0);
    return { tiles: numbers, notes: isOpen ? [VALUES_NOTE] : [] };
  }
  if (exponents === undefined && canBeExponents) {
    return {
      tiles: numbers.map(tileOf),
      notes: [`read as exponents, since ${odd.number} is not a tile: 1 is 2, 2 is 4, 3 is 8, …`],
    };
  }
  throw source.error(
    "bad-tile",
    `${odd.number} is not a tile; expected 0 for an empty cell, or 2, 4, 8, 16, …`,
    odd,
  );
}
