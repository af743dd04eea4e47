import type { Direction, Node } from "@gridlock/game";
import type { Grid } from "./grid.js";
import { isEnd } from "./grid.js";
import { type Placer, placeStart } from "./placer.js";
import type { Choice, Player } from "./player.js";

/** The result of a game. */
export interface GameResult {
  readonly score: number;
  /** The number of slides. */
  readonly moves: number;
  /** The largest tile at the end. */
  readonly largest: number;
  /** Seconds that the game took. */
  readonly seconds: number;
}

/**
 * Plays a game to its end.
 *
 * @param random returns random numbers in [0, 1): for the tiles, and for the player's choices
 * @param start the first board, a position or an afterstate (default: two random tiles)
 */
export function playGame(
  grid: Grid,
  player: Player,
  placer: Placer,
  random: () => number,
  start?: Node,
): GameResult {
  const began = performance.now();
  let position = new Uint8Array(grid.size);
  let after = new Uint8Array(grid.size);
  if (start === undefined) placeStart(position, random);
  else {
    position.set(grid.cells(start.board));
    if (start.turn === "placer") placer.place(position, random);
  }
  let score = 0;
  let moves = 0;
  // With an empty cell, some tile can move.
  while (position.includes(0) || !isEnd(position, grid)) {
    score += grid.slide(position, pick(player.choose(position), random), after);
    moves++;
    placer.place(after, random);
    [position, after] = [after, position];
  }
  const largest = 2 ** Math.max(...position);
  return { score, moves, largest, seconds: (performance.now() - began) / 1000 };
}

/** Picks one of a player's choices; draws a random number only if there are several. */
function pick(choices: readonly Choice[], random: () => number): Direction {
  let rest = choices.length > 1 ? random() : 0;
  for (const { direction, probability } of choices) {
    rest -= probability;
    if (rest < 0) return direction;
  }
  return (choices.at(-1) as Choice).direction; // the probabilities are rounded
}
