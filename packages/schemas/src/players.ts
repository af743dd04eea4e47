import { z } from "zod";
import { BoardSchema, count, game, output, points, ShapeSchema, type TypeOf } from "./common.js";

export const PlayOutput = output("gridlock play SHAPE --player NAME --json", {
  player: z.string(),
  placer: z.string(),
  shape: ShapeSchema,
  seed: count(),
  start: BoardSchema.exactOptional().describe("The board of --start, with the player to move."),
  games: z.int().positive(),
  mean: z.number().describe("Mean score."),
  deviation: z.number().nullable().describe("Standard deviation of a score; null of one game."),
  error: z.number().nullable().describe("Standard error of the mean; null of one game."),
  median: z.number(),
  min: count(),
  max: count(),
  tiles: z
    .record(z.string(), z.number().min(0).max(1))
    .describe("For each largest tile the share of the games that ended with it."),
  moves: z.number().describe("Mean number of slides of a game."),
  seconds: z.number().nonnegative().describe("Mean seconds of a game, on one thread."),
});
export type PlayOutput = TypeOf<typeof PlayOutput>;

const QualitySchema = z.strictObject({
  best: z.number().min(0).max(1).describe("Share of the positions in which the slide is best."),
  meanCost: z.number().nonnegative().describe("Points that a slide costs, on average."),
  maxCost: z.number().nonnegative(),
  costliest: BoardSchema.nullable().describe("A position in which the slide costs most."),
});

export const AssessOutput = output("gridlock assess SHAPE --player NAME --json", {
  player: z.string(),
  ...game,
  expected: z
    .number()
    .nullable()
    .describe("Expected score of the ordinary game from two random tiles; null if not known."),
  optimum: z.number().nullable().describe("The same of perfect play."),
  starts: z.array(
    z.strictObject({
      board: BoardSchema,
      value: points().nullable().describe("The score that a perfect slider can force."),
      heldTo: z
        .number()
        .nullable()
        .describe(
          "The least score that a placer can hold the player to, its random ties averaged.",
        ),
      heldToWorstTie: z
        .number()
        .nullable()
        .describe("The same if the placer decides the player's ties too."),
      atLeast: z.number().optional().describe("What is known if `heldTo` is not."),
      expected: z.number().nullable().describe("Expected score of the ordinary game."),
    }),
  ),
  moves: z
    .strictObject({
      positions: count(),
      againstPlacer: QualitySchema,
      againstChance: QualitySchema,
    })
    .optional()
    .describe("With --moves only."),
});
export type AssessOutput = TypeOf<typeof AssessOutput>;
