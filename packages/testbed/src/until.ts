import { setTimeout as sleep } from "node:timers/promises";

/** Time after which a condition is taken never to hold, in milliseconds. Long, as machines may be slow. */
export const PATIENCE_MS = 15 * 60_000;
/** Time between two looks at a condition, in milliseconds. */
const PAUSE_MS = 20;

/**
 * Waits until a condition holds.
 *
 * @param what the condition in words, for the error
 * @param patience milliseconds to wait at most
 * @returns the condition's first value that is neither false nor missing
 * @throws {Error} when `patience` has passed
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
