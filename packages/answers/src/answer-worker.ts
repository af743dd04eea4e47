import { workerData } from "node:worker_threads";
import { SEARCH_MEMORY, searchMemory } from "@gridlock/solver";
import { Database } from "@gridlock/store";
import { answerRequests, notify } from "@gridlock/threads";
import type { AnswerNotice, AnswerRequest, AnswerTask, AnswerThreadData } from "./answer-thread.js";
import { asJson } from "./json.js";
import { Library } from "./library.js";
import { solveGame } from "./solve-game.js";

/* The thread of an `AnswerThread`. */

const data: AnswerThreadData = workerData;
const most = data.memory ?? Math.min(SEARCH_MEMORY, process.availableMemory() / 2);
const post = (notice: AnswerNotice) => notify(notice);
const warn = (warning: string) => post({ warning });

/** The library and, with `solves`, its database, while they are open. */
let opened: ReturnType<typeof open> | undefined;
/** Solves under way. */
const solves = new Set<Promise<unknown>>();

function open() {
  const { db, published = true, readOnly = false, cacheBytes } = data;
  const orEmpty = readOnly ? { readOnly, orEmpty: true } : {};
  const database = data.solves ? Database.open(db, orEmpty) : undefined;
  const library = new Library({
    db,
    published,
    readOnly,
    warn,
    ...(database && { database }),
    ...(cacheBytes !== undefined && { cacheBytes }),
    tableBytes: (game) => (most === 0 ? undefined : searchMemory(game, most)),
  });
  return { database, library };
}

answerRequests(async ({ task, stopped }: AnswerRequest): Promise<unknown> => {
  const isStopped = () => Atomics.load(stopped, 0) === 1;
  if (task.kind === "end") return await end();
  opened ??= open();
  const { library, database } = opened;
  if (task.kind === "solve") {
    if (database === undefined) throw new Error("this thread does not solve");
    return await solve(task, database, library, isStopped);
  }
  library.refresh();
  if (task.kind === "look-up") {
    return task.queries.map((query) => {
      const answer = query.valueOnly ? library.lookUpWorth(query) : library.lookUp(query);
      return answer && JSON.stringify(asJson(answer));
    });
  }
  const query = { ...task.query, isStopped };
  try {
    return query.valueOnly ? library.worth(query) : library.answer(query);
  } finally {
    library.save();
  }
});

async function solve(
  { id, game, resources }: Extract<AnswerTask, { kind: "solve" }>,
  database: Database,
  library: Library,
  isStopped: () => boolean,
): Promise<unknown> {
  const onProgress: Parameters<typeof solveGame>[4] = (progress) => {
    library.expectChanges();
    post({ id, progress });
  };
  const solved = solveGame(game, database, resources, isStopped, onProgress, warn);
  solves.add(solved);
  try {
    return await solved;
  } finally {
    solves.delete(solved);
    library.expectChanges();
  }
}

/** Saves what has been proven, once the solves have been stopped, and closes the files. */
async function end(): Promise<void> {
  await Promise.allSettled(solves);
  using _database = opened?.database;
  using _library = opened?.library;
  opened = undefined;
}
