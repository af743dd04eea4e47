import { workerData } from "node:worker_threads";
import { Library, type LibraryOptions } from "@gridlock/answers";
import { answerRequests, notify } from "@gridlock/store";
import { type AnswerQuery, answerOf, type SearchReply } from "./look-up.js";
import type { Asked, Begun } from "./thread-pool.js";

/* The thread that searches boards of one game, with a table of its own. */

/** Bytes of a tabulation that a thread keeps in memory: only boards that no play reaches are searched beside one. */
const CACHE_BYTES = 32 * 2 ** 20;

/** The data that a thread begins with. */
export interface SearchData extends Pick<LibraryOptions, "db" | "published"> {
  /** Bytes of the table; `undefined` if the game cannot be searched. */
  readonly tableBytes: number | undefined;
}

const { data, stopped } = workerData as Begun<SearchData>;
const library = new Library({
  ...{ ...data, tableBytes: () => data.tableBytes, cacheBytes: CACHE_BYTES },
  warn: notify,
});

answerRequests((asked: Asked<AnswerQuery>): SearchReply => {
  if (asked === "end") {
    library[Symbol.dispose]();
    return { json: "", exact: false };
  }
  const { number, request } = asked;
  library.refresh();
  try {
    return answerOf(library, {
      ...request,
      isStopped: () => Atomics.load(stopped, 0) >= number,
    });
  } finally {
    library.save();
  }
});
