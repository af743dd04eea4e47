import { workerData } from "node:worker_threads";
import {
  type Answer,
  Library,
  type LibraryOptions,
  type Query,
  type Worth,
} from "@gridlock/answers";
import { answerRequests, notify } from "@gridlock/threads";

/* The thread of a query whose searches may take long. */

/** The data that the thread begins with. */
export interface QueryThreadData extends Pick<LibraryOptions, "db" | "published"> {
  /** Holds 1 once searches are to stop. */
  readonly stopped: Int32Array;
}

/** A board to be answered, or the end: all that has been proven is saved. */
export type QueryRequest =
  | {
      readonly query: Query;
      /** True if only the value is asked for. */
      readonly values: boolean;
      /** Bytes of the table of its game; `undefined` if it cannot be searched. */
      readonly tableBytes: number | undefined;
    }
  | "end";

const { stopped, ...options }: QueryThreadData = workerData;
let bytes: number | undefined;
const library = new Library({ ...options, tableBytes: () => bytes, warn: notify });
const isStopped = () => Atomics.load(stopped, 0) === 1;

answerRequests((request: QueryRequest): Answer | Worth | undefined => {
  if (request === "end") {
    library[Symbol.dispose]();
    return undefined;
  }
  const { query, values, tableBytes } = request;
  bytes = tableBytes;
  try {
    return values
      ? library.worth({ ...query, isStopped })
      : library.answer({ ...query, isStopped });
  } finally {
    library.save();
  }
});
