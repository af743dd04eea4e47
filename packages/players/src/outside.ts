import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import {
  type Board,
  type Direction,
  formatBoard,
  rowsOf,
  type Shape,
  slides,
} from "@gridlock/game";
import { CellRules } from "./cell-rules.js";
import { type Cells, type Choice, type Player, PlayerError } from "./player.js";

/** A position as passed to a player from outside. */
export interface OutsidePosition {
  /** The tiles row by row, 0 for an empty cell: `[[2, 0, 4], [0, 0, 2]]`. */
  readonly rows: readonly (readonly number[])[];
  /** The legal slides; at least one. */
  readonly slides: readonly OutsideSlide[];
}

/** A legal slide, the resulting board and the points that it earns. */
export interface OutsideSlide {
  readonly direction: Direction;
  readonly rows: readonly (readonly number[])[];
  readonly score: number;
}

/**
 * A player from outside: returns a legal direction, or the probability of each direction that it
 * may choose.
 */
export type OutsidePlayer = (
  position: OutsidePosition,
) => Direction | Readonly<Partial<Record<Direction, number>>>;

/** Most characters of a wrong answer that a message shows. */
const MOST_SHOWN = 100;

/** Tolerance of the sum of probabilities, which must be 1. */
const TOLERANCE = 1e-9;

/**
 * Returns whether a player's name is the path of a module: `./my-player.js`, `/players/mine.mjs`.
 */
export function isModulePath(name: string): boolean {
  return /^\.{0,2}\//.test(name) || /\.[cm]?js$/.test(name);
}

/**
 * Loads a player from a module whose default export is an {@link OutsidePlayer}. It may also export
 * `isSymmetric`. The player's methods throw a {@link PlayerError} with the position when the
 * function throws, chooses an illegal slide or returns anything else.
 *
 * @throws {PlayerError} if the module cannot be loaded or does not export a function
 */
export async function loadPlayer(path: string, shape: Shape): Promise<Player> {
  const file = resolve(path);
  if (!existsSync(file)) throw new PlayerError(`there is no player ${path}: no file ${file}`);
  let module: { readonly default?: unknown; readonly isSymmetric?: unknown };
  try {
    module = await import(pathToFileURL(file).href);
  } catch (error) {
    throw new PlayerError(`the player ${path} cannot be loaded: ${messageOf(error)}`, {
      cause: error,
    });
  }
  const { default: player, isSymmetric = false } = module;
  if (typeof player !== "function") {
    throw new PlayerError(
      `the player ${path} has no default export that is a function; expected export default function choose({ rows, slides })`,
    );
  }
  const cellRules = new CellRules(shape);
  const choose = (cells: Cells) => ask(path, player as OutsidePlayer, cellRules.board(cells));
  return { name: path, isSymmetric: isSymmetric === true, choose };
}

/** Asks a player from outside for its choices, and checks them. */
function ask(path: string, player: OutsidePlayer, board: Board): Choice[] {
  const legal = slides(board);
  const position: OutsidePosition = {
    rows: rowsOf(board),
    slides: legal.map(({ direction, board: after, score }) => ({
      direction,
      rows: rowsOf(after),
      score,
    })),
  };
  let answer: unknown;
  try {
    answer = player(position);
  } catch (error) {
    throw new PlayerError(
      `the player ${path} threw an error in the position ${formatBoard(board)}: ${messageOf(error)}`,
      { cause: error },
    );
  }
  const directions = legal.map(({ direction }) => direction);
  const choices = readAnswer(answer, directions);
  if (choices) return choices;
  throw new PlayerError(
    `the player ${path} returned ${describe(answer)} in the position ${formatBoard(board)}; expected one of ${directions.join(", ")}, or an object of their probabilities`,
  );
}

/** Returns the choices of an answer; `undefined` if it is not valid. */
function readAnswer(answer: unknown, legal: readonly Direction[]): Choice[] | undefined {
  if (typeof answer === "string") {
    const direction = legal.find((name) => name === answer);
    return direction && [{ direction, probability: 1 }];
  }
  if (typeof answer !== "object" || answer === null) return undefined;
  const choices: Choice[] = [];
  let sum = 0;
  for (const [name, probability] of Object.entries(answer)) {
    if (typeof probability !== "number" || !(probability >= 0)) return undefined;
    if (probability === 0) continue;
    const direction = legal.find((known) => known === name);
    if (direction === undefined) return undefined;
    choices.push({ direction, probability });
    sum += probability;
  }
  return Math.abs(sum - 1) <= TOLERANCE ? choices : undefined;
}

/** Describes an answer in at most {@link MOST_SHOWN} characters. */
function describe(answer: unknown): string {
  if (answer instanceof Promise) return "a promise";
  if (typeof answer === "function") return "a function";
  return inspect(answer, { breakLength: Number.POSITIVE_INFINITY }).slice(0, MOST_SHOWN);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
