import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds after which the wait for a condition fails; long, because machines may be slow. */
export const PATIENCE_MS = 15 * 60_000;
/** Milliseconds between two checks of a condition. */
const PAUSE_MS = 50;

/**
 * Waits until a condition holds.
 *
 * @param what a description of the condition, for the error
 * @param patience most milliseconds to wait
 * @returns the condition's first value that is neither false nor missing
 * @throws {Error} if `patience` has passed
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  patience = PATIENCE_MS,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + patience;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await sleep(PAUSE_MS);
  }
}

/** Waits for a result, for a time in milliseconds; returns nothing if that has passed. */
export async function atMost<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  return await Promise.race([work, sleep(milliseconds, undefined, { ref: false })]);
}
