import { formatShape, type Game, parseShape, type Shape, starts } from "@gridlock/game";
import {
  makeStrategies,
  openTabulation,
  type Player,
  PlayerMaker,
  playMatch,
  type Statistics,
  statisticsOf,
} from "@gridlock/players";
import { StoreError } from "@gridlock/store";
import type { Tabulation } from "@gridlock/tablebase";
import { Thread, Threads } from "@gridlock/threads";
import { type Assessment, assess } from "./exact/assess.js";
import { findLowScore, type LowScore } from "./exact/low-score.js";
import { compareMoves, type MoveComparison } from "./exact/moves.js";
import type { AssessProgress } from "./exact/reach.js";
import { type HeldBounds, searchStarts } from "./exact/search.js";
import type * as tasks from "./tasks.js";

type Tasks = typeof tasks;
type TaskName = keyof Tasks;

/** A request to a thread: to run one of the functions of `tasks.ts`. */
export interface TaskRequest {
  readonly name: TaskName;
  readonly task: Parameters<Tasks[TaskName]>[0];
}

/** The settings of a bench on which the results of experiments can depend. */
export interface BenchSettings {
  /** The seed of random samples and games. */
  readonly seed: number;
  /** Most nodes that a search for the full solution of 3×3 may generate. */
  readonly mostNodes: number;
  /** Most games of each player; default: as many as the experiments ask for. */
  readonly mostGames?: number;
  /** The shapes on which players are measured exactly, the smallest first. */
  readonly shapes: readonly Shape[];
}

/** Progress of what a bench does. */
export interface BenchProgress {
  readonly done: number;
  /** So far: an experiment may ask for more once it knows the results of others. */
  readonly total: number;
  /** Describes what is being done now, if a bench does one thing after another. */
  readonly text?: string;
}

/** Games of a player. */
export interface Played extends Statistics {
  readonly player: string;
}

/** Options of a {@link Bench}. */
export interface BenchOptions extends BenchSettings {
  /** The number of threads. */
  readonly workers: number;
  /** The solution database, beside which tabulations and other files lie. */
  readonly db: string;
  /** Stops games and measurements; disposing of the bench stops tasks. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: BenchProgress) => void;
}

/**
 * Does what experiments ask for, with settings that all of them share: tasks in worker threads, one
 * per thread at a time; games with all threads, one player after another; and measurements of
 * players. It is closed by disposing of it.
 */
export class Bench implements AsyncDisposable {
  readonly #options: BenchOptions;
  /** Started by the first task. */
  #threads: Threads<TaskRequest, unknown> | undefined;
  #asked = 0;
  #done = 0;

  constructor(options: BenchOptions) {
    this.#options = options;
  }

  get settings(): BenchSettings {
    return this.#options;
  }

  /** Runs one of the functions of `tasks.ts` in a worker thread. */
  async run<Name extends TaskName>(
    name: Name,
    task: Parameters<Tasks[Name]>[0],
  ): Promise<ReturnType<Tasks[Name]>> {
    this.#report(this.#done, ++this.#asked);
    const module = new URL("./tasks-worker.js", import.meta.url);
    const start = () =>
      new Thread<TaskRequest, unknown>(module, { name: "a thread of the experiments" });
    this.#threads ??= new Threads(this.#options.workers, start);
    const result = await this.#threads.ask({ name, task });
    this.#report(++this.#done, this.#asked);
    return result as ReturnType<Tasks[Name]>;
  }

  /**
   * Plays games, by default the ordinary ones on 4×4, or fewer if the bench has a limit; the
   * statistics have their number.
   *
   * @throws the signal's reason if it stops the games
   */
  async play(
    player: string,
    wanted: number,
    { shape = parseShape("4x4"), placer = "random" }: { shape?: Shape; placer?: string } = {},
  ): Promise<Played> {
    const { seed, db, workers, signal, mostGames = wanted } = this.#options;
    const games = Math.min(wanted, mostGames);
    const what = `${player} on ${formatShape(shape)}${placer === "random" ? "" : ` against ${placer}`}, games`;
    const onProgress = (done: number) => this.#report(done, games, what);
    const match = { player, placer, shape, seed, db };
    const results = await playMatch(match, { games, workers, onProgress, signal });
    return { player, ...statisticsOf(results) };
  }

