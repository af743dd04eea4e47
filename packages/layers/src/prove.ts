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

/** A message of the proving thread. */
export type LayersNotice = CertifyProgress | { readonly damaged: string };

/**
 * Makes the certificate of a game solved by layers, as `makeCertificate` does, after loading the
 * bounds of the layers' files into its table. If the table has room for all of them, nothing is
 * searched again.
 *
 * @param onDamage called with the path of each missing or damaged file, whose bounds are then
 *   searched again
 * @throws {StoreError} if the folder has no proof, or that of another game or version
 */
export async function makeCertificateFromLayers(
  task: LayersProofTask,
  {
    onProgress,
    onDamage,
  }: {
    readonly onProgress: (progress: CertifyProgress) => void;
    readonly onDamage: (file: string) => void;
  },
  signal: AbortSignal,
): Promise<ProofSummary> {
  return await makeCertificate<LayersProofTask, LayersNotice>(
    task,
    (notice) => ("damaged" in notice ? onDamage(notice.damaged) : onProgress(notice)),
    signal,
    new URL("./prove-worker.js", import.meta.url),
  );
}
