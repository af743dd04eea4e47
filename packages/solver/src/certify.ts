import { createHash } from "node:crypto";
import { type Game, normalShape } from "@gridlock/game";
import { allNodes } from "@gridlock/kernel";
import type { ProveOutput } from "@gridlock/schemas";
import { BRIEF_MS, Database } from "@gridlock/store";
import { orAborted } from "@gridlock/threads";
import type { StartBound } from "./agenda.js";
import { proveLines } from "./best-play.js";
import { loadEntries } from "./kept-entries.js";
import { lockRuns } from "./logged-run.js";
import { LocalPool } from "./pool.js";
import { certificateFileOf, ProofFile } from "./proof-file.js";
import { createProofMemory } from "./proof-memory.js";
import { type ProofProgress, Prover } from "./prove.js";
import { storedStarts } from "./solve.js";
import { type WarmProgress, warmTable } from "./warming.js";

/** A game to prove, and the resources for it. */
export interface ProofTask {
  readonly game: Game;
  /**
   * The database that has the values, or the lower bounds, of all starts. The certificate is
   * written beside it; a snapshot there is loaded into the table.
   */
  readonly databaseFile: string;
  /** True to prove the lower bounds of the starts alone, of a game that is not solved. */
  readonly lowerBounds?: boolean | undefined;
  /** Threads that expand claims, 1 or more. */
  readonly workers: number;
  /** Bytes for the table. */
  readonly memory: number;
  /** The most bytes for demands. */
  readonly demands: number;
}

/**
 * The progress of making a certificate: first of loading bounds and the snapshot, then of making
 * claims; and sentences, such as one when a wait for the locked database begins, and one when it
 * ends.
 */
export type CertifyProgress = WarmProgress | ProofProgress | { readonly note: string };

/** A summary of a certificate. */
export type ProofSummary = Omit<ProveOutput, "shape" | "tiles">;

/**
 * Makes the certificate of a game in a file beside its database, in place of an older one. A run
 * that is interrupted goes on where it was last saved, with the same claims. Also stores lines of
 * best play, which a game that was solved on a cluster lacks.
 *
 * @throws the signal's reason if it is aborted
 */
export async function certify(
  { game: asked, databaseFile, lowerBounds = false, workers, memory, demands }: ProofTask,
  onProgress: (progress: CertifyProgress) => void,
  signal: AbortSignal,
): Promise<ProofSummary> {
  const began = performance.now();
  const game = { ...asked, shape: normalShape(asked.shape) };
  using database = Database.open(databaseFile);
  using _lock = lockRuns(game, database);
  const starts = storedStarts(game, database);
  const claimed = lowerBounds ? starts.map(withoutUpper) : starts;
  const proof = createProofMemory(game, demands, workers);
  await using pool = new LocalPool(game, { workers, memory, proof });
  using file = new ProofFile(
    certificateFileOf(databaseFile, game),
    game,
    identityOf(game, claimed),
  );
  await orAborted(warmTable(pool, game, database, onProgress), signal);
  loadEntries(game, database, pool.kernel);
  const { nodes, seconds } = file.counts;
  const cost = () => {
    return {
      nodes: nodes + allNodes(pool.counts()),
      seconds: seconds + (performance.now() - began) / 1000,
    };
  };
  await new Prover(game, pool, proof, file, cost).prove(claimed, onProgress, signal);
  database.patience = BRIEF_MS;
  const waiting = { onWait: (note: string) => onProgress({ note }) };
  if (!lowerBounds) await proveLines(game, starts, database, pool.kernel, waiting);
  await file.finish();
  const { claims, lower, upper, bytes } = file.counts;
  return { file: certificateFileOf(databaseFile, game), claims, lower, upper, bytes, ...cost() };
}

function withoutUpper({ board, bound }: StartBound): StartBound {
  return { board, bound: { lo: bound.lo, hi: Number.POSITIVE_INFINITY } };
}

/** Identifies a proof by the bounds that it proves: only such a proof can be gone on with. */
function identityOf({ shape, tiles }: Game, starts: readonly StartBound[]): string {
  return createHash("sha256")
    .update(JSON.stringify([shape, tiles, starts]))
    .digest("hex");
}
