import {
  type Bound,
  type Game,
  mergeBounds,
  mostPointsToCome,
  packBoard,
  starts,
  UNKNOWN,
} from "@gridlock/game";
import { firstGuess, nextThreshold, type Question } from "@gridlock/solver";
import type { SimulationOptions } from "./options.js";
import { alone, type Run, simulate } from "./simulate.js";

/**
 * Returns the hardest question of a solve of a game's first start: the one that takes one thread longest, each question
 * with an empty table.
 */
export async function hardestQuestion(
  game: Game,
  options: Omit<SimulationOptions, "question">,
  signal?: AbortSignal,
): Promise<Question> {
  const [start] = starts(game.shape);
  if (start === undefined) throw new RangeError("a game with no start");
  const board = packBoard(start);
  let bound: Bound = UNKNOWN;
  let hardest: { question: Question; run: Run } | undefined;
  for (;;) {
    const threshold = nextThreshold(bound, mostPointsToCome(start), firstGuess(game));
    if (threshold === undefined) break;
    const question = { turn: "slider", board, threshold } as const;
    const run = await simulate(alone({ ...options, question }), signal);
    bound = mergeBounds(bound, run.bound);
    if (hardest === undefined || run.time > hardest.run.time) hardest = { question, run };
  }
  if (hardest === undefined) throw new RangeError("the rules alone give the value of the start");
  return hardest.question;
}
