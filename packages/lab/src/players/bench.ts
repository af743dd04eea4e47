import { formatShape, type Game, parseShape, type Shape, starts } from "@gridlock/game";
import {
  allStrategies,
  makeStrategies,
  type Player,
  PlayerMaker,
  type PlayOptions,
  playMatch,
  type Statistics,
  statisticsOf,
} from "@gridlock/players";
import { openTabulation } from "@gridlock/players/parts";
import { StoreError } from "@gridlock/store";
import type { Tabulation } from "@gridlock/tablebase";
import { type Assessment, assess } from "../exact/assess.js";
import { findLowScore, type LowScore } from "../exact/low-score.js";
import { compareMoves, type MoveComparison } from "../exact/moves.js";
import type { AssessProgress } from "../exact/reach.js";
import { type HeldBounds, searchStarts } from "../exact/search.js";
import type { PlayersBench, Setting } from "./experiment.js";

/** Options of a bench that plays games. */
export interface GamesBenchOptions extends Pick<PlayOptions, "workers" | "signal"> {
  readonly seed: number;
  /** The solution database, beside which tabulations and other files lie. */
  readonly db: string;
  /** Shapes on which players are measured exactly. */
  readonly shapes: readonly Shape[];
  /** Most games of each player; default: as many as the experiments ask for. */
  readonly mostGames?: number;
  /** Called with what is under way, and how much of it is done. */
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/** Does what experiments need on this machine: games with all threads, one player after another. */
export class GamesBench implements PlayersBench {
  readonly #options: GamesBenchOptions;
  /** Assessments by player and shape. */
  readonly #assessments = new Map<string, Assessment>();

  constructor(options: GamesBenchOptions) {
    this.#options = options;
  }

  get shapes(): readonly Shape[] {
    return this.#options.shapes;
  }

  /**
   * Checks that all shapes are tabulated.
   *
   * @throws {PlayerError} naming the first that is not
   */
  expectTabulations(): void {
    for (const shape of this.shapes) this.#openTabulation(shape).close();
  }

  /** @throws the signal's reason if it stops the games */
  async play(
    player: string,
    wanted: number,
    { shape = parseShape("4x4"), placer = "random" }: Setting = {},
  ): Promise<Statistics> {
    const { seed, db, workers, signal, mostGames = wanted } = this.#options;
    const games = Math.min(wanted, mostGames);
    const what = `${player} on ${formatShape(shape)}${placer === "random" ? "" : ` against ${placer}`}, games`;
    const results = await playMatch(
      { player, placer, shape, seed, db },
      {
        games,
        workers,
        ...(signal && { signal }),
        onProgress: (done) => this.#report(what, done, games),
      },
    );
    if (results === undefined) throw signal?.reason;
    return statisticsOf(results);
  }

  /**
   * @throws {PlayerError} if a player needs a tabulation that is not there
   * @throws the signal's reason if it stops the sweep
   */
  async assess(names: readonly string[], shape: Shape): Promise<Assessment[]> {
    const keyOf = (name: string) => `${name} on ${formatShape(shape)}`;
    const unknown = names.filter((name) => !this.#assessments.has(keyOf(name)));
    if (unknown.length > 0) {
      using maker = this.#maker();
      const players = await playersOn(shape, unknown, maker);
      const found = await assess(players, gameOn(shape), this.#sweepOptions(unknown, shape));
      found.forEach((one, i) => {
        this.#assessments.set(keyOf(unknown[i] as string), one);
      });
    }
    return names.map((name) => this.#assessments.get(keyOf(name)) as Assessment);
  }

  /**
   * @throws {PlayerError} if the shape is not tabulated
   * @throws the signal's reason if it stops the sweep
   */
  async compareMoves(
    names: readonly string[],
    shape: Shape,
    allImages: boolean,
  ): Promise<MoveComparison[]> {
    using maker = this.#maker();
    const players = await playersOn(shape, names, maker);
    using tabulation = this.#openTabulation(shape);
    const options = { ...this.#sweepOptions(names, shape), allImages };
    return await compareMoves(players, tabulation, options);
  }

  /** @throws the signal's reason if it stops the search */
  async searchStarts(name: string, shape: Shape, positions: number): Promise<HeldBounds[]> {
    const { signal } = this.#options;
    using maker = this.#maker();
    const player = await maker.player(name, { shape });
    const total = starts(shape).length;
    const limits = { seconds: Number.POSITIVE_INFINITY, positions, ...(signal && { signal }) };
    return await searchStarts(player, gameOn(shape), limits, (done) =>
      this.#report(`what ${name} is held to on ${formatShape(shape)}, starts`, done, total),
    );
  }

  /** @throws the signal's reason if it stops the search */
  async findLowScore(name: string, shape: Shape, widths: readonly number[]): Promise<LowScore> {
    const { signal } = this.#options;
    using maker = this.#maker();
    const player = await maker.player(name, { shape });
    const what = `low scores of ${name} on ${formatShape(shape)}, positions`;
    return await findLowScore(player, gameOn(shape), {
      widths,
      ...(signal && { signal }),
      onProgress: (asked) => this.#report(what, asked, asked),
    });
  }

  /** @throws {StoreError} if a file cannot be used, though it is there */
  async has(name: string, shape: Shape): Promise<boolean> {
    using maker = this.#maker();
    try {
      await maker.player(name, { shape });
      return true;
    } catch (error) {
      if (error instanceof StoreError && error.code === "missing") return false;
      throw error;
    }
  }

  #openTabulation(shape: Shape): Tabulation {
    const columns = ["minimax", "expected"] as const;
    return openTabulation("this experiment", gameOn(shape), columns, this.#options.db);
  }

  #maker(): PlayerMaker {
    return new PlayerMaker(this.#options.db);
  }

  #sweepOptions(names: readonly string[], shape: Shape) {
    const { signal } = this.#options;
    const what = `${names.length === 1 ? names[0] : `${names.length} players`} on ${formatShape(shape)}`;
    return {
      ...(signal && { signal }),
      onProgress: ({ doing, positions, positionsInAll }: AssessProgress) =>
        this.#report(`${what}, ${doing} positions`, positions, positionsInAll ?? positions),
    };
  }

  #report(what: string, done: number, total: number): void {
    this.#options.onProgress?.(what, done, total);
  }
}

/** Makes players; several strategies as the group that they are. */
async function playersOn(
  shape: Shape,
  names: readonly string[],
  maker: PlayerMaker,
): Promise<Player[]> {
  const strategies = allStrategies();
  if (names.length > 1 && names.every((name) => strategies.includes(name))) {
    const all = makeStrategies(shape);
    return names.map((name) => all[strategies.indexOf(name)] as Player);
  }
  return await Promise.all(names.map((name) => maker.player(name, { shape })));
}

function gameOn(shape: Shape): Game {
  return { shape, tiles: [2, 4] };
}
