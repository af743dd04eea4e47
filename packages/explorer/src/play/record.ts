import { DIRECTIONS, formatPlacement, type Node, quoted, type Tiles } from "@gridlock/game";
import { applyMove, type Step } from "../logic/moves.js";

/*
 * The moves of a game as one short text, for an address and for the browser's storage: the number
 * of moves, a dot, and the moves, as in `4.l3dA`. The number shows whether the end of an address
 * was lost.
 *
 * A slide is the first letter of its direction. A placement is a digit of base 64: the number of
 * its cell and tile, of which a board has 32 at most.
 */

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The moves that could be read, and the reason why others could not. */
export interface ReadMoves {
  readonly steps: readonly Step[];
  readonly problem?: string;
}

/** Writes the moves of a game. */
export function writeMoves(tiles: Tiles, steps: readonly Step[]): string {
  const texts = steps.map(({ name, cell, tile }) => {
    if (cell === undefined || tile === undefined) return name.charAt(0);
    const number = cell * tiles.length + (tiles as readonly number[]).indexOf(tile);
    return DIGITS.charAt(number);
  });
  return `${steps.length}.${texts.join("")}`;
}

/** Reads the moves of a game, up to the first that is illegal. */
export function readMoves(start: Node, tiles: Tiles, text: string): ReadMoves {
  const [, digits, moves] = /^(\d{1,6})\.([\w-]*)$/.exec(text) ?? [];
  if (digits === undefined || moves === undefined) {
    return { steps: [], problem: `The moves ${quoted(text)} cannot be read.` };
  }
  const count = Number(digits);
  const steps: Step[] = [];
  let node = start;
  for (const written of moves) {
    const step = applyMove(node, nameOf(node, tiles, written));
    if (step === undefined) {
      const problem = `Move ${steps.length + 1} of this address, "${written}", is illegal. The moves before it are shown.`;
      return { steps, problem };
    }
    steps.push(step);
    node = step.after;
  }
  if (steps.length === count) return { steps };
  const problem =
    steps.length < count
      ? `This address was cut off: it has only ${steps.length} of the game's ${count} moves.`
      : `This address has ${steps.length} moves, but the game has ${count}.`;
  return { steps, problem };
}

/** Returns the name of a written move; empty if it is not a move. */
function nameOf({ board, turn }: Node, tiles: Tiles, written: string): string {
  if (turn === "slider") return DIRECTIONS.find((each) => each.charAt(0) === written) ?? "";
  const number = DIGITS.indexOf(written);
  const tile = tiles[number % tiles.length] ?? 0;
  return formatPlacement(board, { tile, cell: Math.floor(number / tiles.length) });
}
