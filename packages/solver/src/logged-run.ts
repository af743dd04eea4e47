import { describeGame, type Game, normalShape, unpackBoard } from "@gridlock/game";
import type { NodeCounts } from "@gridlock/kernel";
import {
  acquireLock,
  BRIEF_MS,
  type Database,
  isRunOf,
  MEMORY,
  nameProcess,
  orDisposed,
  pathBeside,
  patiently,
  type Run,
  type RunOutcome,
  type RunQuestion,
  stateOfRun,
  thisProcess,
  type Waiting,
} from "@gridlock/store";
import type { JobPort } from "./port.js";

/** The cost of a run. */
export interface Effort {
  readonly nodes: NodeCounts;
  readonly seconds: number;
}

/** A run's origin and settings, as they are to be shown later. */
export interface RunLabel {
  /** The version of the program. */
  readonly version: string;
  readonly machine: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Milliseconds between two records of a run's cost so far. */
const RECORD_MS = 1000;

/**
 * Sums the nodes of the earlier runs that a run resumes: back to one that solved the game or began
 * it anew.
 *
 * @param earlier the runs before it, the latest first
 */
export function nodesBefore(
  { game, options: { fresh } }: Pick<Run, "game" | "options">,
  earlier: readonly Run[],
): number {
  if (fresh === true) return 0;
  let nodes = 0;
  for (const run of earlier) {
    if (!isRunOf(game, run)) continue;
    if (run.outcome === "solved") break;
    nodes += run.positions + run.afterstates;
    const { fresh } = run.options;
    if (fresh === true) break;
  }
  return nodes;
}

/**
 * Takes the lock of a game's runs in a database, until it is disposed of or the process ends.
 *
 * @throws {StoreError} `locked` if another process holds it, which the message names
 */
export function lockRuns(game: Game, database: Database): Disposable {
  if (database.file === MEMORY) return { [Symbol.dispose]() {} };
  const name = describeGame({ ...game, shape: normalShape(game.shape) });
  return acquireLock(pathBeside(database.file, game, "lock"), `solving ${name}`, () => {
    const isHolder = (run: Run) => isRunOf(game, run) && stateOfRun(run) === "running";
    const run = database.runs.all().find(isHolder);
    return run ? nameProcess(run) : "another process";
  });
}

/** The parts of a port that are recorded. */
type LoggedPort = Pick<JobPort, "counts" | "question">;

/**
 * A run in a database's log of runs, with its cost so far and its question recorded every second.
 * It holds the lock of the game's runs until it is disposed of; before its end, it is then recorded
 * as failed.
 */
export class LoggedRun implements Disposable {
  readonly #database: Database;
  readonly #game: Game;
  readonly #port: LoggedPort;
  readonly #id: number;
  /** Nodes that earlier runs have expanded since the game was last begun anew. */
  readonly before: number;
  readonly #began = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #lock: Disposable;
  #spent: Effort | undefined;
  #ended = false;

  /**
   * Begins a run in the log.
   *
   * @throws {StoreError} when the database cannot be written; `locked` when another process solves
   *   the game into it
   */
  constructor(
    game: Game,
    database: Database,
    port: LoggedPort,
    { version, machine, options }: RunLabel,
  ) {
    this.#database = database;
    this.#game = game;
    this.#port = port;
    this.#lock = lockRuns(game, database);
    [this.before, this.#id] = orDisposed(this.#lock, () => [
      nodesBefore({ game, options }, database.runs.all()),
      database.runs.begin({
        game,
        options: { ...options, process: thisProcess() },
        version,
        machine,
      }),
    ]);
    database.patience = BRIEF_MS; // from here on, waits do not block the process
    this.#timer = setInterval(() => this.#tryToRecord("unfinished"), RECORD_MS);
  }

  /** Ends the search: the run's cost no longer changes. */
  stop(): void {
    clearInterval(this.#timer);
    this.#spent ??= this.#effort();
  }

  /** Records the run's outcome; returns its cost. */
  async end(outcome: RunOutcome, waiting: Waiting): Promise<Effort> {
    this.stop();
    await patiently(this.#database.file, () => this.#record(outcome), waiting);
    this.#ended = true;
    return this.#effort();
  }

  [Symbol.dispose](): void {
    this.stop();
    if (!this.#ended) this.#tryToRecord("failed");
    this.#lock[Symbol.dispose]();
  }

  #effort(): Effort {
    const seconds = (performance.now() - this.#began) / 1000;
    return this.#spent ?? { nodes: this.#port.counts(), seconds };
  }

  #question(): RunQuestion | undefined {
    const { question } = this.#port;
    if (question === undefined) return undefined;
    const shape = normalShape(this.#game.shape);
    return { board: unpackBoard(shape, question.board), threshold: question.threshold };
  }

  #record(outcome: RunOutcome): void {
    const { nodes, seconds } = this.#effort();
    const question = outcome === "unfinished" ? this.#question() : undefined;
    this.#database.runs.update(this.#id, outcome, { ...nodes, seconds }, question);
  }

  /** For records that may be missing: if the database fails, its next user reports that better. */
  #tryToRecord(outcome: RunOutcome): void {
    try {
      this.#record(outcome);
    } catch {}
  }
}
