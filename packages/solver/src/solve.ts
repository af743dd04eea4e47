import {
  type Board,
  type Bound,
  canonical,
  type Game,
  isExact,
  mergeBounds,
  normalShape,
  type PackedNode,
  packNode,
  sameBoard,
  seededRandom,
  starts,
  UNKNOWN,
} from "@gridlock/game";
import { allNodes } from "@gridlock/kernel";
import { type Database, patiently, type Waiting } from "@gridlock/store";
import { type Agenda, nextQuestion, type StartBound, withBound } from "./agenda.js";
import { LowerBoundSearch, type LowerBounds } from "./lower-bounds.js";
import type { JobPort } from "./port.js";
import { guessAmong } from "./window.js";

/** A start that is being solved: its index, and its packed node for questions. */
interface OpenStart extends StartBound {
  readonly index: number;
  readonly key: PackedNode;
}

/** Options of a solve. */
export interface SolveOptions {
  /** The only starts to solve, in canonical form (default: all of the game). */
  readonly only?: readonly Board[];
  /** Process the starts in random order, using this seed, instead of their listed order. */
  readonly seed?: number | undefined;
  /**
   * The first threshold to ask, in points (default: one that the shape suggests). It affects only
   * the time, which is shortest if the guess is a little above the values.
   */
  readonly guess?: number | undefined;
  /**
   * Only raise the lower bounds of the starts, for games that take too long to solve: see
   * {@link LowerBoundSearch}. If all starts are solved by it, that takes longer than without.
   */
  readonly lowerBounds?: LowerBounds | undefined;
  /** Called at the beginning and after each answer, with the number of answers in this run. */
  readonly onProgress?: (agenda: Agenda, questions: number) => void;
  /** Reports and ends waits for a database that another process has locked. */
  readonly waiting?: Waiting;
}

/** Registers a game's starts in the database and returns their stored bounds. */
export function openStarts(game: Game, database: Database): StartBound[] {
  const boards = starts(game.shape);
  database.addStarts(game, boards);
  return storedStarts(game, database, boards);
}

/** Returns the stored bounds of a game's starts; default: of those that the database lists. */
export function storedStarts(
  game: Game,
  database: Database,
  boards: readonly Board[] = database.starts(game),
): StartBound[] {
  const bounds = database.bounds(game);
  return boards.map((board) => ({
    board,
    bound: bounds.of({ board: canonical(board), turn: "slider" }),
  }));
}

/**
 * Solves starts of a game: narrows each start's window, question by question, until its bounds
 * meet. Merges every answer into the database before it asks the next question, so that nothing
 * proven is lost. Returns when all starts are solved or the port was stopped.
 */
export async function solve(
  game: Game,
  database: Database,
  port: JobPort,
  { only, seed, guess: first, lowerBounds, onProgress, waiting = {} }: SolveOptions = {},
): Promise<StartBound[]> {
  const normal = { ...game, shape: normalShape(game.shape) };
  const { file } = database;
  const all = await patiently(file, () => openStarts(normal, database), waiting);
  const isAsked = ({ board }: StartBound) =>
    only === undefined || only.some((start) => sameBoard(start, canonical(board)));
  const asked = all.filter(isAsked);
  // The starts of a shape have similar values: the last one found is the best guess.
  let agenda: Agenda = {
    starts: seed === undefined ? asked : shuffled(asked, seed),
    guess: guessAmong(normal, all, first),
  };
  const bounds = database.bounds(normal);
  let questions = 0;

  /** Updates a start from the database: another solver may have narrowed its window meanwhile. */
  function look(index: number): OpenStart {
    const { board, bound } = agenda.starts[index] as StartBound;
    const key = packNode({ turn: "slider", board });
    const known = mergeBounds(bound, bounds.get(key) ?? UNKNOWN);
    agenda = withBound(agenda, index, known);
    return { board, bound: known, index, key };
  }

  /**
   * Asks a question about a start and stores the answer; returns the start's bound, or `undefined`
   * without an answer.
   */
  async function ask(
    { index, key, bound }: OpenStart,
    threshold: number,
    signal?: AbortSignal,
  ): Promise<Bound | undefined> {
    const answer = await port.ask({ ...key, threshold }, { ...(signal && { signal }) });
    if (answer === undefined) return undefined;
    const narrowed = mergeBounds(bound, answer);
    await patiently(file, () => bounds.merge([{ ...key, ...narrowed }]), waiting);
    agenda = withBound(agenda, index, narrowed);
    questions++;
    onProgress?.(agenda, questions);
    return narrowed;
  }

  /** Finds the values of all starts. */
  async function solveAll(): Promise<void> {
    for (let next = nextQuestion(agenda); next; next = nextQuestion(agenda)) {
      const start = look(next.index);
      const now = nextQuestion(agenda);
      if (now?.index !== next.index) continue;
      if ((await ask(start, now.threshold)) === undefined) return;
    }
  }

  /** Raises the lower bounds. */
  async function raiseAll(limits: LowerBounds): Promise<void> {
    const open = agenda.starts.flatMap(({ bound }, index) => (isExact(bound) ? [] : [index]));
    const search = {
      starts: () => open.map(look),
      ask: (index: number, threshold: number, signal?: AbortSignal) =>
        ask(look(index), threshold, signal),
      nodes: () => allNodes(port.counts()),
      asked: database.asked(normal),
      store: (write: () => void) => patiently(file, write, waiting),
    };
    await new LowerBoundSearch(search, limits).run();
  }

  onProgress?.(agenda, questions);
  await (lowerBounds ? raiseAll(lowerBounds) : solveAll());
  return asked.map(
    ({ board }) => agenda.starts.find((start) => start.board === board) as StartBound,
  );
}

/** Returns the items in random order, using a seed. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = seededRandom(seed);
  const order = [...items];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j] as T, order[i] as T];
  }
  return order;
}
