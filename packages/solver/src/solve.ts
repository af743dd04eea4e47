import {
  type Board,
  type Bound,
  canonical,
  type Game,
  isExact,
  mergeBounds,
  mostPointsToCome,
  normalShape,
  type PackedNode,
  packNode,
  starts,
  UNKNOWN,
} from "@gridlock/game";
import type { NodeCounts } from "@gridlock/kernel";
import type { Database } from "@gridlock/store";
import type { JobPort } from "./port.js";
import { shuffled } from "./random.js";
import { firstGuess, guessBeside, guessOf, nextThreshold, raised } from "./window.js";

/** A start and what is proven of its value. */
export interface StartBound {
  readonly board: Board;
  readonly bound: Bound;
}

/** A start that is being solved: its number, and what it is asked about by. */
interface OpenStart extends StartBound {
  readonly index: number;
  readonly key: PackedNode;
}

/** How far a solve has come. */
export interface Progress {
  readonly starts: readonly StartBound[];
  readonly solved: number;
  /** Questions answered in this run. */
  readonly questions: number;
  readonly counts: NodeCounts;
}

export interface SolveOptions {
  /** Take the starts in an order of chance that this seed determines, not in their listed order. */
  readonly seed?: number;
  /**
   * The first threshold to ask, in points; without it one that the shape suggests. Only the time depends on it, least where
   * it is a little above the values.
   */
  readonly guess?: number;
  /**
   * Only raise the lower bounds of all starts, the lowest first: for games that cannot be solved in the time there is.
   * Ends when all are solved, which is later than without it, or when the port is stopped.
   */
  readonly lowerBounds?: boolean;
  /** Called whenever a question has been answered. */
  readonly onProgress?: (progress: Progress) => void;
}

/** Registers a game's starts in the database, and returns what it already holds of them. */
export function openStarts(game: Game, database: Database): StartBound[] {
  const boards = starts(game.shape);
  database.addStarts(game, boards);
  return storedStarts(game, database, boards);
}

/** What the database holds of a game's starts. */
export function storedStarts(
  game: Game,
  database: Database,
  boards: readonly Board[],
): StartBound[] {
  const bounds = database.bounds(game);
  return boards.map((board) => ({
    board,
    bound: bounds.of({ board: canonical(board), turn: "slider" }),
  }));
}

/**
 * Solves all starts of a game: narrows each start's window, question by question, until its bounds
 * meet. Every answer is merged into the database before the next question is asked, so that nothing
 * proven is lost. Returns when all are solved, or when the port was stopped.
 */
export async function solve(
  game: Game,
  database: Database,
  port: JobPort,
  { seed, guess: first, lowerBounds = false, onProgress }: SolveOptions = {},
): Promise<StartBound[]> {
  const normal = { ...game, shape: normalShape(game.shape) };
  const bounds = database.bounds(normal);
  const state = openStarts(normal, database);
  const listed = state.flatMap(({ bound }, i) => (isExact(bound) ? [] : [i]));
  const open = seed === undefined ? listed : shuffled(listed, seed);
  let questions = 0;
  // The starts of a shape have values close to each other: the last one found is the best guess.
  const found = state.filter(({ bound }) => isExact(bound)).map(({ bound }) => bound.lo);
  let guess = first === undefined ? firstGuess(normal) : guessOf(first);
  if (found.length > 0) guess = guessBeside(Math.max(...found));

  /** What is known of a start now: another solver may have narrowed its window meanwhile. */
  function look(index: number): OpenStart {
    const { board, bound } = state[index] as StartBound;
    const key = packNode({ turn: "slider", board });
    const known = { board, bound: mergeBounds(bound, bounds.get(key) ?? UNKNOWN) };
    state[index] = known;
    return { ...known, index, key };
  }

  /** Asks a question about a start, and keeps the answer; returns whether there was one. */
  async function ask(start: OpenStart, threshold: number): Promise<boolean> {
    const { index, key, board, bound } = start;
    const answer = await port.ask({ ...key, threshold });
    if (answer === undefined) return false;
    const narrowed = mergeBounds(bound, answer);
    bounds.merge([{ ...key, ...narrowed }]);
    state[index] = { board, bound: narrowed };
    questions++;
    onProgress?.({
      starts: state,
      solved: state.filter(({ bound }) => isExact(bound)).length,
      questions,
      counts: port.counts(),
    });
    return true;
  }

  /** Finds the value of one start after another. */
  async function settleAll(): Promise<void> {
    for (let index = open.shift(); index !== undefined; index = open.shift()) {
      for (;;) {
        const start = look(index);
        const threshold = nextThreshold(start.bound, mostPointsToCome(start.board), guess);
        if (threshold === undefined) {
          guess = guessBeside(start.bound.lo);
          break;
        }
        if (!(await ask(start, threshold))) return;
      }
    }
  }

  /** Raises the lowest of the lower bounds, again and again. */
  async function raiseAll(): Promise<void> {
    for (;;) {
      const [lowest] = open
        .map(look)
        .filter(({ bound }) => !isExact(bound))
        .sort((a, b) => a.bound.lo - b.bound.lo);
      if (lowest === undefined || !(await ask(lowest, raised(lowest.bound)))) return;
    }
  }

  // If one lane fails the others are stopped, and must have come to rest before the caller may close.
  const lanes = Array.from({ length: port.slots }, async () => {
    try {
      await (lowerBounds ? raiseAll() : settleAll());
    } catch (error) {
      port.stop();
      throw error;
    }
  });
  const results = await Promise.allSettled(lanes);
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
  return state;
}
