import type { AnswerQuery } from "@gridlock/answers";
import {
  type BoardText,
  type Game,
  GameError,
  MAX_CELLS,
  parseShape,
  parseTiles,
  type ReadOptions,
  readBoard,
  type Shape,
  shortened,
} from "@gridlock/game";
import { z } from "zod";
import type { RequestContext } from "./operation.js";
import type { Settings } from "./options.js";
import { Problem } from "./problem.js";

/** Most characters of a board in a request: a saved game of 4×4 has some 1,300. */
const BOARD_LENGTH = 2000;
const TOO_LONG = `the board is too long; expected at most ${BOARD_LENGTH} characters`;
/** Most characters of a shape in a request. */
const SHAPE_LENGTH = 16;
/** The shape of a page whose address names none. */
const FIRST_SHAPE = "3x3";

/** Returns a wrong value as an error shows it, at most 80 characters of it. */
export function shown(value: unknown): string {
  return shortened(JSON.stringify(value) ?? "missing");
}

/** Returns the error message of a value that must be something else. */
function oneOf(name: string, expected: string) {
  return ({ input }: { input?: unknown }) => `${name} is ${shown(input)}; expected ${expected}`;
}

const turn = z.enum(["slider", "placer"], { error: oneOf("turn", "slider or placer") });
const tiles = z.enum(["2,4", "2"], { error: oneOf("tiles", "2,4 (the game) or 2") });

const order = z
  .enum(["high", "low"], { error: oneOf("order", "high or low") })
  .optional()
  .describe("The digit of the first cell in 16 hexadecimal digits; default: high.");

/** A parameter that is true or false. */
function flag(name: string) {
  const error = oneOf(name, "true or false");
  return z.stringbool({ truthy: ["true"], falsy: ["false"], case: "sensitive", error });
}

const budget = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,6})?$/, { error: oneOf("budget", "a number of seconds, 0 or more") })
  .transform(Number)
  .pipe(z.number().nonnegative())
  .optional()
  .describe(
    "Seconds to search at most; no more than the server's own limit. 0: look up only. Without a budget, the search stops within a second once it knows the value and all verdicts: moves that are worse or as good may then have an interval, and the line may be missing.",
  );

/** The parameters that name a board. */
export const BoardParameters = z.object({
  board: z
    .string({ error: "the parameter board is missing; expected board=2_0_0/0_4_0/0_0_0" })
    .max(BOARD_LENGTH, { error: TOO_LONG })
    .describe(
      "The board, row by row, 0 for an empty cell, _ or %20 between cells: 2_0_0/0_4_0/0_0_0. Other formats are read too (docs/notation.md).",
    )
    .meta({ examples: ["2_0_0/0_4_0/0_0_0"] }),
  turn: turn.optional().describe("The player to move; default: slider."),
  tiles: tiles.default("2,4").describe("The tiles that the placer has: 2,4 (the game) or 2."),
  exponents: flag("exponents")
    .optional()
    .describe("true: the board's numbers are exponents; false: tiles; default: tiles if possible."),
  order,
  budget,
});

/** The parameters of a picture. */
export const PictureParameters = BoardParameters.pick({
  board: true,
  turn: true,
  exponents: true,
  order: true,
}).extend({
  turn: turn.optional().describe("The player to move; for the placer, empty cells have a plus."),
});

/** The parameters that name a game of the shape. */
export const GameParameters = BoardParameters.pick({ tiles: true });

/** The parameters of a player's move. */
export const PlayParameters = BoardParameters.extend({
  by: z
    .string({ error: "the parameter by is missing; expected by=NAME, as in /v1/3x3/players" })
    .regex(/^[a-z0-9-]{1,30}(:[a-z0-9-]{1,30}){0,4}$/, {
      error: oneOf("by", "the name of a player, such as emr or zaky-minimax:3"),
    })
    .describe("The player's name, with its depth and variants.")
    .meta({ examples: ["perfect"] }),
});

const ENTRY = '"2 0 0/0 4 0/0 0 0" or {"board":"2 0 0/0 4 0/0 0 0"}';

const NO_BOARD = oneOf(
  "board",
  `a text, or at most ${MAX_CELLS} rows of at most ${MAX_CELLS} numbers or nulls`,
);

/** The board of an entry, as a text or as rows. */
const entryBoard = z.union(
  [
    z.string().max(BOARD_LENGTH, { error: TOO_LONG }),
    z
      .array(z.array(z.number().nullable()).max(MAX_CELLS, { error: NO_BOARD }))
      .max(MAX_CELLS, { error: NO_BOARD }),
  ],
  { error: NO_BOARD },
);

