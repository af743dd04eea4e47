import { z } from "zod";
import { BoardSchema, count, NodesSchema } from "./common.js";

/*
 * The results of the experiments of the paper: what `gridlock paper EXPERIMENT --json` prints, and what the JSON files in
 * results/paper hold beside the experiment's name and origin. "Paper" are figures that the paper prints.
 */

const SearchSchema = z
  .strictObject({
    value: z.int().optional().describe("The value found; missing if the search was given up."),
    nodes: NodesSchema,
    prunings: z.strictObject({
      alphaBeta: count(),
      immediate: count(),
      shallow: count(),
      deep: count(),
      table: count(),
    }),
    deepest: count().describe("The greatest number of moves from the root."),
    entries: count().describe("Entries of the table at the end."),
    complete: z.boolean().describe("Whether the depth cut off nothing."),
    seconds: z.number().nonnegative(),
  })
  .describe("A search, and its cost.");

const BoardSearchSchema = z.strictObject({
  board: BoardSchema,
  ...SearchSchema.shape,
  end: BoardSchema,
});

const PublishedSchema = z.strictObject({ end: BoardSchema, value: z.int(), nodes: count() });
const RangeSchema = z.strictObject({ least: count(), most: count() });
const ShapeObjectSchema = z.strictObject({ rows: z.int().positive(), cols: z.int().positive() });

const CurvesSchema = z.strictObject({
  start: BoardSchema,
  curves: z.array(
    z.strictObject({
      name: z.string(),
      depths: z.array(count()),
      results: z.array(SearchSchema),
    }),
  ),
});

const ForcedSchema = z.strictObject({
  game: z.strictObject({ shape: ShapeObjectSchema, tiles: z.array(z.int()) }),
  positions: count(),
  afterstates: count(),
  score: RangeSchema.describe("The scores that the slider can force, over all starts."),
  tile: RangeSchema.describe("The largest tiles that the slider can force."),
  helpedScore: RangeSchema.optional().describe("The scores that both reach together."),
});

const StartRowSchema = z.strictObject({
  board: BoardSchema,
  ours: BoardSearchSchema,
  paper: PublishedSchema,
});

const SpreadSchema = z.strictObject({ depth: count(), fewest: count(), most: count() });

const WrongSchema = z.strictObject({
  every: count(),
  boards: count(),
  unfinished: count(),
  wrong: z.array(z.strictObject({ board: BoardSchema, value: z.int(), found: z.int() })),
  nodes: count(),
});

const ViolationSchema = z.strictObject({ board: BoardSchema, value: z.int(), claimed: z.int() });

/** The results of each experiment, by its name. */
export const EXPERIMENT_SCHEMAS = {
  table1: z.strictObject({
    rows: z.array(
      z.strictObject({ tile: count(), least: count(), most: count(), paper: RangeSchema }),
    ),
  }),
  table2: z.strictObject({
    rows: z.array(
      z.strictObject({
        paper: z.strictObject({
          board: BoardSchema,
          end: BoardSchema,
          baselineEnd: BoardSchema,
          value: z.int(),
          nodes: count(),
          baseline: count(),
        }),
        ours: BoardSearchSchema,
        alphaBeta: BoardSearchSchema,
        alphaBetaWithTable: BoardSearchSchema,
      }),
    ),
  }),
  table3: z.strictObject({
    start: BoardSchema,
    rows: z.array(
      z.strictObject({
        depth: count(),
        ours: SearchSchema,
        alphaBeta: SearchSchema,
        minimax: SearchSchema.optional(),
        paper: z.strictObject({
          nodes: count(),
          baseline: count(),
          seconds: z.number(),
          baselineSeconds: z.number(),
        }),
        allOrders: z.strictObject({ ours: SpreadSchema, alphaBeta: SpreadSchema.optional() }),
      }),
    ),
  }),
  table4: z.strictObject({
    start: BoardSchema,
    averageBranching: z.number(),
    rows: z.array(
      z.strictObject({
        depth: count(),
        ours: SearchSchema,
        branching: z.number(),
        paper: z.strictObject({ nodes: count(), seconds: z.number() }).optional(),
      }),
    ),
  }),
  figure1: z.strictObject({ both: z.array(ForcedSchema), twos: z.array(ForcedSchema) }),
  figure7: CurvesSchema,
  figure8: CurvesSchema,
  figure9: z.strictObject({
    rows: z.array(z.strictObject({ both: StartRowSchema, twos: StartRowSchema })),
  }),
  "lower-bound": z.strictObject({
    counterexample: ViolationSchema.optional(),
    reports: z.array(
      z.strictObject({
        shape: ShapeObjectSchema,
        positions: count(),
        afterstates: count(),
        forms: z.array(
          z.strictObject({
            form: z.string(),
            exceeds: count(),
            mostExcess: count(),
            excesses: z.array(z.tuple([count(), count()])),
            equals: count(),
          }),
        ),
        violations: z.array(ViolationSchema),
        starts: WrongSchema,
        sample: WrongSchema,
        affected: WrongSchema,
        seconds: z.number().nonnegative(),
      }),
    ),
    footnotes: z.array(
      z.strictObject({
        value: z.string(),
        pairs: count(),
        decreases: count(),
        example: z.strictObject({ board: BoardSchema, values: z.array(z.int()) }).optional(),
      }),
    ),
  }),
  solution: z.strictObject({
    start: BoardSchema,
    mostNodes: count(),
    depths: z.array(count().nullable()).describe("Null for the end of the game."),
    runs: z.array(
      z.strictObject({
        name: z.string(),
        techniques: z.record(z.string(), z.unknown()),
        results: z.array(SearchSchema),
        full: SearchSchema.optional().describe("The search to the end, unless it was given up."),
      }),
    ),
  }),
} as const;

/** The output of `gridlock paper all --json`: all results by experiment. */
export const PaperAllSchema = z.strictObject(EXPERIMENT_SCHEMAS);
