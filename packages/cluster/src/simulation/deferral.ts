import type { Bound } from "@gridlock/game";
import type { Crew } from "./crew.js";
import type { SimulationOptions } from "./options.js";

/** The result of a method: a bound that answers the question, and the virtual time at which it was found. */
export interface Answer {
  readonly bound: Bound;
  readonly time: number;
}

/**
 * All threads search the question itself, and each postpones nodes that others have begun (the kernel does this). The
 * first answer ends the run.
 */
export async function searchTogether(
  crew: Crew,
  { question }: SimulationOptions,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  for (const { waiting } of crew.seats) {
    waiting.push({ ...question, budget: Number.MAX_SAFE_INTEGER });
  }
  for (;;) {
    signal?.throwIfAborted();
    const answers = (await crew.advance()).flatMap(({ outcome, time }) =>
      outcome ? [{ bound: outcome, time }] : [],
    );
    const [first, ...others] = answers;
    if (first) return others.reduce((best, next) => (next.time < best.time ? next : best), first);
    if (crew.seats.every(({ task }) => task === undefined)) {
      throw new Error("no machine has an answer: the game is too long for a thread's stack");
    }
  }
}
