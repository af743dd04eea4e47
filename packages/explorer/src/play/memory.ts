import { formatShape, formatTiles, isStart } from "@gridlock/game";
import { boardInAddress, readBoard } from "../logic/address.js";
import { readStored, store } from "../ui/stored.js";
import { earnedIn, type Game, replay } from "./game.js";
import { readMoves, writeMoves } from "./record.js";
import { readersSides, type Seats } from "./seats.js";

/*
 * The browser's memory of games, for each shape and each pair of players: the game under way and
 * the best score. A tab keeps its own game; a new tab continues the one that was moved in last.
 */

function nameOf(
  kind: "game" | "best",
  { start, tiles }: Pick<Game, "start" | "tiles">,
  seats: Seats,
) {
  const game = `${formatShape(start.board)} ${formatTiles(tiles)}`;
  return `gridlock-${kind} ${game} ${seats.slider} ${seats.placer}`;
}

/** Stores a game. One without moves is forgotten, unless another tab has stored its own since. */
export function rememberGame(game: Game, seats: Seats): void {
  const { start, tiles, plies } = game;
  const steps = plies.map(({ step }) => step);
  const text = `${boardInAddress(start.board)} ${start.turn} ${writeMoves(tiles, steps)}`;
  const name = nameOf("game", game, seats);
  const isOwn = readStored(name) === readStored(name, "sessionStorage");
  store(name, text, "sessionStorage");
  if (plies.length > 0) store(name, text);
  else if (isOwn) store(name, undefined);
}

/** Returns the stored game of two players; `undefined` if it is missing or cannot be read. */
export function rememberedGame(of: Pick<Game, "start" | "tiles">, seats: Seats): Game | undefined {
  const name = nameOf("game", of, seats);
  const text = readStored(name, "sessionStorage") ?? readStored(name);
  const [board = "", turn = "", moves = ""] = text?.split(" ") ?? [];
  try {
    const start = readBoard(board, turn === "placer" ? "placer" : "slider");
    const { steps, problem } = readMoves(start, of.tiles, moves);
    return problem === undefined ? replay(start, of.tiles, steps) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the reader's best score against an opponent; `undefined` if no game is over yet. */
export function bestScore(game: Game, seats: Seats): number | undefined {
  const best = Number(readStored(nameOf("best", game, seats)) ?? Number.NaN);
  return Number.isFinite(best) ? best : undefined;
}

/** Counts a finished game from a start: the most points for a slider, the fewest for a placer. */
export function countScore(game: Game, seats: Seats): void {
  if (readersSides(seats).length !== 1 || !isStart(game.start)) return;
  const earned = earnedIn(game);
  const before = bestScore(game, seats) ?? earned;
  const best = seats.slider === "you" ? Math.max(before, earned) : Math.min(before, earned);
  store(nameOf("best", game, seats), String(best));
}
