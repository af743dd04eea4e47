import type { Node, Shape } from "@gridlock/game";
import { orAborted, Thread, Threads } from "@gridlock/threads";
import type { GameResult } from "./game.js";

/**
 * A player and a placer on a shape, by name, and the seed of their games: data passed between
 * threads is copied.
 */
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

/** Options of a match of many games. */
export interface PlayOptions {
  readonly games: number;
  /** The number of threads. */
  readonly workers: number;
  /** Called with the number of finished games. */
  readonly onProgress?: (done: number) => void;
  /** Stops the games. */
  readonly signal?: AbortSignal | undefined;
}

/** Tasks per thread: enough for all threads to end at about the same time. */
const TASKS_PER_THREAD = 32;
/** Most games of a task, so that progress is reported often. */
const MOST_GAMES = 200;

/**
 * Plays the games of a match on several threads. The results are in the order of the games and,
 * except for their times, the same with any number of threads.
 *
 * @throws the signal's reason if it stops the games
 */
export async function playMatch(
  match: Match,
  { games, workers, onProgress = () => {}, signal = new AbortController().signal }: PlayOptions,
): Promise<GameResult[]> {
  const perTask = Math.min(MOST_GAMES, Math.ceil(games / (workers * TASKS_PER_THREAD)));
  const tasks = Math.ceil(games / perTask);
  const threads = Math.min(workers, tasks);
  signal.throwIfAborted();
  const module = new URL("./games-worker.js", import.meta.url);
  const start = () =>
    new Thread<GamesTask, GameResult[]>(module, { name: "a thread of the games" });
  await using pool = new Threads(threads, start);
  let done = 0;
  const play = async (first: number): Promise<GameResult[]> => {
    const task: GamesTask = { match, first, count: Math.min(perTask, games - first) };
    const results = await pool.ask(task);
    done += results.length;
    onProgress(done);
    return results;
  };
  const firsts = Array.from({ length: tasks }, (_, i) => i * perTask);
  return (await orAborted(Promise.all(firsts.map(play)), signal)).flat();
}
