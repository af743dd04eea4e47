import {
  type CertifyProgress,
  makeCertificate,
  type ProofSummary,
  type ProofTask,
} from "@gridlock/solver";

/** A game solved by layers to prove, and the resources for it. */
export interface LayersProofTask extends ProofTask {
  /** The folder of the proof by layers. */
  readonly folder: string;
}

/**
 * Makes the certificate of a game solved by layers, as `makeCertificate` does, after loading the
 * bounds of the layers' files into its table. If the table has room for all of them, nothing is
 * searched again, except for the bounds of files that are missing or damaged.
 *
 * @throws {StoreError} if the folder has no proof, or that of another game or version
 */
export async function makeCertificateFromLayers(
  task: LayersProofTask,
  onProgress: (progress: CertifyProgress) => void,
  signal: AbortSignal,
): Promise<ProofSummary> {
  const worker = new URL("./prove-worker.js", import.meta.url);
  return await makeCertificate(task, onProgress, signal, worker);
}
