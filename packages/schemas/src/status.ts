import { z } from "zod";
import { RunMessage, WorkerMessage } from "./cluster.js";
import { count, game, output, outputs, type TypeOf } from "./common.js";

const GameStatusSchema = z.strictObject({
  ...game,
  starts: count(),
  solved: count().describe("Starts whose values are known."),
  bounds: count().describe("Boards with a bound in the database."),
  exact: count().describe("Boards with a value in the database."),
  certificate: z
    .strictObject({
      file: z.string(),
      bytes: count().optional(),
      claims: count().optional(),
      checked: z
        .boolean()
        .optional()
        .describe("Whether `gridlock verify` has found that it holds."),
      error: z.string().optional().describe("Why it cannot be used."),
    })
    .nullable(),
  snapshot: z
    .strictObject({
      file: z.string(),
      entries: count().optional(),
      bytes: count().optional(),
      batches: count().optional(),
      written: z.iso.datetime().optional(),
      error: z.string().optional().describe("Why it cannot be used."),
    })
    .nullable(),
  tabulation: z
    .strictObject({
      file: z.string().describe("The file of the positions."),
      columns: z.array(z.string()),
      positions: count(),
      complete: z.boolean(),
      bytes: count().describe("Bytes of all files."),
      error: z.string().optional().describe("Why it cannot be used."),
    })
    .nullable(),
});

export const StatusOutput = output("gridlock status --json", {
  file: z.string(),
  bytes: count(),
  schema: z.int().positive().describe("The version of the database's schema."),
  games: z.array(GameStatusSchema),
  runs: z
    .array(
      z.strictObject({
        id: z.int(),
        ...game,
        started: z.iso.datetime(),
        version: z.string(),
        machine: z.string(),
        options: z.record(z.string(), z.unknown()),
        outcome: z
          .enum(["running", "unfinished", "solved", "stopped", "failed"])
          .describe("`unfinished` if its process has ended without a word."),
        positions: count(),
        afterstates: count(),
        seconds: z.number().nonnegative(),
      }),
    )
    .describe("Solves, the latest first."),
  published: z
    .array(
      z.strictObject({
        ...game,
        starts: count(),
        solved: count(),
        lo: count().describe("The least of the lower bounds of all starts, in points."),
        hi: count().describe("The largest of their upper bounds, in points."),
        source: z.string().describe("The file in the repository with the values."),
      }),
    )
    .describe("Games with published values that the database has not solved."),
});
export type StatusOutput = TypeOf<typeof StatusOutput>;

/** The run of a Redis server, as its machines describe it. */
export const StatusRedisOutput = z
  .object({
    run: RunMessage.nullable().describe("Null while there is no coordinator."),
    workers: z.array(WorkerMessage),
  })
  .register(outputs, { command: "gridlock status --redis URL --json" });
export type StatusRedisOutput = TypeOf<typeof StatusRedisOutput>;
