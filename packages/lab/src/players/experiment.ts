import type { Shape } from "@gridlock/game";
import type { Statistics } from "@gridlock/players";
import type { Assessment } from "../exact/assess.js";
import type { LowScore } from "../exact/low-score.js";
import type { MoveComparison } from "../exact/moves.js";
import type { HeldBounds } from "../exact/search.js";
import type { Report } from "../experiment.js";

/** The shape on which games are played, and the placer they are played against. */
export interface Setting {
  /** Default: 4×4. */
  readonly shape?: Shape;
  /** Default: `random`, that of the ordinary game. */
  readonly placer?: string;
}

/** Plays games with players, and measures them. */
export interface PlayersBench {
  /** The shapes on which players are measured exactly, the smallest first. */
  readonly shapes: readonly Shape[];
  /** Plays games, or fewer if the bench has a limit; the statistics have their number. */
  play(player: string, games: number, setting?: Setting): Promise<Statistics>;
  /** Measures players exactly, all in one sweep; those that it has measured before it knows. */
  assess(players: readonly string[], shape: Shape): Promise<Assessment[]>;
  /**
   * Compares players' slides with the best ones in every position, all in one sweep.
   *
   * @param allImages whether a player that is not symmetric is asked about all images of a position
   */
  compareMoves(
    players: readonly string[],
    shape: Shape,
    allImages: boolean,
  ): Promise<MoveComparison[]>;
  /**
   * Searches for the scores to which a placer holds a player from each start.
   *
   * @param positions most positions to look at; only lower bounds are found if they do not suffice
   */
  searchStarts(player: string, shape: Shape, positions: number): Promise<HeldBounds[]>;
  /**
   * Looks for a game in which a player scores little against a placer that knows it.
   *
   * @param widths numbers of positions that a search keeps after each slide; see `findLowScore`
   */
  findLowScore(player: string, shape: Shape, widths: readonly number[]): Promise<LowScore>;
  /** Returns whether the files are there that a player needs on a shape. */
  has(player: string, shape: Shape): Promise<boolean>;
}

/** An experiment of a paper on players, or one about its players. */
export interface PlayersExperiment {
  /** The name of its files, such as `strategies`. */
  readonly name: string;
  readonly title: string;
  /** True if it measures players exactly, for which the bench's shapes must be tabulated. */
  readonly isExact?: true;
  run(bench: PlayersBench): Promise<Report>;
}
