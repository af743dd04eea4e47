import { z } from "zod";
import { points, type TypeOf } from "./common.js";

/*
 * The JSON objects that `gridlock query --json` and the HTTP API answer with. All values are points
 * for the slider, whoever moves. The description at the end of a schema is its docstring.
 */

/** The fields of a proven value; `expected` for tabulated games only. */
const known = {
  lo: points().describe("A proven lower bound of the value, in points."),
  hi: points().describe("A proven upper bound of the value, in points."),
  value: points().nullable().describe("The value; null while lo < hi."),
  expected: z
    .number()
    .nonnegative()
    .nullable()
    .exactOptional()
    .describe(
      "For tabulated games only: points expected in the ordinary game; null if no play from a start leads to the board.",
    ),
};

export const Published = z
  .object({
    source: z.string().describe("The file in the repository with the values."),
    madeBy: z.string().describe("The commands that found and exported them."),
    version: z
      .string()
      .nullable()
      .describe("The version of Gridlock that exported them; null where the file does not say."),
    confirmations: z
      .array(
        z.object({
          kind: z
            .enum(["certificate", "second-search", "tabulation"])
            .describe(
              "certificate: claims that gridlock verify and a second checker, in Python, accepted. second-search: a search without static bounds and in another order. tabulation: the values of all positions, found without search.",
            ),
          says: z.string().describe("A sentence that says what was done."),
          command: z.string().describe("The commands that confirm the values once more."),
          source: z.string().describe("The file in the repository that records it."),
          date: z.string().nullable().describe("The day; null where the file does not say."),
        }),
      )
      .describe(
        "Further evidence for the values of all starts; empty for bounds that rest on one search alone.",
      ),
  })
  .describe("If source is published: the run that found the values, and what confirms them.");
export type Published = TypeOf<typeof Published>;

export const Literature = z
  .object({
    bound: points().describe("Points that the slider can force, if the cited proof is right."),
    citation: z.string(),
    says: z.string().describe("The cited result."),
    checked: z.literal(false),
  })
  .describe(
    "A lower bound that somebody else has published. It is not checked here, and not part of lo.",
  );
export type Literature = TypeOf<typeof Literature>;

const SOURCE = z
  .enum(["tabulation", "database", "certificate", "published", "rules", "search"])
  .describe(
    "The source of lo and hi: the tabulation, the database, a checked certificate, the published values, the rules alone, or a search just made.",
  );

/** The verdict that the bounds of all moves give on one. */
const verdict = {
  verdict: z
    .enum(["best", "as good", "worse", "open"])
    .describe(
      "best: no move is better. as good: another move is at least as good; this one may be worse. worse: it gives points away. open: it may be better than all others.",
    ),
  by: points()
    .positive()
    .exactOptional()
    .describe("If it is worse: the fewest points that it gives away."),
};

const DIRECTION = z.enum(["up", "left", "down", "right"]);
const PLACEMENT = z
  .string()
  .regex(/^[24]@\d+,\d+$/)
  .describe("A tile, then its row and column, counted from 1: 4@1,3.");

const score = points().describe("Points that the move earns; the move is worth score plus value.");

export const Worth = z
  .object({
    board: z.string().describe("The board, row by row, 0 for an empty cell: 2 0 0/0 4 0/0 0 0."),
    turn: z.enum(["slider", "placer"]).describe("The player to move."),
    reachable: z
      .boolean()
      .optional()
      .describe("For tabulated games only: whether play from a start leads to the board."),
    ...known,
    source: SOURCE,
    published: Published.exactOptional(),
    literature: Literature.exactOptional(),
    unsearched: z
      .string()
      .exactOptional()
      .describe(
        "The reason why the board was not searched, though its value is not known: its game cannot be searched, or there is too little memory for a table.",
      ),
  })
  .describe("The value of a board: the points still to come under best play, for the slider.");
export type Worth = TypeOf<typeof Worth>;

export const Slide = z
  .object({ move: DIRECTION, score, ...known, ...verdict })
  .describe("A slide, the points that it earns, and the value of the board that it leads to.");
export type Slide = TypeOf<typeof Slide>;

export const Placement = z
  .object({ place: PLACEMENT, score, ...known, ...verdict })
  .describe("A placement, which earns nothing, and the value of the board that it leads to.");
export type Placement = TypeOf<typeof Placement>;

export const PlayerAnswer = z
  .object({
    name: z.string(),
    choices: z.array(z.object({ move: DIRECTION, probability: z.number().positive().max(1) })),
    cost: z.number().nullable().describe("Points given away against the placer."),
    expectedCost: z.number().nullable().describe("Points given away in the ordinary game."),
  })
  .describe("A player's choices, and what they give away; null if that is not known.");
export type PlayerAnswer = TypeOf<typeof PlayerAnswer>;

/** Everything that is known of a board, except for its moves. */
const answer = {
  ...Worth.shape,
  line: z
    .array(z.union([DIRECTION, PLACEMENT]))
    .describe("A line of best play; empty while the value or the line is not known."),
  end: z.string().nullable().describe("The board at the end of the line; null without a line."),
};

export const SliderAnswer = z
  .object({
    ...answer,
    turn: z.literal("slider").describe("The slider is to move."),
    moves: z.array(Slide).describe("All legal slides; none at the end of the game."),
    player: PlayerAnswer.exactOptional(),
  })
  .describe("A board with the slider to move: its value, its slides, and a line of best play.");
export type SliderAnswer = TypeOf<typeof SliderAnswer>;

export const PlacerAnswer = z
  .object({
    ...answer,
    turn: z.literal("placer").describe("The placer is to move."),
    moves: z.array(Placement).describe("All placements."),
  })
  .describe("A board with the placer to move: its value, its placements, and a line of best play.");
export type PlacerAnswer = TypeOf<typeof PlacerAnswer>;

export const Answer = z
  .discriminatedUnion("turn", [SliderAnswer, PlacerAnswer])
  .describe("A board's value, those of its moves, and a line of best play.");
export type Answer = TypeOf<typeof Answer>;

export const Refused = z
  .object({
    board: z.string().describe("The board as it was given."),
    error: z.string().describe("The reason, in several lines: the last ones show the place."),
    code: z.string().exactOptional().describe("The reason for programs, such as ragged-board."),
  })
  .describe("A text that is not a board, and the reason.");
export type Refused = TypeOf<typeof Refused>;
