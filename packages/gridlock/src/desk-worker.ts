import { parentPort, workerData } from "node:worker_threads";
import { Library } from "@gridlock/answers";
import {
  type Game,
  GameError,
  normalShape,
  parseShape,
  parseTiles,
  readBoard,
  type Tiles,
} from "@gridlock/game";
import { SEARCH_MEMORY, searchMemory } from "@gridlock/solver";
import { Database, StoreError } from "@gridlock/store";
import { explainMemory, isOutOfMemory } from "@gridlock/threads";
import { boardAnswerOf } from "./board-answer.js";
import { closedError, SolverError, type SolverErrorCode } from "./errors.js";
import { solveGame } from "./solve-game.js";
import type { SolveProgress, SolverOptions } from "./solver.js";

/* The thread of a solver: it has the database, solves games with more threads, and answers queries. */

/** The data that the thread begins with. */
export type DeskData = Required<Omit<SolverOptions, "onWarning">>;

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

const data = workerData as DeskData;
/** The database, and the library that answers from it, while they are open. */
let desk: ReturnType<typeof open> | undefined;
/** Solves under way, by the numbers of their requests. */
const solves = new Map<
  number,
  { readonly stop: AbortController; readonly ended: Promise<unknown> }
>();

function post(reply: DeskReply): void {
  parentPort?.postMessage(reply);
}

function warn(warning: string): void {
  post({ warning });
}

function open() {
  const { database: db, readOnly, published } = data;
  const database = Database.open(db, readOnly ? { readOnly, orEmpty: true } : {});
  const tableBytes = (game: Game) =>
    searchMemory(game, Math.min(SEARCH_MEMORY, process.availableMemory() / 2));
  const library = new Library({ db, database, published, readOnly, tableBytes, warn });
  return { database, library };
}

async function run(id: number, task: DeskTask, stopped: Int32Array): Promise<unknown> {
  if (task.kind === "open") {
    desk = open();
    return;
  }
  if (desk === undefined) throw closedError();
  if (task.kind === "close") return await close(desk);
  const { database, library } = desk;
  if (task.kind === "solve") {
    const { threads, memory } = task;
    const game = {
      shape: normalShape(parseShape(task.shape)),
      tiles: parseTiles(task.tiles.join()),
    };
    const stop = new AbortController();
    const ended = solveGame(game, {
      ...{ database, threads, memory, signal: stop.signal, onWait: warn },
      onProgress: (progress) => {
        library.expectChanges();
        post({ id, progress });
      },
    });
    solves.set(id, { stop, ended });
    try {
      return await ended;
    } finally {
      solves.delete(id);
      library.expectChanges();
    }
  }
  const { board, turn, notes } = readBoard(task.board);
  const tiles = parseTiles(task.tiles.join());
  for (const note of notes) warn(`${task.board}: ${note}`);
  library.refresh();
  try {
    const answer = library.answer({
      ...{ board, turn, tiles, budget: task.seconds },
      isStopped: () => Atomics.load(stopped, 0) === 1,
    });
    return boardAnswerOf(answer);
  } finally {
    library.save();
  }
}

/** Stops all solves, which save what they have proven, and closes the database. */
async function close({ database, library }: ReturnType<typeof open>): Promise<void> {
  desk = undefined;
  using _database = database;
  using _library = library;
  for (const { stop } of solves.values()) stop.abort(closedError());
  await Promise.allSettled([...solves.values()].map(({ ended }) => ended));
}

function describe(error: unknown): { readonly code: SolverErrorCode; readonly message: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof GameError || error instanceof StoreError || error instanceof SolverError) {
    return { code: error.code, message };
  }
  if (isOutOfMemory(error)) return { code: "out-of-memory", message: explainMemory(message) };
  return { code: "failed", message };
}

parentPort?.on("message", async (request: DeskRequest) => {
  if ("cancelled" in request) {
    solves.get(request.cancelled)?.stop.abort();
    return;
  }
  const { id, task, stopped } = request;
  try {
    post({ id, result: await run(id, task, stopped) });
  } catch (error) {
    post({ id, ...describe(error) });
  }
});
