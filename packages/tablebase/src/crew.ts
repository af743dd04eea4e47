import { Crew } from "@gridlock/store";
import type { Arena } from "./arena.js";

/** A step of a sweep: all threads of a crew process a layer's list of positions together. */
export interface Step {
  readonly kind: "expand" | "value" | "judge" | "respond";
  readonly list: number;
  readonly count: number;
  /** Table of the positions that follow when a 2 is placed. */
  readonly near: number;
}

/** A task for one thread: attach to an arena, or take a step in it. */
export type SweepTask = { readonly arena: Arena } | Step;

/** Starts threads attached to an arena; leaves no thread running if one cannot start. */
export async function startCrew(threads: number, arena: Arena): Promise<Crew<SweepTask>> {
  const module = new URL("./sweep-worker.js", import.meta.url);
  const crew = new Crew<SweepTask>(threads, "a thread of the sweep", module);
  try {
    await crew.all(() => ({ arena }));
    return crew;
  } catch (error) {
    await crew[Symbol.asyncDispose]();
    throw error;
  }
}
