import type { Bound, PackedNode } from "@gridlock/game";
import { createTable, Kernel, ThreadMonitor } from "@gridlock/kernel";
import { BRIEF_MS, Database, patiently } from "@gridlock/store";
import { proveLines } from "./best-play.js";
import { Prover } from "./prove.js";
import type { CertifyProgress, ProofSummary, ProofTask } from "./proving.js";
import { storedStarts } from "./solve.js";
import { COSTLY } from "./table-bounds.js";
import { warmTable } from "./warming.js";

/**
 * Makes the certificate of a solved game from the bounds that earlier runs stored. It replaces an
 * older certificate. Also stores lines of best play, which a game that was solved on a cluster lacks.
 *
 * @param warm adds more bounds; those that do not fit the table are proven again
 */
export async function certify(
  { game, databaseFile, memory, effort }: ProofTask,
  onProgress: (progress: CertifyProgress) => void,
  warm: (learn: (bound: PackedNode & Bound) => void) => void = () => {},
): Promise<ProofSummary> {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const table = createTable(game, memory, 1);
  const kernel = new Kernel(table, 0);
  using database = Database.open(databaseFile);
  await warmTable(kernel, game, database, onProgress);
  warm((bound) => kernel.learn({ ...bound, effort: COSTLY }));
  const starts = storedStarts(game, database);
  const valued = starts.map(({ board, bound }) => ({ board, value: bound.lo }));
  const { claims, bySearch } = new Prover(game, kernel, effort).prove(valued, onProgress);
  const { positions, afterstates } = new ThreadMonitor(table).counts();
  database.patience = BRIEF_MS;
  const waiting = { onWait: (note: string) => onProgress({ note }) };
  await proveLines(game, starts, database, kernel, waiting);
  const certificate = database.certificate(game);
  const replace = () => certificate.replace({ effort, seconds: seconds() }, claims);
  await patiently(databaseFile, replace, waiting);
  return {
    claims: claims.length,
    lower: claims.filter(({ lo }) => lo > 0).length,
    upper: claims.filter(({ hi }) => hi < Number.POSITIVE_INFINITY).length,
    bySearch,
    nodes: positions + afterstates,
    seconds: seconds(),
  };
}
