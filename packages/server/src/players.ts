import { addAbortListener } from "node:events";
import type { AnswerQuery } from "@gridlock/answers";
import { describeGame, type Game } from "@gridlock/game";
import type { Answer, Play, Players } from "@gridlock/schemas";
import { Thread } from "@gridlock/threads";
import type { Answerer } from "./answerer.js";
import { cachedFor } from "./cache.js";
import type { Settings } from "./options.js";
import type { PlayReply, PlayRequest } from "./play-worker.js";
import { Problem } from "./problem.js";
import { ThreadPool } from "./thread-pool.js";

type PlayThread = Thread<PlayRequest, PlayReply>;

/** Threads for players, and requests that may wait for them. */
const THREADS = 1;
const WAITING = 16;
/** Milliseconds for which a list of players is kept: making all of them takes a moment. */
const CACHE_MS = 60_000;
/** Seconds that a player has for a move beside the server's budget, for what it makes once. */
const PREPARE_SECONDS = 10;

/** Asks published programs for moves, in a thread of their own. */
export class PlayerPool implements AsyncDisposable {
  readonly #pool: ThreadPool<PlayThread, PlayRequest, PlayReply>;
  readonly #answerer: Answerer;
  readonly #options: Settings;
  readonly #lists = new Map<string, () => Promise<Players>>();

  constructor(options: Settings, answerer: Answerer) {
    this.#options = options;
    this.#answerer = answerer;
    const module = new URL("./play-worker.js", import.meta.url);
    this.#pool = new ThreadPool({
      name: "a player",
      threads: THREADS,
      waiting: WAITING,
      start: () => new Thread(module, { name: "a player", workerData: options.db }),
      async run(thread, request, signal) {
        using _stop = addAbortListener(signal, () => void thread[Symbol.asyncDispose]());
        return await thread.ask(request);
      },
    });
  }

  /**
   * Lists the players that can play a game.
   *
   * @throws {Problem} 429 when too many requests are waiting
   */
  list(game: Game): Promise<Players> {
    const key = describeGame(game);
    const read = () => this.#run({ game }).then((reply) => reply.players as Players);
    const list = this.#lists.get(key) ?? cachedFor(CACHE_MS, read);
    this.#lists.set(key, list);
    const players = list();
    players.catch(() => this.#lists.delete(key));
    return players;
  }

  /**
   * Returns the moves that a player may choose.
   *
   * @throws {Problem} 422 if there is no such player, if it cannot play the shape or takes too
   *   long; 429 when too many requests are waiting
   */
  async play(query: AnswerQuery, by: string, signal: AbortSignal): Promise<Play> {
    const { board, turn, tiles } = query;
    if (by === "perfect") return this.#perfect(query, signal);
    const request = { game: { shape: board, tiles }, choice: { board, turn, by } };
    const reply = await this.#run(request, signal);
    if (reply.refused !== undefined) throw new Problem(422, `by: ${reply.refused}`);
    return reply.play as Play;
  }

  async #run(request: PlayRequest, signal?: AbortSignal): Promise<PlayReply> {
    const late = AbortSignal.timeout(1000 * (PREPARE_SECONDS + this.#options.budget));
    try {
      return await this.#pool.run("", request, AbortSignal.any(signal ? [signal, late] : [late]));
    } catch (error) {
      if (!late.aborted || signal?.aborted) throw error;
      throw new Problem(
        422,
        "by: the player takes too long for its move; expected one with a smaller depth",
      );
    }
  }

  /** Chooses among the moves that are proven best, with equal probability. */
  async #perfect(query: AnswerQuery, signal: AbortSignal): Promise<Play> {
    const { json } = await this.#answerer.answer(query, signal);
    const { board, turn, moves }: Answer = JSON.parse(json);
    const best = moves.filter(({ verdict }) => verdict === "best");
    if (moves.length > 0 && best.length === 0) {
      throw new Problem(422, `no move is proven best within ${query.budget} s of search`);
    }
    const choices = best.map((move) => ({
      ...("move" in move ? { move: move.move } : { place: move.place }),
      probability: 1 / best.length,
    }));
    return { board, turn, by: "perfect", choices } as Play;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
  }
}
