import type * as api from "@gridlock/gridlock/client";

/*
 * The objects of the HTTP API that the pages read, by the names of the pages.
 */

export type { Answer, Players, Published, RunState } from "@gridlock/gridlock/client";

/** A slide (`move`) or a placement (`place`), and what the board after it is worth. */
export type MoveAnswer = api.Answer["moves"][number];

/** Evidence for published values, apart from the run that found them. */
export type Confirmation = api.Published["confirmations"][number];

/** A lower bound that somebody else has published. */
export type Literature = Pick<api.Literature, "bound" | "citation">;

/** A game that the server knows something about. */
export type ShapeSummary = api.Shapes["shapes"][number];

/** A start and its value. */
export type StartSummary = Pick<
  api.Starts["starts"][number],
  "board" | "lo" | "hi" | "value" | "expected"
>;

/** A player that can take a side. */
export type PlayerSummary = api.Players["sliders"][number];

/** A move that a player may choose, with its probability. */
export type Choice = api.Play["choices"][number];
