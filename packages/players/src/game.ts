import type { Direction, Node } from "@gridlock/game";
import { type CellRules, isEnd } from "./cell-rules.js";
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
  cellRules: CellRules,
  player: Player,
  placer: Placer,
  random: () => number,
  start?: Node,
): GameResult {
  const began = performance.now();
  let position = new Uint8Array(cellRules.size);
  let after = new Uint8Array(cellRules.size);
  if (start === undefined) placeStart(position, random);
  else {
    position.set(cellRules.cells(start.board));
    if (start.turn === "placer") placer.place(position, random);
  }
  let score = 0;
  let moves = 0;
  // With an empty cell, some tile can move.
  while (position.includes(0) || !isEnd(position, cellRules)) {
    score += cellRules.slide(position, pick(player.choose(position), random), after);
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

/**
 * Returns a generator of random numbers in [0, 1), in steps of 2^−32, determined by a seed and the
 * number of a game: Chris Doty-Humphrey's sfc32. Its period is at least 2^32 from any state, so it
 * is very unlikely that games share a stretch of it.
 */
export function gameRandom(seed: number, game: number): () => number {
  let [a, b, c, counter] = [seed | 0, game | 0, Math.floor(game / 2 ** 32) | 0, 1];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 15; i++) next(); // spreads seed and number over the state
  return next;
}
