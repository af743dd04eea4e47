import { setTimeout as sleep } from "node:timers/promises";
import { StoreError } from "./errors.js";

/** Milliseconds for which a call during a run waits for a lock: it blocks its thread. */
export const BRIEF_MS = 50;
/** Milliseconds between two such calls. */
const PAUSE_MS = 50;

/** Reports and ends waits for files that other processes have locked. */
export interface Waiting {
  /** Returns whether to give up; asked several times a second. */
  readonly isStopped?: () => boolean;
  /** Receives a sentence when a wait begins, and another one when it ends. */
  readonly onWait?: ((sentence: string) => void) | undefined;
}

/**
 * Runs calls that write to a file. As long as another process has locked it, waits and repeats
 * them; other work of the thread continues between two attempts.
 *
 * @throws {StoreError} `locked` if the wait was stopped
 */
export async function patiently<T>(
  file: string,
  calls: () => T,
  { isStopped, onWait }: Waiting,
): Promise<T> {
  for (let isWaiting = false; ; isWaiting = true) {
    try {
      const result = calls();
      if (isWaiting) onWait?.(`${file} is no longer locked; continuing`);
      return result;
    } catch (error) {
      if (!(error instanceof StoreError && error.code === "locked")) throw error;
      if (isStopped?.()) {
        throw new StoreError(
          "locked",
          `stopped while another process had locked ${file}: what was proven since the last save is not saved`,
          { cause: error },
        );
      }
    }
    if (!isWaiting) onWait?.(`waiting for ${file}, which another process has locked`);
    await sleep(PAUSE_MS);
  }
}