  /**
   * Measures players exactly, all in one sweep.
   *
   * @throws {PlayerError} if a player needs a tabulation that is not there
   * @throws the signal's reason if it stops the sweep
   */
  async assess(names: readonly string[], shape: Shape): Promise<Assessment[]> {
    return await this.#withPlayers(names, shape, (players, game) =>
      assess(players, game, this.#sweepOptions(names, shape)),
    );
  }

  /**
   * Compares players' slides with the best ones in every position, all in one sweep.
   *
   * @param allImages whether a player that is not symmetric is asked about all images of a position
   * @throws {PlayerError} if the shape is not tabulated
   * @throws the signal's reason if it stops the sweep
   */
  async compareMoves(
    names: readonly string[],
    shape: Shape,
    allImages: boolean,
  ): Promise<MoveComparison[]> {
    using tabulation = this.#openTabulation(shape);
    const options = { ...this.#sweepOptions(names, shape), allImages };
    return await this.#withPlayers(names, shape, (players) =>
      compareMoves(players, tabulation, options),
    );
  }

  /**
   * Searches for the scores to which a placer holds a player from each start.
   *
   * @param positions most positions to look at; only lower bounds are found if they do not suffice
   * @throws the signal's reason if it stops the search
   */
  async searchStarts(name: string, shape: Shape, positions: number): Promise<HeldBounds[]> {
    const total = starts(shape).length;
    const { signal } = this.#options;
    const limits = { seconds: Number.POSITIVE_INFINITY, positions, signal };
    return await this.#withPlayers([name], shape, ([player], game) =>
      searchStarts(player, game, limits, (done) =>
        this.#report(done, total, `what ${name} is held to on ${formatShape(shape)}, starts`),
      ),
    );
  }

  /**
   * Looks for a game in which a player scores little against a placer that knows it.
   *
   * @param widths numbers of positions that a search keeps after each slide; see `findLowScore`
   * @throws the signal's reason if it stops the search
   */
  async findLowScore(name: string, shape: Shape, widths: readonly number[]): Promise<LowScore> {
    const what = `low scores of ${name} on ${formatShape(shape)}, positions`;
    const onProgress = (asked: number) => this.#report(asked, asked, what);
    return await this.#withPlayers([name], shape, ([player], game) =>
      findLowScore(player, game, { widths, onProgress, signal: this.#options.signal }),
    );
  }

  /**
   * Returns whether the files are there that a player needs on a shape.
   *
   * @throws {StoreError} if a file cannot be used, though it is there
   */
  async has(name: string, shape: Shape): Promise<boolean> {
    try {
      return await this.#withPlayers([name], shape, async () => true);
    } catch (error) {
      if (error instanceof StoreError && error.code === "missing") return false;
      throw error;
    }
  }

  /**
   * Checks that all shapes of the settings are tabulated.
   *
   * @throws {PlayerError} naming the first that is not
   */
  expectTabulations(): void {
    for (const shape of this.settings.shapes) this.#openTabulation(shape)[Symbol.dispose]();
  }

  /** Stops the threads, even during a task; unfinished tasks are rejected. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads?.[Symbol.asyncDispose]();
  }

  #openTabulation(shape: Shape): Tabulation {
    const columns = ["minimax", "expected"] as const;
    return openTabulation("this experiment", gameOn(shape), columns, this.#options.db);
  }

  /** Makes players for some work; strategies share the scores of slides. */
  async #withPlayers<Result>(
    names: readonly string[],
    shape: Shape,
    work: (players: readonly [Player, ...Player[]], game: Game) => Promise<Result>,
  ): Promise<Result> {
    using maker = new PlayerMaker(this.#options.db);
    const strategies = makeStrategies(shape);
    const make = (name: string) =>
      strategies.find((one) => one.name === name) ?? maker.player(name, { shape });
    const players = await Promise.all(names.map(make));
    return await work(players as [Player, ...Player[]], gameOn(shape));
  }

  #sweepOptions(names: readonly string[], shape: Shape) {
    const what = `${names.length === 1 ? names[0] : `${names.length} players`} on ${formatShape(shape)}`;
    return {
      signal: this.#options.signal,
      onProgress: ({ doing, positions, positionsInAll }: AssessProgress) =>
        this.#report(positions, positionsInAll ?? positions, `${what}, ${doing} positions`),
    };
  }

  #report(done: number, total: number, text?: string): void {
    this.#options.onProgress?.({ done, total, ...(text !== undefined && { text }) });
  }
}

function gameOn(shape: Shape): Game {
  return { shape, tiles: [2, 4] };
}
