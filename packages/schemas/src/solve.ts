import { z } from "zod";
import { PlacerAnswer, Refused, SliderAnswer, Worth } from "./answers.js";
import {
  BoardSchema,
  count,
  game,
  MoveNameSchema,
  NodesSchema,
  output,
  outputs,
  points,
  ShapeSchema,
  seconds,
  type TypeOf,
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

export const SolveOutput = output("gridlock solve SHAPE --json", {
  ...game,
  starts: z.array(StartSchema),
  nodes: NodesSchema,
  seconds: seconds(),
});
export type SolveOutput = TypeOf<typeof SolveOutput>;

export const SolveGoalOutput = output("gridlock solve SHAPE --goal tile:N --json", {
  ...game,
  goal: z.strictObject({ tile: z.int().positive() }),
  starts: z.array(
    z.strictObject({
      board: BoardSchema,
      forced: z.boolean().describe("True if the slider can force the tile."),
    }),
  ),
  nodes: NodesSchema,
  seconds: seconds(),
});
export type SolveGoalOutput = TypeOf<typeof SolveGoalOutput>;

export const ExportOutput = output("gridlock export SHAPE --format json", {
  madeBy: z.string().describe("The commands that make this file."),
  solvedBy: z.string().nullable().describe("The runs that searched; null if there was none."),
  version: z.string().describe("The version of Gridlock."),
  ...game,
  starts: z.array(StartSchema),
});
export type ExportOutput = TypeOf<typeof ExportOutput>;

export const TabulateOutput = output("gridlock tabulate SHAPE --json", {
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
export type TabulateOutput = TypeOf<typeof TabulateOutput>;

const RegionsSchema = z.strictObject({ corner: count(), edge: count(), centre: count() });

const perfect = {
  positions: count().describe("Boards of perfect play with the slider to move, up to symmetry."),
  afterstates: count(),
  ends: count().describe("Those without a slide."),
  endsBy: RegionsSchema.describe(
    "End boards by the place of their largest tile; of several, the one nearest to a corner.",
  ),
  endsByTile: z.array(RegionsSchema.extend({ tile: z.int().positive() })),
};

export const AnalyzeBoardOutput = output("gridlock analyze SHAPE --board BOARD --json", {
  ...game,
  board: BoardSchema,
  ...perfect,
});
export type AnalyzeBoardOutput = TypeOf<typeof AnalyzeBoardOutput>;

const ZugzwangSchema = z
  .strictObject({ board: BoardSchema, sliderFirst: points(), placerFirst: points() })
  .nullable()
  .describe(
    "A board, and its values with the slider and with the placer to move; null if no board qualifies.",
  );

const PlacementsSchema = z.array(
  z.strictObject({
    tile: z.int().positive(),
    distance: count().describe("Steps along rows and columns; 0 if no tile is there."),
    placements: count(),
    worst: count().describe("Those that are best for the placer."),
  }),
);

export const AnalyzeOutput = output("gridlock analyze SHAPE --json", {
  ...game,
  positions: count().describe("Positions that play can reach, up to symmetry."),
  terminal: count().describe("Positions without a slide."),
  afterstates: count(),
  perfect: z.strictObject(perfect).describe("Lines of only best moves, from all starts."),
  perfectFrom: z.array(z.strictObject({ board: BoardSchema, ...perfect })),
  habits: z.strictObject({
    slidable: count().describe("Positions with a slide."),
    mergeable: count().describe("Positions in which some slide merges."),
    choice: count().describe("Of those, the ones in which some slide merges nothing."),
    quiet: count().describe("Of those, the ones in which no best slide merges."),
    greedySome: count().describe("Positions in which a slide that earns most is a best one."),
    greedyAll: count().describe("Positions in which each slide that earns most is a best one."),
    mergingSome: count().describe("The first of these, of the mergeable positions."),
    mergingAll: count().describe("The second, of the mergeable positions."),
    cornered: count().describe("Positions with a slide and a largest tile in a corner."),
    couldStay: count().describe("Of those, the ones in which some slide leaves it there."),
    cornerLeft: count().describe("Of those, the ones in which no best slide does."),
    loneCouldStay: count().describe("Those of couldStay with a single largest tile."),
    loneLeft: count().describe("Of those, the ones in which no best slide leaves it there."),
    either: count().describe("Boards that play reaches with either side to move."),
    zugzwangs: count().describe("Of those, the ones worth less with the slider to move."),
    afterstates: count(),
    decided: count().describe("Afterstates on which placements differ in value."),
    onlyTwos: count().describe("Afterstates on which only 2s are best for the placer."),
    onlyFours: count().describe("Afterstates on which only 4s are best for the placer."),
  }),
  zugzwang: z.strictObject({ largest: ZugzwangSchema, smallest: ZugzwangSchema }),
  removals: z
    .strictObject({
      valued: count().describe("Pairs of a position and a tile on it without which it is one too."),
      lower: count().describe("Of those, the ones in which the value is lower without the tile."),
      same: count(),
      unreachable: count().describe(
        "Pairs in which play does not reach the board without the tile.",
      ),
    })
    .nullable()
    .describe("Null if there are too many positions to count them on."),
  placements: z.strictObject({ byLargest: PlacementsSchema, byEqual: PlacementsSchema }),
});
export type AnalyzeOutput = TypeOf<typeof AnalyzeOutput>;

export const SimulateOutput = output("gridlock simulate --json", {
  ...game,
  board: BoardSchema.nullable().describe("The board asked about; null: all starts are solved."),
  threshold: points().nullable().describe("The score asked about."),
  answer: z.boolean().nullable().describe("Whether the slider can force it."),
  alone: count().describe("Nodes by one thread alone."),
  options: z.strictObject({
    memory: count().describe("Bytes of each machine's table."),
    every: count().describe("Nodes of time between two exchanges."),
    delay: count().describe("Nodes of time that a batch is under way."),
    rate: z.number().nullable().describe("Bytes a machine may send in a node of time; null: any."),
    effort: count().describe("Least nodes of the bounds that are passed on."),
    intake: z.number().describe("Nodes of time for each bound taken in."),
    pack: z.number().describe("Nodes of time for each bound sent."),
  }),
  results: z.array(
    z.strictObject({
      machines: z.int().positive(),
      threads: z.int().positive().describe("Threads of each machine."),
      efficiency: z.number().describe("That of the run of median time."),
      runs: z.array(
        z.strictObject({
          seed: count(),
          time: count().describe("Nodes of time until the coordinator has the answer."),
          nodes: count().describe("Nodes that all threads have expanded by then."),
          efficiency: z.number().describe("Nodes alone over the time and number of all threads."),
          subtrees: count().describe("Subtrees that machines have searched."),
          bounds: count().describe("Bounds sent, each counted once."),
          bytesOut: count().describe("Bytes sent, each counted once."),
          bytesIn: count().describe("Bytes that reached a machine, counted at each."),
          held: count().describe("Bounds held back by the rate."),
          missed: count().describe("Bounds for which a journal had no room."),
        }),
      ),
    }),
  ),
});
export type SimulateOutput = TypeOf<typeof SimulateOutput>;

export const TrainOutput = output("gridlock train SHAPE --json", {
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
export type TrainOutput = TypeOf<typeof TrainOutput>;

export const VariantsOutput = output("gridlock variants SHAPE --json", {
  shape: ShapeSchema,
  tiles: z.array(z.int().positive()).describe("The tiles that the placer has."),
  boards: z
    .array(BoardSchema)
    .describe(
      "The positions whose values are given: all starts, of those that are images of each other one.",
    ),
  variants: z
    .array(
      z.strictObject({
        variant: z.string().describe("The variant as it was asked for, such as 4s=17."),
        title: z.string().describe("Its rules in a sentence."),
        positions: count().describe("Positions, up to symmetry, that play can reach."),
        states: count().describe("States beside the board: values of each position."),
        seconds: seconds(),
        boards: z
          .array(BoardSchema)
          .exactOptional()
          .describe(
            "The positions of this variant, if its rules tell images of a start apart: every image of all starts.",
          ),
        series: z.array(
          z.strictObject({
            name: z.string(),
            values: z
              .array(z.number().nonnegative())
              .describe(
                "Points of each board, in the order of the variant's `boards` or, without, those above.",
              ),
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

/** An answer to a board, with the fields that came with it. */
export const QueryOutput = z
  .union([SliderAnswer.loose(), PlacerAnswer.loose(), Refused.loose()])
  .register(outputs, { command: "gridlock query --json", lines: true });
export type QueryOutput = TypeOf<typeof QueryOutput>;

/** The value of a board, with the fields that came with it. */
export const QueryValuesOutput = z
  .union([Worth.loose(), Refused.loose()])
  .register(outputs, { command: "gridlock query --values --json", lines: true });
export type QueryValuesOutput = TypeOf<typeof QueryValuesOutput>;
