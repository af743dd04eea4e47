import {
  formatBoard,
  formatShape,
  type Game,
  normalShape,
  parseBoard,
  parseShape,
  parseTiles,
} from "@gridlock/game";
import { z } from "zod";
import type { AnswerQuery } from "./answerer.js";
import { Problem } from "./problem.js";

/** Most characters of a board and of a shape in a request. */
const BOARD_LENGTH = 120;
const SHAPE_LENGTH = 16;

/** Returns the error message of a parameter that must be one of some words. */
function oneOf(name: string, words: string) {
  return ({ input }: { input?: unknown }) =>
    `${name} is ${JSON.stringify(input)?.slice(0, BOARD_LENGTH)}; expected ${words}`;
}

const turn = z.enum(["slider", "placer"], { error: oneOf("turn", "slider or placer") });
const tiles = z.enum(["2,4", "2"], { error: oneOf("tiles", "2,4 (the game) or 2") });

const budget = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,6})?$/, { error: oneOf("budget", "a number of seconds, 0 or more") })
  .optional()
  .describe("Seconds to search at most; no more than the server's own limit. 0: look up only.");

/** The parameters that name a board. */
export const BoardParameters = z.object({
  board: z
    .string({ error: "the board is missing; expected board=2_0_0/0_4_0/0_0_0" })
    .max(BOARD_LENGTH, {
      error: `the board is too long; expected at most ${BOARD_LENGTH} characters`,
    })
    .describe(
      "The board, row by row, 0 for an empty cell, _ or %20 between cells: 2_0_0/0_4_0/0_0_0.",
    ),
  turn: turn.optional().describe("The player to move; default: slider."),
  tiles: tiles.default("2,4").describe("The tiles that the placer has: 2,4 (the game) or 2."),
  budget,
});

/** The parameters that name a game of the shape. */
export const GameParameters = z.object({
  tiles: tiles.default("2,4").describe("The tiles that the placer has: 2,4 (the game) or 2."),
});

/** Those of an operation that has none. */
export const NoParameters = z.object({});

/** The parameters of a player's move. */
export const PlayParameters = BoardParameters.extend({
  by: z
    .string({ error: "the player is missing; expected by=NAME, as in /v1/3x3/players" })
    .regex(/^[a-z0-9-]{1,30}(:[a-z0-9-]{1,30}){0,4}$/, {
      error: oneOf("by", "the name of a player, such as emr or zaky-minimax:3"),
    })
    .describe("The player's name, with its depth and variants."),
});

/** A line of a batch. */
export const BatchLineSchema = z
  .object({
    board: z.string().max(BOARD_LENGTH).describe("The board: 2 0 0/0 4 0/0 0 0."),
    turn: turn.optional().describe("The player to move; default: slider."),
    tiles: tiles.optional().describe("The tiles of the placer; default: 2,4."),
  })
  .strict()
  .describe("A board to look up or search.");

/** The parameters of a batch. */
export const BatchParameters = z.object({
  budget,
  values: z
    .enum(["true", "false"], { error: oneOf("values", "true or false") })
    .default("false")
    .describe("true: only the values, without moves and lines."),
});

/**
 * Checks the parameters of a request's query.
 *
 * @throws {Problem} 400 naming the first parameter that is wrong, unknown or given twice
 */
export function readParameters<T extends z.ZodObject>(schema: T, url: string): z.infer<T> {
  const given = new URL(url).searchParams;
  const known = Object.keys(schema.shape);
  for (const name of given.keys()) {
    const quoted = JSON.stringify(name.slice(0, BOARD_LENGTH));
    if (!known.includes(name)) {
      const expected = known.length === 0 ? "expected none" : `expected ${known.join(", ")}`;
      throw new Problem(400, `there is no parameter ${quoted}; ${expected}`);
    }
    if (given.getAll(name).length > 1) {
      throw new Problem(400, `the parameter ${quoted} is given twice; expected it once`);
    }
  }
  return check(schema, Object.fromEntries(given));
}

/** @throws {Problem} 400 if a value does not fit its schema */
export function check<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Problem(400, result.error.issues[0]?.message ?? "the request is not valid");
}

/**
 * Reads a shape and tiles.
 *
 * @returns the game, in the orientation of the shape
 * @throws {GameError} if there is no such shape
 */
export function readGame(shape: string, tilesText: string): Game {
  if (shape.length > SHAPE_LENGTH) {
    throw new Problem(
      400,
      `the shape has ${shape.length} characters; expected rows x columns, such as 3x3`,
    );
  }
  return { shape: parseShape(shape), tiles: parseTiles(tilesText) };
}

/**
 * Reads a board of a shape, which may lie the other way.
 *
 * @param most most seconds to search
 * @throws {GameError} if it is not a board
 * @throws {Problem} 400 if it is a board of another shape
 */
export function readQuery(
  shapeText: string | undefined,
  given: Pick<z.infer<typeof BoardParameters>, "board" | "budget"> & {
    readonly turn?: "slider" | "placer" | undefined;
    readonly tiles?: string | undefined;
  },
  most: number,
): AnswerQuery {
  const named = parseBoard(given.board.replaceAll("_", " "));
  if (named.turn === "placer" && given.turn === "slider") {
    throw new Problem(
      400,
      "the board has the placer to move, but turn is slider; expected them to agree",
    );
  }
  // Again with the turn, since an afterstate must have an empty cell.
  const node = parseBoard(formatBoard(named.board, given.turn ?? named.turn));
  const game = readGame(shapeText ?? formatShape(node.board), given.tiles ?? "2,4");
  if (formatShape(normalShape(node.board)) !== formatShape(normalShape(game.shape))) {
    throw new Problem(
      400,
      `"${formatBoard(node.board)}" is a board of ${formatShape(node.board)}; expected one of ${formatShape(game.shape)}`,
      { code: "other-shape" },
    );
  }
  const seconds = given.budget === undefined ? most : Math.min(most, Number(given.budget));
  return { ...node, tiles: game.tiles, budget: seconds };
}
