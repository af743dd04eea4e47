import { workerData } from "node:worker_threads";
import { Library, type LibraryOptions } from "@gridlock/answers";
import { answerRequests } from "@gridlock/store";
import { type BatchSettings, entriesIn, queryOf } from "./batch-entries.js";
import { lookUpIn } from "./look-up.js";
import type { Asked, Begun } from "./thread-pool.js";

/* A thread that looks up boards of batches. */

/** The data that a thread begins with. */
export type LookUpData = Pick<LibraryOptions, "db" | "published" | "cacheBytes">;

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

const { data } = workerData as Begun<LookUpData>;
const library = new Library({
  ...{ ...data, readOnly: true, tableBytes: () => undefined },
  warn: () => {}, // the main thread warns when it meets the same file
});

answerRequests((asked: Asked<LookUpRequest>): Found => {
  if (asked === "end") {
    library[Symbol.dispose]();
    return [];
  }
  const { lines, settings } = asked.request;
  library.refresh();
  const answers = entriesIn(lines).map((entry) => {
    const query = queryOf(entry, settings);
    return typeof query === "string" ? query : lookUpIn(library, query)?.json;
  });
  return answers.includes(undefined) ? answers : answers.map((answer) => `${answer}\n`).join("");
});
