import type { Tiles } from "@gridlock/game";
import type { SolverErrorCode } from "./errors.js";
import type { SolveProgress } from "./options.js";

/* The messages between a solver and its thread. */

/** The data that the thread begins with. */
export interface DeskData {
  /** The file of the database; `:memory:` for none. */
  readonly database: string;
  readonly readOnly: boolean;
  readonly published: boolean;
}

/** A piece of work. */
export type DeskTask =
  | { readonly kind: "open" }
  | {
      readonly kind: "solve";
      readonly shape: string;
      readonly tiles: Tiles;
      readonly threads: number;
      readonly memory: number | undefined;
    }
  | {
      readonly kind: "query";
      readonly board: string;
      readonly tiles: Tiles;
      readonly seconds: number;
    }
  | { readonly kind: "close" };

/** A message to the thread: a task, or that nobody waits for one any more. */
export type DeskRequest =
  | { readonly id: number; readonly task: DeskTask; readonly stopped: Int32Array }
  | { readonly cancelled: number };

/** A message from the thread. */
export type DeskReply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly code: SolverErrorCode; readonly message: string }
  | { readonly id: number; readonly progress: SolveProgress }
  | { readonly warning: string };
