import type { Node } from "@gridlock/game";
import type { GradedMove } from "../logic/grade.js";
import { type Game, nodeAt, type Ply } from "./game.js";
import { readersSides } from "./seats.js";
import type { Setting } from "./setting.js";
import type { Attempt } from "./words.js";

/*
 * The table on which a game is played or looked at, without its pictures: what the reader has
 * chosen there, how that changes, and what follows from it and the game.
 */

/** The choices that a reader makes with the tools of a table. */
export interface Choices {
  /** True if the programs of a watched game move by themselves. */
  readonly running: boolean;
  /** Moves a second of a watched game. */
  readonly speed: number;
  /** True if the moves' values are shown. */
  readonly open: boolean;
  /** True if the best moves are named. */
  readonly hint: boolean;
  /** The tile that a tap places; with a mouse or keys, each cell offers all. */
  readonly brush: number;
}

/** The state of a table, apart from its game. */
export interface TableState extends Choices {
  /** The number of moves on the board shown; `undefined` for all, those still to come included. */
  readonly cursor: number | undefined;
  /** The mistake to learn from, counted from 0, and the last move that was tried in its place. */
  readonly lesson: { readonly mistake: number; readonly attempt?: Attempt } | undefined;
  /** Slides asked for before their time, while the opponent replies. */
  readonly early: readonly string[];
}

/** An event at a table, by which its state changes. */
export type TableAction =
  | { readonly kind: "choose"; readonly choices: Partial<Choices> }
  /** The reader makes a move. */
  | { readonly kind: "move" }
  /** The reader asks for a slide while the opponent replies. */
  | { readonly kind: "slide early"; readonly name: string }
  /** The reader's turn begins; `left` are the early slides that wait for the next one. */
  | { readonly kind: "begin turn"; readonly left: readonly string[] }
  /** The reader steps through the game. */
  | { readonly kind: "step"; readonly cursor: number }
  /** Moves are taken back, or all of them. */
  | { readonly kind: "take back" }
  /** The reader turns to a mistake, or with `undefined` leaves the lessons. */
  | { readonly kind: "learn"; readonly mistake: number | undefined }
  | { readonly kind: "try"; readonly attempt: Attempt };

/** Returns the state of a table to which a reader comes. */
export function firstState({ game, reviewing }: Setting): TableState {
  return {
    running: false,
    speed: 2,
    open: false,
    hint: false,
    brush: game.tiles[0],
    cursor: reviewing ? 0 : undefined,
    lesson: undefined,
    early: [],
  };
}

/** Returns the state after an action. */
export function reduceTable(state: TableState, action: TableAction): TableState {
  switch (action.kind) {
    case "choose":
      return { ...state, ...action.choices };
    case "move":
      return { ...state, hint: false, cursor: undefined };
    case "slide early":
      return { ...state, early: [...state.early, action.name] };
    case "begin turn":
      return { ...state, early: action.left };
    case "step":
      return { ...state, cursor: action.cursor };
    case "take back":
      return {
        ...state,
        running: false,
        hint: false,
        cursor: undefined,
        lesson: undefined,
        early: [],
      };
    case "learn": {
      const { mistake } = action;
      return { ...state, lesson: mistake === undefined ? undefined : { mistake } };
    }
    case "try":
      return state.lesson
        ? { ...state, lesson: { ...state.lesson, attempt: action.attempt } }
        : state;
  }
}

/** The use of a table: the reader plays, watches programs, or looks at a game that was played. */
export type Mode = "play" | "watch" | "review";

/** Returns the use of a table for a setting. */
export function modeOf({ seats, reviewing }: Setting): Mode {
  if (reviewing) return "review";
  return readersSides(seats).length > 0 ? "play" : "watch";
}

/** A table's board and the reader's options: find a better move, step through, move, or wait. */
export type Phase = {
  readonly node: Node;
  /** The number of moves made on the board, and whether these are all. */
  readonly moves: number;
  readonly atEnd: boolean;
} & (
  | { readonly kind: "lesson"; readonly mistake: Ply }
  | { readonly kind: "stepping" | "your turn" | "their turn" }
);

/** The game at a table, and what follows from it. */
export interface Played {
  readonly game: Game;
  readonly mode: Mode;
  /** True if no move is possible any more. */
  readonly over: boolean;
  /** True if the reader has the side to move. */
  readonly yourTurn: boolean;
  /** The numbers of the moves that were mistakes. */
  readonly mistakes: readonly number[];
}

/** Returns the phase of a table. */
export function phaseAt({ cursor, lesson }: TableState, played: Played): Phase {
  const { game, mode, over, yourTurn, mistakes } = played;
  const count = game.plies.length;
  const moves = Math.min(cursor ?? count, count);
  const atEnd = moves === count;
  const mistake = lesson && game.plies[mistakes[lesson.mistake] ?? -1];
  if (mistake) return { kind: "lesson", node: mistake.before, mistake, moves, atEnd };
  const shown = { node: nodeAt(game, moves), moves, atEnd };
  if (over || mode === "review") return { kind: "stepping", ...shown };
  return { kind: yourTurn && atEnd ? "your turn" : "their turn", ...shown };
}

/** Chooses the first early slide that is possible now, and leaves those after it. */
export function earlyMove(
  early: readonly string[],
  moves: readonly GradedMove[],
): { readonly move: GradedMove | undefined; readonly left: readonly string[] } {
  const possible = early.map((name) => moves.find(({ step }) => step.name === name));
  const at = possible.findIndex((move) => move !== undefined);
  return { move: possible[at], left: at < 0 ? [] : early.slice(at + 1) };
}
