import { describeGame, type Game } from "@gridlock/game";
import type { SweepOptions } from "@gridlock/tablebase";
import { watchInterrupts } from "./interrupt.js";
import { sweepMemory } from "./options/memory.js";
import { type Display, type Standing, showWork } from "./output/display.js";

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
  first: Standing | (() => Standing),
  sweep: (options: SweepOptions, display: Display) => Promise<T>,
): Promise<T> {
  using watch = watchInterrupts("stopping after this layer; Ctrl-C again stops at once");
  const { signal } = watch;
  using display = showWork(describeGame(game), "layers", first, { signal, quiet });
  return await sweep({ threads: workers, memory: sweepMemory(memory), signal }, display);
}
