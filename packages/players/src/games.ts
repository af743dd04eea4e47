import type { Node, Shape } from "@gridlock/game";
import { type GameResult, playGame } from "./game.js";
import { Grid } from "./grid.js";
import { PlayerMaker } from "./maker.js";
import type { Placer } from "./placer.js";
import type { Player } from "./player.js";
import { gameRandom } from "./random.js";
import { remembering } from "./remember.js";

/*
 * The work of the threads that play games. Data passed between threads is copied, so players and
 * placers are passed by name.
 */

/** A player and a placer on a shape, and the seed of their games. */
export interface Match {
  readonly player: string;
  readonly placer: string;
  readonly shape: Shape;
  readonly seed: number;
  /** The board on which each game begins (default: two random tiles). */
  readonly start?: Node;
  /** The solution database, beside which tabulations and other files lie. */
  readonly db: string;
}

/** Some consecutive games of a match. */
export interface GamesTask {
  readonly match: Match;
  /** The number of the first game. */
  readonly first: number;
  readonly count: number;
}

/**
 * The player and the placer of this thread's match, with their tables. A thread plays games of one
 * match only.
 */
let seated: Promise<[Player, Placer]> | undefined;

/** Plays several games of a match. Each game depends only on the match and the game's number. */
export async function playGames({ match, first, count }: GamesTask): Promise<GameResult[]> {
  seated ??= seat(match);
  const [player, placer] = await seated;
  const grid = new Grid(match.shape);
  return Array.from({ length: count }, (_, i) =>
    playGame(grid, player, placer, gameRandom(match.seed, first + i), match.start),
  );
}

async function seat(match: Match): Promise<[Player, Placer]> {
  const maker = new PlayerMaker(match.db); // open as long as the thread runs
  const player = await maker.player(match.player, match);
  return [remembering(player, match.shape), maker.placer(match.placer, match.shape)];
}
