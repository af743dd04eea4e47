import type { Answer, Play, Players, Runs, Shapes, Starts } from "@gridlock/gridlock/client";

/*
 * The objects of the HTTP API that the pages read, by the names of the pages.
 */

export type { Answer, Players, RunState } from "@gridlock/gridlock/client";

/** Proven bounds of a value, and what is to be expected in the ordinary game. */
export type Worth = Pick<Answer, "lo" | "hi" | "value" | "expected">;

/** A slide (`move`) or a placement (`place`), and what the board after it is worth. */
export type MoveAnswer = Answer["moves"][number];

/** The origin of a published value. */
export type Published = NonNullable<Answer["published"]>;

/** Evidence for published values, apart from the run that found them. */
export type Confirmation = Published["confirmations"][number];

/** A lower bound that somebody else has published. */
export type Literature = Pick<NonNullable<Answer["literature"]>, "bound" | "citation">;

/** A game that the server knows something about. */
export type ShapeSummary = Shapes["shapes"][number];

/** A start and its value. */
export type StartSummary = Pick<Starts["starts"][number], "board" | keyof Worth>;

/** A player that can take a side. */
export type PlayerSummary = Players["sliders"][number];

/** A move that a player may choose, with its probability. */
export type Choice = Play["choices"][number];

/** A solve that is under way or over. */
export type RunSummary = Runs["runs"][number];

/** The content of a `results/SHAPE.json`: every start with its value and a line of best play. */
export interface StartsFile {
  readonly madeBy?: string;
  readonly solvedBy?: string;
  readonly shape: string;
  readonly tiles: readonly number[];
  readonly starts: readonly {
    readonly board: string;
    readonly value: number | null;
    readonly lo: number;
    readonly hi: number | null;
    readonly line?: readonly string[];
    readonly end?: string | null;
  }[];
}
