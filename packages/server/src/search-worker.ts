import { workerData } from "node:worker_threads";
import { answerAsJson, isProven, Library } from "@gridlock/answers";
import { type Game, isExact, parseBoard } from "@gridlock/game";
import { answerRequests, notify } from "@gridlock/store";
import { replyOfWorth, type SearchReply } from "./look-up.js";
import type { Asked, Begun } from "./thread-pool.js";

/* The thread that searches boards of one game, with a table of its own. */

/** Bytes of a tabulation that a thread keeps in memory: only boards that no play reaches are searched beside one. */
const CACHE_BYTES = 32 * 2 ** 20;

/** The data that a thread begins with. */
export interface SearchData {
  readonly db: string;
  /** False to leave out published values and the literature. */
  readonly published: boolean;
  readonly game: Game;
  /** Bytes of the table; `undefined` if the game cannot be searched. */
  readonly tableBytes: number | undefined;
}

/** A board to search. */
export interface SearchRequest {
  /** With the player to move. */
  readonly board: string;
  readonly budget: number;
  readonly enough: number | undefined;
  /** True if a line of best play is wanted even if the value is published. */
  readonly wholeLine: boolean;
  /** True if the value alone is of interest. */
  readonly valueOnly: boolean;
}

const { data: given, stopped } = workerData as Begun<SearchData>;

const library = new Library({
  db: given.db,
  published: given.published,
  tableBytes: () => given.tableBytes,
  cacheBytes: CACHE_BYTES,
  warn: notify,
});

answerRequests((asked: Asked<SearchRequest>): SearchReply => {
  if (asked === "end") {
    library[Symbol.dispose]();
    return { json: "", exact: false };
  }
  const { number, request } = asked;
  const { board, valueOnly, ...limits } = request;
  const isStopped = () => Atomics.load(stopped, 0) >= number;
  const query = { ...parseBoard(board), tiles: given.game.tiles, ...limits, isStopped };
  library.refresh();
  try {
    if (valueOnly) return replyOfWorth(library.worth(query));
    const answer = library.answer(query);
    const exact =
      answer.line !== undefined &&
      isProven(answer) &&
      answer.moves.every(({ bound }) => isExact(bound));
    return { json: JSON.stringify(answerAsJson(answer)), exact };
  } finally {
    library.save();
  }
});