/** A board of a batch, with the facts that its text may leave open. */
export const BatchBoardSchema = z
  .strictObject(
    {
      board: entryBoard
        .describe("The board: 2 0 0/0 4 0/0 0 0, another format (docs/notation.md), or its rows.")
        .meta({ examples: ["2 0 0/0 4 0/0 0 0"] }),
      shape: z
        .string({ error: oneOf("shape", 'rows x columns, such as "3x3"') })
        .optional()
        .describe("The shape, for a board with all cells in a row."),
      exponents: z
        .boolean({ error: oneOf("exponents", "true or false") })
        .optional()
        .describe("True if the board's numbers are exponents, false if they are tiles."),
      order,
      turn: BoardParameters.shape.turn,
      tiles: tiles.optional().describe("The tiles of the placer; default: 2,4."),
    },
    {
      error: (issue) =>
        issue.code === "unrecognized_keys"
          ? `there is no field ${issue.keys.map(shown).join(", ")}; expected board, shape, exponents, order, turn or tiles`
          : `the entry is ${shown(issue.input)}; expected ${ENTRY}`,
    },
  )
  .describe("A board to look up or search.");

/** An entry of a batch. */
export const BatchEntrySchema = z
  .union([z.string().max(BOARD_LENGTH), BatchBoardSchema])
  .describe("A board to look up or search: its text alone, or an object.");

/** The parameters of a batch. */
export const BatchParameters = z.object({
  budget,
  values: flag("values").default(false).describe("true: only the values, without moves and lines."),
});

/**
 * Checks the parameters of a request's query.
 *
 * @throws {Problem} 400 naming the first parameter that is wrong, unknown or given twice
 */
export function readParameters<T extends z.ZodObject>(schema: T, url: string): z.infer<T> {
  const query = url.indexOf("?");
  const given = new URLSearchParams(query < 0 ? "" : url.slice(query).replace(/#.*/, ""));
  const known = Object.keys(schema.shape);
  for (const name of given.keys()) {
    if (!known.includes(name)) {
      const expected = known.length === 0 ? "expected none" : `expected ${known.join(", ")}`;
      throw new Problem(400, `there is no parameter ${shown(name)}; ${expected}`);
    }
    if (given.getAll(name).length > 1) {
      throw new Problem(400, `the parameter "${name}" is given twice; expected it once`);
    }
  }
  return check(schema, Object.fromEntries(given));
}

/** @throws {Problem} 400 if a value does not fit its schema */
function check<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Problem(400, result.error.issues[0]?.message ?? "the request is not valid");
}

/**
 * Reads an entry of a batch.
 *
 * @param value `undefined` if it is not JSON
 * @throws {Problem} 400 if it is none
 */
export function readEntry(value: unknown): z.infer<typeof BatchBoardSchema> {
  if (value === undefined) throw new Problem(400, `the line is not JSON; expected ${ENTRY}`);
  if (Array.isArray(value)) {
    throw new Problem(400, `the entry is an array; expected ${ENTRY}, each on a line of its own`);
  }
  // Most entries are texts, of which only the length counts here.
  if (typeof value === "string" && value.length <= BOARD_LENGTH) return { board: value };
  return check(BatchBoardSchema, typeof value === "string" ? { board: value } : value);
}

/**
 * Reads the shape that a request's path names, and tiles.
 *
 * @returns the game, in the orientation of the shape
 * @throws {GameError} if there is no such shape
 */
export function readGame({ req }: RequestContext, tiles = "2,4"): Game {
  return { shape: readShape(req.param("shape") ?? FIRST_SHAPE), tiles: parseTiles(tiles) };
}

/**
 * Reads a shape.
 *
 * @throws {Problem} 400 if the text is too long
 * @throws {GameError} if there is no such shape
 */
export function readShape(text: string): Shape {
  if (text.length > SHAPE_LENGTH) {
    throw new Problem(
      400,
      `the shape has ${text.length} characters; expected rows x columns, such as 3x3`,
    );
  }
  return parseShape(text);
}

/**
 * Reads a board of a shape, which may lie the other way.
 *
 * @param settings limit the time of a search; what is enough counts only if no budget is given
 * @throws {GameError} if it is not a board of the shape
 */
export function readQuery(
  shapeText: string | undefined,
  given: Omit<z.infer<typeof BoardParameters>, "tiles"> & { readonly tiles?: string | undefined },
  { budget: most, limits }: Settings,
): AnswerQuery {
  const { turn, order, exponents, tiles } = given;
  const asked = shapeText === undefined ? undefined : readShape(shapeText);
  const options = { shape: asked, turn, order, exponents };
  const { board, turn: toMove, tiles: own } = readEitherWay(given.board, options);
  const query = { board, turn: toMove, tiles: own ?? parseTiles(tiles ?? "2,4") };
  if (given.budget !== undefined) return { ...query, budget: Math.min(most, given.budget) };
  return { ...query, budget: most, enough: limits.enough };
}

/** Reads a board of a shape, or of the shape on its side. */
export function readEitherWay(text: string, options: ReadOptions): BoardText {
  const { shape } = options;
  try {
    return readBoard(text, options);
  } catch (error) {
    if (!(isOtherShape(error) && shape)) throw error;
    try {
      return readBoard(text, { ...options, shape: { rows: shape.cols, cols: shape.rows } });
    } catch (second) {
      throw isOtherShape(second) ? error : second;
    }
  }
}

function isOtherShape(error: unknown): boolean {
  return error instanceof GameError && error.code === "other-shape";
}
