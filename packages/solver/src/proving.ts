import type { Game } from "@gridlock/game";
import { STACK_MB } from "@gridlock/kernel";
import type { ProveOutput } from "@gridlock/schemas";
import { orAborted, Thread } from "@gridlock/store";
import type { ProofProgress } from "./prove.js";
import type { WarmProgress } from "./warming.js";

/** A solved game to prove, and the resources for it. */
export interface ProofTask {
  readonly game: Game;
  /**
   * The database that has the values of all starts and receives the certificate. A snapshot beside
   * it is loaded into the table.
   */
  readonly databaseFile: string;
  /** Bytes for the table. */
  readonly memory: number;
  /** Positions that a search may expand to show a claim by the rules alone. */
  readonly effort: number;
}

/**
 * The progress of making a certificate: first of loading bounds and the snapshot, then of making claims; and
 * sentences, such as one when a wait for the locked database begins, and one when it ends.
 */
export type CertifyProgress = WarmProgress | ProofProgress | { readonly note: string };

/** A summary of a stored certificate. */
export type ProofSummary = Omit<ProveOutput, "shape" | "tiles" | "effort">;

/** Megabytes of heap: a claim takes some 100 bytes until all are stored. */
const HEAP_MB = 16_384;

/**
 * Makes the certificate of a solved game in a separate thread. It replaces an older certificate. A
 * certificate interrupted by an error or by `signal` is discarded; see `StoredCertificate.replace`.
 *
 * @param worker the thread's module, which calls `certify`
 * @throws the signal's reason if it is aborted
 */
export async function makeCertificate(
  task: ProofTask,
  onProgress: (progress: CertifyProgress) => void,
  signal: AbortSignal,
  worker = new URL("./prove-worker.js", import.meta.url),
): Promise<ProofSummary> {
  signal.throwIfAborted();
  await using thread = new Thread<ProofTask, ProofSummary, CertifyProgress>(worker, {
    name: "the proving thread",
    resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: HEAP_MB },
    onNotice: onProgress,
  });
  return await orAborted(thread.ask(task), signal);
}
