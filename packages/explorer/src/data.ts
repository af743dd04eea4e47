import type { Turn, Verdict } from "@gridlock/game";

/*
 * The objects of the HTTP API that the pages read, as they arrive: JSON. Values are points for the slider, of the moves
 * still to come. Optional fields are there only for tabulated shapes.
 */

/** Proven bounds of a value, `lo ≤ value ≤ hi`, and `value` itself where they meet. */
export interface Worth {
  readonly lo: number;
  readonly hi: number;
  readonly value: number | null;
  /** The score to be expected in the ordinary game; null if it is not known. */
  readonly expected?: number | null;
}

/** A move: a slide (`move`) or a placement (`place`), its points, and what the board after it is worth. */
export interface MoveAnswer extends Worth {
  readonly move?: string;
  readonly place?: string;
  readonly score: number;
  /** The verdict that the bounds of all moves give on this one. */
  readonly verdict: Verdict["verdict"];
  /** The fewest points that a worse move gives away. */
  readonly by?: number;
}

/** The source of a board's bounds: files of the server, published values, the rules alone, or a search. */
export type Source =
  | "tabulation"
  | "database"
  | "layers"
  | "certificate"
  | "published"
  | "rules"
  | "search";

/** Evidence for published values, apart from the run that found them. */
export interface Confirmation {
  readonly kind: "certificate" | "proof-by-layers" | "second-search" | "tabulation";
  /** A sentence that says what was done. */
  readonly says: string;
  /** The commands that confirm the values once more. */
  readonly command: string;
  /** The file that records it. */
  readonly source: string;
  /** The day on which it was done; null if the file does not say. */
  readonly date: string | null;
}

/** The origin of a published value. */
export interface Published {
  /** The file with the values. */
  readonly source: string;
  readonly confirmations: readonly Pick<Confirmation, "kind">[];
}

/** A lower bound that somebody else has published, and nobody has checked here. */
export interface Literature {
  readonly bound: number;
  readonly citation: string;
}

/** `GET /v1/{shape}`: a board's value, those of its moves, and a line of best play. */
export interface Answer extends Worth {
  readonly board: string;
  readonly turn: Turn;
  readonly source: Source;
  /** Present if the source is `published`. */
  readonly published?: Published;
  readonly literature?: Literature;
  /** True if play from a start leads to the board. */
  readonly reachable?: boolean;
  readonly moves: readonly MoveAnswer[];
  readonly line: readonly string[];
  readonly end: string | null;
}

/** A game that the server knows something about (`GET /v1/shapes`). */
export interface ShapeSummary {
  readonly shape: string;
  readonly tiles: readonly number[];
  /** The number of starts, and of those with a proven value. */
  readonly starts: number;
  readonly solved: number;
  /** The least and the greatest proven value of a start; null if none is proven. */
  readonly lowest: number | null;
  readonly highest: number | null;
  /** Points that the slider can force from every start. */
  readonly atLeast: number;
  /** The file that values of starts are published in; null if none of them rests on it. */
  readonly published: string | null;
  /** True if every position is tabulated. */
  readonly tabulated: boolean;
}

/** A start and its value (`GET /v1/{shape}/starts`). */
export interface StartSummary extends Worth {
  readonly board: string;
}

/** A player that can take a side (`GET /v1/{shape}/players`). */
export interface PlayerSummary {
  readonly name: string;
  readonly summary: string;
}

/** The players that can take each side of a game. */
export interface Players {
  readonly sliders: readonly PlayerSummary[];
  readonly placers: readonly PlayerSummary[];
}

/** A move that a player may choose, with its probability (`GET /v1/{shape}/play`). */
export interface Choice {
  readonly move?: string;
  readonly place?: string;
  readonly probability: number;
}

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

/** A solve that is under way or over (`GET /v1/runs`). */
export interface RunSummary {
  readonly id: string;
  readonly shape: string;
  readonly tiles: readonly number[];
  readonly state: "running" | "done" | "stopped";
  readonly starts: number;
  readonly solved: number;
}

/** The state of a run, sent as the data of a server-sent event (`GET /v1/runs/{id}/events`). */
export interface RunState extends RunSummary {
  /** Seconds since the run began. */
  readonly seconds: number;
  /** Nodes searched so far, and in the last second. */
  readonly nodes: number;
  readonly nodesPerSecond: number;
  readonly windows: readonly { readonly board: string; readonly lo: number; readonly hi: number }[];
  readonly workers: readonly { readonly name: string; readonly threads: number }[];
}
