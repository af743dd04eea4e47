/* The thread of `makeCertificate`. */
import { parentPort, workerData } from "node:worker_threads";
import { createTable, Kernel, ThreadMonitor } from "@gridlock/kernel";
import { Database } from "@gridlock/store";
import { loadBounds } from "./memory.js";
import { Prover } from "./prove.js";
import type { ProofMessage, ProofSummary, ProofTask } from "./proving.js";
import { loadSnapshot } from "./snapshots.js";
import { storedStarts } from "./solve.js";
import { postedError } from "./thread-error.js";

const task = workerData as ProofTask;

function post(message: ProofMessage): void {
  parentPort?.postMessage(message);
}

async function make({
  game,
  databaseFile,
  snapshotFile,
  memory,
  effort,
}: ProofTask): Promise<ProofSummary> {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const table = createTable(game, memory, 1);
  const kernel = new Kernel(table, 0);
  const database = Database.open(databaseFile);
  try {
    loadBounds(kernel, database.bounds(game));
    await loadSnapshot(kernel, game, snapshotFile);
    const starts = storedStarts(game, database, database.starts(game)).map(({ board, bound }) => ({
      board,
      value: bound.lo,
    }));
    const { claims, bySearch } = new Prover(game, kernel, effort).prove(starts, (progress) =>
      post({ progress }),
    );
    database.certificate(game).replace({ effort, seconds: seconds() }, claims);
    const { positions, afterstates } = new ThreadMonitor(table).counts();
    return {
      claims: claims.length,
      lower: claims.filter(({ lo }) => lo > 0).length,
      upper: claims.filter(({ hi }) => hi < Number.POSITIVE_INFINITY).length,
      bySearch,
      nodes: positions + afterstates,
      seconds: seconds(),
    };
  } finally {
    database.close();
  }
}

try {
  post({ done: await make(task) });
} catch (error) {
  post({ failed: postedError(error) });
}
