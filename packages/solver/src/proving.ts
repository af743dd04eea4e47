import { Worker } from "node:worker_threads";
import type { Game } from "@gridlock/game";
import { STACK_MB } from "@gridlock/kernel";
import type { ProofProgress } from "./prove.js";
import { errorOf, type PostedError } from "./thread-error.js";

/** What is to be proven, from what, and with how much memory. */
export interface ProofTask {
  readonly game: Game;
  /** Has the values of all starts, and takes the certificate. */
  readonly databaseFile: string;
  /** What the table is loaded from, if there is such a file. */
  readonly snapshotFile: string;
  /** Bytes for the table. */
  readonly memory: number;
  /** Positions that a search may expand to show a claim. */
  readonly effort: number;
}

/** A certificate that has been made and stored. */
export interface ProofSummary {
  /** Boards of which something is claimed; lower and upper claims. */
  readonly claims: number;
  readonly lower: number;
  readonly upper: number;
  /** Lower and upper claims that the rules alone show. */
  readonly bySearch: number;
  /** Nodes that the kernel had to search again. */
  readonly nodes: number;
  readonly seconds: number;
}

/** What the thread posts: how far it has come, and how it ended. */
export type ProofMessage =
  | { readonly progress: ProofProgress }
  | { readonly done: ProofSummary }
  | { readonly failed: PostedError };

/** Megabytes of heap: a claim takes some 100 bytes until all are stored. */
const HEAP_MB = 16_384;

/**
 * Makes the certificate of a solved game in a thread of its own and stores it, in the place of an older one.
 * One that an error or `signal` ends while it is being stored is none; see `StoredCertificate.replace`.
 */
export async function makeCertificate(
  task: ProofTask,
  onProgress: (progress: ProofProgress) => void,
  signal: AbortSignal,
): Promise<ProofSummary> {
  const worker = new Worker(new URL("./prove-worker.js", import.meta.url), {
    workerData: task,
    resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: HEAP_MB },
  });
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      worker.on("error", reject);
      worker.on("exit", () => reject(new Error("the proving thread ended early")));
      worker.on("message", (message: ProofMessage) => {
        if ("progress" in message) onProgress(message.progress);
        else if ("done" in message) resolve(message.done);
        else reject(errorOf(message.failed));
      });
    });
  } finally {
    await worker.terminate();
  }
}
