import type { Shape } from "@gridlock/game";
import type { Report } from "@gridlock/paper";
import type { Assessment } from "../exact/assess.js";
import type { Statistics } from "../statistics.js";

/** Has players play. */
export interface PlayersBench {
  /** Plays games of the ordinary game on 4×4. */
  play(player: string, games: number): Promise<Statistics>;
  /** Measures players exactly, all in one sweep. */
  assess(players: readonly string[], shape: Shape): Promise<Assessment[]>;
}

/** An experiment of a paper on players, or one about its players. */
export interface PlayersExperiment {
  /** The name of its files, such as `strategies`. */
  readonly name: string;
  readonly title: string;
  run(bench: PlayersBench): Promise<Report>;
}
