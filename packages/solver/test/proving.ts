import { type Bound, type Game, normalShape, type PackedBoard } from "@gridlock/game";
import { tableLimits } from "@gridlock/kernel";
import {
  createProofMemory,
  LocalPool,
  ProofFile,
  Prover,
  poolThreads,
  type Saving,
  type StartBound,
} from "@gridlock/solver";
import { CertificateFile, LEAST_MEMORY, type Report, verifyCertificate } from "@gridlock/verify";

/** How a certificate is made in a test. */
export interface Proving {
  readonly workers?: number;
  /** Bytes for demands; default: enough for small shapes. */
  readonly demands?: number | undefined;
  readonly saving?: Saving;
  readonly signal?: AbortSignal;
  readonly onSum?: (tileSum: number) => void;
  /** Changes the table before. */
  readonly prepare?: (pool: LocalPool) => void;
}

/** Bytes of tables beyond the least: only what is written to is taken. */
const TABLE_BYTES = 2 ** 24;

/** Makes the certificate of positions in a file, beginning with an empty table. */
export async function prove(
  game: Game,
  starts: readonly StartBound[],
  file: string,
  { workers = 1, demands = 2 ** 26, saving, signal, onSum, prepare }: Proving = {},
): Promise<void> {
  const normal = { ...game, shape: normalShape(game.shape) };
  const proof = createProofMemory(normal, demands, workers);
  const memory = tableLimits(game, poolThreads(workers)).least + TABLE_BYTES;
  await using pool = new LocalPool(normal, { workers, memory, proof });
  prepare?.(pool);
  using certificate = new ProofFile(file, normal, "a test");
  const prover = new Prover(normal, pool, proof, certificate, () => ({ nodes: 0, seconds: 0 }));
  const never = new AbortController().signal;
  await prover.prove(starts, ({ tileSum }) => onSum?.(tileSum), signal ?? never, saving);
  await certificate.finish();
}

/** Reads the claims of a certificate. */
export function claimsOf(file: string): Map<PackedBoard, Bound> {
  using certificate = CertificateFile.open(file);
  return new Map([...certificate.all()].map(({ board, lo, hi }) => [board, { lo, hi }]));
}

/** Checks a certificate in this thread. */
export async function checked(file: string): Promise<Report> {
  using certificate = CertificateFile.open(file);
  return await verifyCertificate(certificate, undefined, { threads: 1, memory: LEAST_MEMORY });
}
