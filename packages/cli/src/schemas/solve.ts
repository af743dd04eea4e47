import { z } from "zod";
import {
  BoardSchema,
  count,
  game,
  MoveNameSchema,
  NodesSchema,
  points,
  ShapeSchema,
  seconds,
} from "./common.js";

const StartSchema = z
  .strictObject({
    board: BoardSchema,
    value: points().nullable().describe("The score that the slider can force; null while lo < hi."),
    lo: points().describe("Points that the slider is proven to be able to force."),
    hi: points().describe("Points that the slider is proven not to exceed."),
    line: z.array(MoveNameSchema).describe("A line of best play; empty while none is known."),
    end: BoardSchema.nullable().describe("The board at the end of the line; null without a line."),
  })
  .describe("A start and what is proven of it.");

/** The output of `gridlock solve --json`. */
export const SolveSchema = z.strictObject({
  ...game,
  starts: z.array(StartSchema),
  nodes: NodesSchema,
  seconds: seconds(),
});

/** The output of `gridlock solve --goal tile:N --json`. */
export const GoalSchema = z.strictObject({
  ...game,
  goal: z.strictObject({ tile: z.int().positive() }),
  starts: z.array(
    z.strictObject({
      board: BoardSchema,
      forced: z.boolean().describe("Whether the slider can force the tile."),
    }),
  ),
  nodes: NodesSchema,
  seconds: seconds(),
});

/** The output of `gridlock export --format json`. */
export const ExportSchema = z.strictObject({
  madeBy: z.string().describe("The commands that make this file."),
  solvedBy: z.string().nullable().describe("The runs that searched; null if there was none."),
  version: z.string().describe("The version of Gridlock."),
  ...game,
  starts: z.array(StartSchema),
});

/** The output of `gridlock tabulate --json`. */
export const TabulateSchema = z.strictObject({
  ...game,
  positions: count().describe("Positions that play can reach, up to symmetry."),
  terminal: count().describe("Positions without a slide."),
  afterstates: count(),
  seconds: seconds(),
  bytes: count().describe("Bytes of all files."),
  expected: z
    .number()
    .describe("Points expected in the ordinary game from two random tiles, by the best play."),
  reach: z
    .strictObject({ tile: z.int().positive(), chance: z.number().min(0).max(1) })
    .optional()
    .describe("With --reach: the chance of making the tile, from two random tiles."),
  starts: z.array(
    z.strictObject({
      board: BoardSchema,
      value: points().describe("The score that the slider can force."),
      expected: z.number().describe("Points expected in the ordinary game."),
      chance: z.number().min(0).max(1).optional().describe("With --reach only."),
    }),
  ),
});

/** The output of `gridlock train --json`. */
export const TrainSchema = z.strictObject({
  shape: ShapeSchema,
  seed: count(),
  rate: z.number().positive().max(1).describe("The learning rate."),
  output: z.string().describe("The file of the weights."),
  games: count().describe("Games learned from, those of earlier runs included."),
  played: count().describe("Games of this run."),
  moves: count(),
  mean: z.number().nullable().describe("Mean score of the last 1,000 games; null without games."),
  largestTile: count(),
  seconds: seconds(),
});
