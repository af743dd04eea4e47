import {
  type Board,
  canonical,
  cellCount,
  type Game,
  packBoard,
  type Shape,
  starts,
  tileSum,
} from "@gridlock/game";
import type { Player } from "@gridlock/players";
import { allStarts, tileChances } from "@gridlock/tablebase";
import { Grid } from "../enumeration/grid.js";
import { sweepBack } from "../enumeration/sweep-back.js";
import { Pauses } from "../pauses.js";
import { playerColumns, type Score, scoresOf } from "./player-columns.js";
import { Policies } from "./policies.js";
import { type AssessOptions, type PolicyLayer, reach } from "./reach.js";

/**
 * A player's scores from a start. If the player is not symmetric, the start stands for all its
 * images: the player expects their average, and is held to the least of them.
 */
export interface StartScore extends Score {
  readonly board: Board;
}

/** An exact assessment of a player. */
export interface Assessment {
  readonly player: string;
  /** Expected score of the ordinary game from two random tiles. */
  readonly expected: number;
  /** In the order of `starts`. */
  readonly starts: readonly StartScore[];
}

/**
 * Most cells of the shapes whose positions are few enough for a sweep: 3×3 has 48,713,519 up to
 * symmetry.
 */
const MOST_CELLS = 9;
/**
 * Most cells of a line for which the enumeration has tables, on shapes of up to {@link MOST_CELLS}.
 */
const LONGEST_LINE = 6;

/**
 * Returns whether players can be assessed by sweeps on a shape; on others, {@link searchStarts} can
 * help.
 */
export function canSweep(shape: Shape): boolean {
  return cellCount(shape) <= MOST_CELLS && Math.max(shape.rows, shape.cols) <= LONGEST_LINE;
}

/**
 * Assesses players exactly: one sweep forward finds the positions that any of them can reach and
 * asks all of them once about each, one sweep backward values the positions with the players'
 * choices fixed. Memory holds 8 bytes for each position (12 from 10 cells on) and 24 bytes for each
 * position of three layers and each player.
 *
 * Boards stand for their images if all players are symmetric. So assess slow players alone, and do
 * not assess a player that is not symmetric together with others that are.
 *
 * @throws {RangeError} if the shape is too large to enumerate, or the positions take more memory
 * than `options.memory`
 * @throws {PlayerError} if a player's choice is not valid
 */
export async function assess(
  players: readonly Player[],
  game: Game,
  options: AssessOptions = {},
): Promise<Assessment[]> {
  const grid = new Grid(
    game.shape,
    players.every(({ isSymmetric }) => isSymmetric),
  );
  const policies = new Policies(players, game.shape);
  const images = allStarts(game).map(({ board, chance }) => ({
    board: canonical(board),
    chance,
    code: grid.canonical(grid.encode(board)),
    sum: tileSum(board),
    scores: [] as readonly Score[],
  }));
  const layers = await reach(grid, game, images, policies, options);
  const columns = playerColumns(policies);
  const positionsInAll = layers.reduce((count, { positions }) => count + positions.length, 0);
  const pauses = new Pauses(options.signal);
  let valued = 0;
  for (const swept of sweepBack(grid, tileChances(game), backward(layers), columns)) {
    const { sum, positions } = swept.layer;
    valued += positions.length;
    options.onProgress?.({ doing: "valuing", sum, positions: valued, positionsInAll });
    for (const image of images) {
      if (image.sum !== sum) continue;
      image.scores = scoresOf(swept.values, swept.index.find(image.code), players.length);
    }
    if (pauses.isDue) await pauses.take();
  }
  return players.map(({ name }, i) => {
    const scored = images.map((image) => ({ ...image, ...(image.scores[i] as Score) }));
    return {
      player: name,
      expected: scored.reduce((sum, { chance, expected }) => sum + chance * expected, 0),
      starts: starts(game.shape).map((start) => ({
        board: start,
        ...ofAllImages(scored.filter(({ board }) => packBoard(board) === packBoard(start))),
      })),
    };
  });
}

/** Yields layers from the last to the first, and frees each. */
function* backward(layers: PolicyLayer[]): Generator<PolicyLayer> {
  for (let layer = layers.pop(); layer !== undefined; layer = layers.pop()) yield layer;
}

function ofAllImages(scores: readonly Score[]): Score {
  return {
    heldTo: Math.min(...scores.map(({ heldTo }) => heldTo)),
    heldToWorstTie: Math.min(...scores.map(({ heldToWorstTie }) => heldToWorstTie)),
    expected: scores.reduce((sum, { expected }) => sum + expected, 0) / scores.length,
  };
}
