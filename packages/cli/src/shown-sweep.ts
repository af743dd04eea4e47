import { describeGame, type Game } from "@gridlock/game";
import type { SweepOptions } from "@gridlock/tablebase";
import { watchInterrupts } from "./interrupt.js";
import { sweepMemory } from "./options/options.js";
import { type Display, type Standing, showWork } from "./output/display.js";

export interface SweepFlags {
  readonly workers: number;
  readonly memory?: number;
  readonly quiet?: true;
}

/** Sweeps all layers of a game as the flags say, shows how that goes on, and stops it after a layer at Ctrl-C. */
export async function sweepShown<T>(
  game: Game,
  { workers, memory, quiet }: SweepFlags,
  look: () => Standing,
  sweep: (options: SweepOptions) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  let display: Display | undefined;
  const watch = watchInterrupts(() => {
    display?.stop();
    stop.abort();
  }, "stopping after this layer; Ctrl-C again stops at once");
  try {
    if (!quiet) display = showWork(describeGame(game), "layers", look);
    return await sweep({ threads: workers, memory: sweepMemory(memory), signal: stop.signal });
  } finally {
    display?.stop();
    watch.end();
  }
}
