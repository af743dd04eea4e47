import { workerData } from "node:worker_threads";
import { Library, type LibraryOptions } from "@gridlock/answers";
import { answerRequests, notify } from "@gridlock/threads";
import { type BatchSettings, entriesIn, queryOf } from "./batch-entries.js";
import { type AnswerQuery, answerOf, lookUpIn, type SearchReply } from "./look-up.js";
import type { Asked } from "./thread-pool.js";

/* A thread that searches boards of one game, with a table of its own, or looks up boards of batches. */

/** The data that a thread begins with. */
export interface LibraryData
  extends Pick<LibraryOptions, "db" | "published" | "readOnly" | "cacheBytes"> {
  /** Bytes of the table; `undefined` if nothing is to be searched. */
  readonly tableBytes: number | undefined;
}

/** Lines of a batch. */
export interface LookUpRequest {
  readonly lines: string;
  readonly settings: BatchSettings;
}

/**
 * The answers as text, a line each, if all are known. Otherwise an answer for each line, `undefined` if its board must be
 * searched.
 */
export type Found = string | readonly (string | undefined)[];

const data: LibraryData = workerData;
const library = new Library({ ...data, tableBytes: () => data.tableBytes, warn: notify });

answerRequests((asked: Asked<AnswerQuery | LookUpRequest>): SearchReply | Found => {
  if (asked === "end") {
    library[Symbol.dispose]();
    return [];
  }
  const { request, stopped } = asked;
  library.refresh();
  if ("lines" in request) return lookUpAll(request);
  try {
    return answerOf(library, { ...request, isStopped: () => Atomics.load(stopped, 0) === 1 });
  } finally {
    library.save();
  }
});

function lookUpAll({ lines, settings }: LookUpRequest): Found {
  const answers = entriesIn(lines).map((entry) => {
    const query = queryOf(entry, settings);
    return typeof query === "string" ? query : lookUpIn(library, query)?.json;
  });
  return answers.includes(undefined) ? answers : answers.map((answer) => `${answer}\n`).join("");
}
