import { z } from "zod";
import { BoardSchema, count, NodesSchema, output, type TypeOf } from "./common.js";

/*
 * The results of the experiments of the paper: what `gridlock paper EXPERIMENT --json` prints, and
 * what the JSON files in results/paper hold beside the experiment's name and origin. "Paper" are
 * figures that the paper prints.
 */

/** A search of an experiment. */
export const PaperSearchResult = z
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
export type PaperSearchResult = TypeOf<typeof PaperSearchResult>;

const BoardResultSchema = z.strictObject({
  board: BoardSchema,
  ...PaperSearchResult.shape,
  end: BoardSchema,
});

const PublishedSchema = z.strictObject({ end: BoardSchema, value: z.int(), nodes: count() });
const RangeSchema = z.strictObject({ least: count(), most: count() });
const ShapeObjectSchema = z.strictObject({ rows: z.int().positive(), cols: z.int().positive() });

const CURVES = {
  start: BoardSchema,
  curves: z.array(
    z.strictObject({
      name: z.string(),
      depths: z.array(count()),
      results: z.array(PaperSearchResult),
    }),
  ),
};

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
  ours: BoardResultSchema,
  paper: PublishedSchema,
});

const SpreadSchema = z.strictObject({ depth: count(), fewest: count(), most: count() });

/** Searches of some boards to the end of the game by Algorithm 1 with LBHSV as printed. */
const WrongSchema = z.strictObject({
  /** One board in this many was searched. */
  every: count(),
  boards: count(),
  /** Searches that reached their limit of nodes. */
  unfinished: count(),
  /** The boards for which the search found a wrong value. */
  wrong: z.array(z.strictObject({ board: BoardSchema, value: z.int(), found: z.int() })),
  nodes: count(),
});

/** An afterstate, its value, and the larger one that LBHSV as printed claims. */
const ViolationSchema = z.strictObject({ board: BoardSchema, value: z.int(), claimed: z.int() });

export const PaperTable1Output = output("gridlock paper table1 --json", {
  rows: z.array(
    z.strictObject({ tile: count(), least: count(), most: count(), paper: RangeSchema }),
  ),
});
export type PaperTable1Output = TypeOf<typeof PaperTable1Output>;

export const PaperTable2Output = output("gridlock paper table2 --json", {
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
      ours: BoardResultSchema,
      alphaBeta: BoardResultSchema,
      alphaBetaWithTable: BoardResultSchema,
    }),
  ),
});
export type PaperTable2Output = TypeOf<typeof PaperTable2Output>;

export const PaperTable3Output = output("gridlock paper table3 --json", {
  start: BoardSchema,
  rows: z.array(
    z.strictObject({
      depth: count(),
      ours: PaperSearchResult,
      alphaBeta: PaperSearchResult,
      minimax: PaperSearchResult.optional(),
      paper: z.strictObject({
        nodes: count(),
        baseline: count(),
        seconds: z.number(),
        baselineSeconds: z.number(),
      }),
      allOrders: z.strictObject({ ours: SpreadSchema, alphaBeta: SpreadSchema.optional() }),
    }),
  ),
});
export type PaperTable3Output = TypeOf<typeof PaperTable3Output>;

export const PaperTable4Output = output("gridlock paper table4 --json", {
  start: BoardSchema,
  averageBranching: z.number(),
  rows: z.array(
    z.strictObject({
      depth: count(),
      ours: PaperSearchResult,
      branching: z.number(),
      paper: z.strictObject({ nodes: count(), seconds: z.number() }).optional(),
    }),
  ),
});
export type PaperTable4Output = TypeOf<typeof PaperTable4Output>;

export const PaperFigure1Output = output("gridlock paper figure1 --json", {
  both: z.array(ForcedSchema),
  twos: z.array(ForcedSchema),
});
export type PaperFigure1Output = TypeOf<typeof PaperFigure1Output>;

export const PaperFigure7Output = output("gridlock paper figure7 --json", CURVES);
export type PaperFigure7Output = TypeOf<typeof PaperFigure7Output>;

export const PaperFigure8Output = output("gridlock paper figure8 --json", CURVES);
export type PaperFigure8Output = TypeOf<typeof PaperFigure8Output>;

export const PaperFigure9Output = output("gridlock paper figure9 --json", {
  rows: z.array(z.strictObject({ both: StartRowSchema, twos: StartRowSchema })),
});
export type PaperFigure9Output = TypeOf<typeof PaperFigure9Output>;

export const PaperLowerBoundOutput = output("gridlock paper lower-bound --json", {
  counterexample: ViolationSchema.optional(),
  reports: z.array(
    z.strictObject({
      shape: ShapeObjectSchema,
      positions: count(),
      afterstates: count(),
      forms: z.array(
        z.strictObject({
          form: z.string(),
          /** Afterstates for which it claims more than the slider can force. */
          exceeds: count(),
          /** The largest excess, in points. */
          mostExcess: count(),
          /** Excesses, in points, each with its number of afterstates. */
          excesses: z.array(z.tuple([count(), count()])),
          /** Afterstates for which it is the exact value. */
          equals: count(),
        }),
      ),
      /** The violations with the smallest tile sums. */
      violations: z.array(ViolationSchema),
      /** The starts, searched one after the other with one table. */
      starts: WrongSchema,
      /** A sample of all positions, in the order of the layers. */
      sample: WrongSchema,
      /** A sample of the afterstates of violations, and of the positions one slide before them. */
      affected: WrongSchema,
      seconds: z.number().nonnegative(),
    }),
  ),
  footnotes: z.array(
    z.strictObject({
      value: z.string(),
      /** Pairs of searches that were compared: of one position, to depths d and d + 1. */
      pairs: count(),
      decreases: count(),
      /** The position of the least tile sum whose value decreases; its values by depth from 0. */
      example: z.strictObject({ board: BoardSchema, values: z.array(z.int()) }).optional(),
    }),
  ),
});
export type PaperLowerBoundOutput = TypeOf<typeof PaperLowerBoundOutput>;

export const PaperSolutionOutput = output("gridlock paper solution --json", {
  start: BoardSchema,
  mostNodes: count(),
  depths: z.array(count().nullable()).describe("Null for the end of the game."),
  runs: z.array(
    z.strictObject({
      name: z.string(),
      techniques: z.record(z.string(), z.unknown()),
      results: z.array(PaperSearchResult),
      full: PaperSearchResult.optional().describe("The search to the end, unless it was given up."),
    }),
  ),
});
export type PaperSolutionOutput = TypeOf<typeof PaperSolutionOutput>;

/** All results, by experiment. */
export const PaperAllOutput = output("gridlock paper all --json", {
  table1: PaperTable1Output,
  table2: PaperTable2Output,
  table3: PaperTable3Output,
  table4: PaperTable4Output,
  figure1: PaperFigure1Output,
  figure7: PaperFigure7Output,
  figure8: PaperFigure8Output,
  figure9: PaperFigure9Output,
  "lower-bound": PaperLowerBoundOutput,
  solution: PaperSolutionOutput,
});
export type PaperAllOutput = TypeOf<typeof PaperAllOutput>;
