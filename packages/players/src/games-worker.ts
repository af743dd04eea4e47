/* A thread of `playMatch`: plays some games after others. */
import { answerRequests } from "@gridlock/threads";
import { CellRules } from "./cell-rules.js";
import { type GameResult, gameRandom, playGame } from "./game.js";
import { PlayerMaker } from "./maker.js";
import type { Placer } from "./placer.js";
import type { GamesTask, Match } from "./play.js";
import type { Player } from "./player.js";
import { remembering } from "./remember.js";

/**
 * The player and the placer of this thread's match, with their tables. A thread plays games of one
 * match only.
 */
let seated: Promise<[Player, Placer]> | undefined;

/** Plays several games of a match. Each game depends only on the match and the game's number. */
async function playGames({ match, first, count }: GamesTask): Promise<GameResult[]> {
  seated ??= seat(match);
  const [player, placer] = await seated;
  const cellRules = new CellRules(match.shape);
  return Array.from({ length: count }, (_, i) =>
    playGame(cellRules, player, placer, gameRandom(match.seed, first + i), match.start),
  );
}

async function seat(match: Match): Promise<[Player, Placer]> {
  const maker = new PlayerMaker(match.db); // open as long as the thread runs
  const player = await maker.player(match.player, match);
  return [remembering(player, match.shape), maker.placer(match.placer, match.shape)];
}

answerRequests(playGames);
