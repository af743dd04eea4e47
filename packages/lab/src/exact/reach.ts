import { describeGame, type Game } from "@gridlock/game";
import { formatBytes, formatCount } from "@gridlock/report";
import { ALL_SLIDES, type Grid, ILLEGAL } from "../enumeration/grid.js";
import { KeyIndex } from "../enumeration/key-index.js";
import { addSlides, Frontier, type Layer } from "../enumeration/layers.js";
import { Pauses } from "../pauses.js";
import type { Policies } from "./policies.js";

/** The positions of one tile sum that players reach. */
export interface PolicyLayer extends Layer {
  /** The number of the profile in each position; 0 where no slide is legal. */
  readonly profiles: Uint32Array;
}

/** Progress of a sweep. */
export interface AssessProgress {
  readonly doing: "finding" | "valuing";
  /** Tile sum of the layer under way. */
  readonly sum: number;
  /** Total positions found, or valued, so far. */
  readonly positions: number;
  /** Total number of positions; known once all are found. */
  readonly positionsInAll: number | undefined;
}

/** Options of a sweep. */
export interface AssessOptions {
  /** Most bytes for positions and values; default: no limit. */
  readonly memory?: number;
  /** Stops the sweep: its promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  onProgress?(progress: AssessProgress): void;
}

/**
 * Finds all positions that any of the players can reach from the given positions, with any placer,
 * in layers of ascending tile sum, and asks the players once about each.
 *
 * @throws {RangeError} if the positions take more memory than `options.memory`
 */
export async function reach(
  grid: Grid,
  { shape, tiles }: Game,
  from: readonly { readonly code: number; readonly sum: number }[],
  policies: Policies,
  { memory = Number.POSITIVE_INFINITY, signal, onProgress }: AssessOptions,
): Promise<PolicyLayer[]> {
  const frontier = new Frontier(grid, tiles);
  for (const { code, sum } of from) frontier.add(sum, code);
  const layers: PolicyLayer[] = [];
  const pauses = new Pauses(signal);
  let found = 0;
  for (const { sum, positions } of frontier.layers()) {
    const profiles = new Uint32Array(positions.length);
    const slid = new KeyIndex(positions.length);
    for (let n = 0; n < positions.length; n++) {
      if (n % Pauses.STEP === 0) {
        onProgress?.({ doing: "finding", sum, positions: found + n, positionsInAll: undefined });
        if (pauses.isDue) await pauses.take();
      }
      grid.set(positions[n] as number);
      if (ALL_SLIDES.every((slide) => grid.slide(slide) === ILLEGAL)) continue;
      const profile = policies.ask(grid.exponents(positions[n] as number));
      profiles[n] = profile;
      addSlides(grid, policies.profile(profile).slides, slid);
    }
    frontier.place(sum, slid.keys());
    found += positions.length;
    if (found * (positions.BYTES_PER_ELEMENT + profiles.BYTES_PER_ELEMENT) > memory) {
      throw new RangeError(
        `${policies.players.map(({ name }) => name).join(", ")} can be led to more than ${formatCount(found)} positions of ${describeGame({ shape, tiles })}, too many for ${formatBytes(memory)} of memory`,
      );
    }
    layers.push({ sum, positions, profiles });
  }
  return layers;
}
