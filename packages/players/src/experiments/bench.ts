import { formatShape, parseShape, type Shape } from "@gridlock/game";
import { type Assessment, assess } from "../exact/assess.js";
import { type PlayOptions, playMatch } from "../play.js";
import { makePlayer } from "../registry.js";
import { type Statistics, statisticsOf } from "../statistics.js";
import type { PlayersBench } from "./experiment.js";

export interface GamesBenchOptions extends Pick<PlayOptions, "workers" | "signal"> {
  readonly seed: number;
  /** The solution database, beside which tabulations and other files lie. */
  readonly db: string;
  /** Called with what is under way, and how many games, or positions, are done of how many. */
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/** Does what experiments need on this machine: games with all threads, one player after another. */
export class GamesBench implements PlayersBench {
  readonly #options: GamesBenchOptions;

  constructor(options: GamesBenchOptions) {
    this.#options = options;
  }

  /** @throws the signal's reason if it stops the games */
  async play(player: string, games: number): Promise<Statistics> {
    const { seed, db, workers, signal, onProgress } = this.#options;
    const match = { player, placer: "random", shape: parseShape("4x4"), seed, db };
    const results = await playMatch(match, {
      games,
      workers,
      ...(signal && { signal }),
      onProgress: (done) => onProgress?.(player, done, games),
    });
    if (results === undefined) throw signal?.reason;
    return statisticsOf(results);
  }

  /**
   * @throws {PlayerError} if a player needs a tabulation that is not there
   * @throws the signal's reason if it stops the sweep
   */
  async assess(names: readonly string[], shape: Shape): Promise<Assessment[]> {
    const { db, signal, onProgress } = this.#options;
    const players = await Promise.all(names.map((name) => makePlayer(name, { shape, db })));
    const what = `${names.length === 1 ? names[0] : `${names.length} players`} on ${formatShape(shape)}`;
    return await assess(
      players,
      { shape, tiles: [2, 4] },
      {
        ...(signal && { signal }),
        onProgress: ({ doing, positions, positionsInAll }) =>
          onProgress?.(`${what}, ${doing} positions`, positions, positionsInAll ?? positions),
      },
    );
  }
}
