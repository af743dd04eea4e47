import { z } from "zod";
import { BoardSchema, count, ShapeSchema, seconds, type TypeOf } from "./common.js";

/** The output of `gridlock variants SHAPE --json`. */
export const VariantsOutput = z.strictObject({
  shape: ShapeSchema,
  tiles: z.array(z.int().positive()).describe("The tiles that the placer has."),
  boards: z.array(BoardSchema).describe("The positions whose values are given: all starts."),
  variants: z
    .array(
      z.strictObject({
        variant: z.string().describe("The variant as it was asked for, such as 4s=17."),
        title: z.string().describe("Its rules in a sentence."),
        positions: count().describe("Positions, up to symmetry, that play can reach."),
        states: count().describe("States beside the board: values of each position."),
        seconds: seconds(),
        series: z.array(
          z.strictObject({
            name: z.string(),
            values: z
              .array(z.number().nonnegative())
              .describe("Points of each board, in the order of `boards`."),
            mean: z
              .number()
              .nonnegative()
              .optional()
              .describe("The mean for a random start of the ordinary game, if chance takes part."),
          }),
        ),
      }),
    )
    .describe("The variants that were solved: fewer than asked for if the command was stopped."),
  seconds: seconds(),
});
export type VariantsOutput = TypeOf<typeof VariantsOutput>;
