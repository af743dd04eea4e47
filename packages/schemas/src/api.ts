import { z } from "zod";
import { Placement, Published, Slide, Worth } from "./answers.js";
import { count, ShapeSchema as shape, type TypeOf } from "./common.js";

/*
 * The JSON objects of the HTTP API. All values are points for the slider. The description at the
 * end of a schema is its docstring.
 */

export * from "./answers.js";

const tiles = z.array(z.int()).describe("The tiles of the placer: [2, 4] or [2].");
const { board, lo, hi, value, expected, source, literature } = Worth.shape;

export const Shapes = z
  .object({
    shapes: z.array(
      z.object({
        shape,
        tiles,
        starts: count().describe("Starts of the game, up to symmetry."),
        solved: count().describe("Starts whose value is known."),
        lowest: value.describe("The least known value of a start; null if none is known."),
        highest: value.describe("The greatest known value of a start; null if none is known."),
        atLeast: count().describe("Points that the slider can force from every start."),
        published: z
          .string()
          .nullable()
          .describe(
            "The file in the repository that values of starts are published in; null if none of them rests on it.",
          ),
        tabulated: z.boolean().describe("Whether the value of every position is in files."),
        positions: count()
          .nullable()
          .describe("Positions in these files; null if there are no files."),
      }),
    ),
  })
  .describe("The games that are solved, in part or in full, tabulated, or published.");
export type Shapes = TypeOf<typeof Shapes>;

export const Starts = z
  .object({
    shape,
    tiles,
    starts: z.array(z.object({ board, lo, hi, value, expected, source, literature })),
    published: Published.exactOptional().describe(
      "If the source of a start is published: the run that found the values, and what confirms them.",
    ),
  })
  .describe("Every start of a game, up to symmetry, with its value.");
export type Starts = TypeOf<typeof Starts>;

const { move } = Slide.shape;
const { place } = Placement.shape;

const player = z.object({
  name: z.string(),
  summary: z.string().describe("What the player does."),
});

export const Players = z
  .object({
    sliders: z.array(player).describe("Players that can take the slider's side."),
    placers: z.array(player).describe("Players that can take the placer's side."),
  })
  .describe("The players that can play a shape.");
export type Players = TypeOf<typeof Players>;

const by = z.string().describe("The player's full name.");
const probability = z.number().positive().max(1);

export const SliderPlay = z
  .object({
    board,
    by,
    turn: z.literal("slider").describe("The slider is to move."),
    choices: z
      .array(z.object({ move, probability }))
      .describe("The slides that the player may choose; none at the end of the game."),
  })
  .describe("The slides that a player may choose, each with its probability.");
export type SliderPlay = TypeOf<typeof SliderPlay>;

export const PlacerPlay = z
  .object({
    board,
    by,
    turn: z.literal("placer").describe("The placer is to move."),
    choices: z
      .array(z.object({ place, probability }))
      .describe("The placements that the player may choose."),
  })
  .describe("The placements that a player may choose, each with its probability.");
export type PlacerPlay = TypeOf<typeof PlacerPlay>;

export const Play = z
  .discriminatedUnion("turn", [SliderPlay, PlacerPlay])
  .describe("The moves that a player may choose, each with its probability.");
export type Play = TypeOf<typeof Play>;

export const Files = z
  .object({
    files: z.array(
      z.object({
        path: z.string().describe("results/3x3.md; its address is /v1/files/results/3x3.md."),
        title: z.string(),
        bytes: count(),
      }),
    ),
  })
  .describe("The files of results/ and docs/.");
export type Files = TypeOf<typeof Files>;

export const RunState = z
  .object({
    id: z.string(),
    shape,
    tiles,
    state: z.enum(["running", "done", "stopped"]),
    starts: count(),
    solved: count(),
    seconds: z.number().nonnegative().describe("Seconds since the run began."),
    nodes: z.number().nonnegative().describe("Positions and afterstates searched so far."),
    nodesPerSecond: z.number().nonnegative(),
    secondsLeft: z
      .number()
      .nonnegative()
      .nullable()
      .describe("Estimated seconds until the run ends; null while there is no estimate."),
    question: z
      .object({ board: z.string(), threshold: count() })
      .nullable()
      .describe(
        "The question under search: can the slider force this many points from this board? Null between two questions.",
      ),
    windows: z.array(z.object({ board: z.string(), lo, hi })).describe("The bounds of each start."),
    workers: z.array(z.object({ name: z.string(), threads: count() })),
  })
  .describe("The state of a run.");
export type RunState = TypeOf<typeof RunState>;

export const Runs = z
  .object({ runs: z.array(RunState) })
  .describe("The solves that are under way, or ended in the last minutes.");
export type Runs = TypeOf<typeof Runs>;

export const Health = z
  .object({ ok: z.boolean(), version: z.string(), searches: count(), waiting: count() })
  .describe("The state of the server, and the number of searches under way and waiting.");
export type Health = TypeOf<typeof Health>;

/** The content of `application/problem+json` (RFC 9457). */
export const Problem = z
  .object({
    type: z.literal("about:blank"),
    title: z.string().describe("The status in words."),
    status: z.int().min(400).max(599),
    detail: z.string().describe("A sentence: what was given, and what was expected."),
    code: z.string().optional().describe("The reason for programs, such as bad-board."),
  })
  .describe("An error.");
export type Problem = TypeOf<typeof Problem>;
