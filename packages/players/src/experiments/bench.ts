import { parseShape } from "@gridlock/game";
import { type PlayOptions, playMatch } from "../play.js";
import { type Statistics, statisticsOf } from "../statistics.js";
import type { PlayersBench } from "./experiment.js";

export interface GamesBenchOptions extends Pick<PlayOptions, "workers" | "signal"> {
  readonly seed: number;
  /** The solution database, beside which tabulations and other files lie. */
  readonly db: string;
  /** Called with the player whose games are under way, and how many of them are finished. */
  readonly onProgress?: (player: string, done: number, games: number) => void;
}

/** Plays the games of experiments with threads of this machine, one player after another. */
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
}
