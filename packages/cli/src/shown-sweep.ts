import { describeGame, type Game } from "@gridlock/game";
import type { SweepOptions } from "@gridlock/tablebase";
import { watchInterrupts } from "./interrupt.js";
import { sweepMemory } from "./options/memory.js";
import { type Standing, showWork } from "./output/display.js";

/** Options of a command that sweeps layers; `memory` in bytes. */
export interface SweepFlags {
  readonly workers: number;
  readonly memory?: number;
  readonly quiet?: true;
}

/** Sweeps all layers of a game and displays the progress; Ctrl-C stops after a layer. */
export async function sweepShown<T>(
  game: Game,
  { workers, memory, quiet }: SweepFlags,
  look: () => Standing,
  sweep: (options: SweepOptions) => Promise<T>,
): Promise<T> {
  using watch = watchInterrupts("stopping after this layer; Ctrl-C again stops at once");
  const { signal } = watch;
  using _display = showWork(describeGame(game), "layers", look, { signal, quiet });
  return await sweep({ threads: workers, memory: sweepMemory(memory), signal });
}
