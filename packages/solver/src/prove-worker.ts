/* The thread of `makeCertificate`. */
import { createTable, Kernel, ThreadMonitor } from "@gridlock/kernel";
import { answerRequests, Database, notify } from "@gridlock/store";
import { Prover } from "./prove.js";
import type { ProofSummary, ProofTask } from "./proving.js";
import { storedStarts } from "./solve.js";
import { warmTable } from "./warming.js";

answerRequests(
  async ({
    game,
    databaseFile,
    snapshotFile,
    memory,
    effort,
  }: ProofTask): Promise<ProofSummary> => {
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1000;
    const table = createTable(game, memory, 1);
    const kernel = new Kernel(table, 0);
    using database = Database.open(databaseFile);
    await warmTable(kernel, game, { bounds: database.bounds(game), snapshotFile });
    const starts = storedStarts(game, database, database.starts(game));
    const valued = starts.map(({ board, bound }) => ({ board, value: bound.lo }));
    const { claims, bySearch } = new Prover(game, kernel, effort).prove(valued, notify);
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
  },
);
