import { ALL_SLIDES, type Codes, compact, ILLEGAL, KeyIndex } from "@gridlock/enumeration";
import { describeGame, type Game } from "@gridlock/game";
import { formatBytes, formatCount } from "@gridlock/report";
import type { Boards } from "./boards.js";
import { Pauses } from "./pauses.js";
import { NO_CHOICE, type Policies } from "./policies.js";

/** The positions of one tile sum that players reach, and the number of the profile in each. */
export interface PolicyLayer {
  readonly sum: number;
  readonly positions: Codes;
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
  readonly signal?: AbortSignal;
  onProgress?(progress: AssessProgress): void;
}

/**
 * Finds all positions that any of the players can reach from the given positions, with any placer,
 * in layers of ascending tile sum, and asks the players once about each.
 *
 * @throws {RangeError} if the positions take more memory than `options.memory`
 * @throws {PlayerError} if a player's choice is not valid
 */
export async function reach(
  boards: Boards,
  { shape, tiles }: Game,
  from: readonly { readonly code: number; readonly sum: number }[],
  policies: Policies,
  { memory = Number.POSITIVE_INFINITY, signal, onProgress }: AssessOptions,
): Promise<PolicyLayer[]> {
  const coming = new Map<number, KeyIndex>();
  const positionsOf = (sum: number) => {
    const index = coming.get(sum) ?? new KeyIndex();
    coming.set(sum, index);
    return index;
  };
  for (const { code, sum } of from) positionsOf(sum).add(code);
  const layers: PolicyLayer[] = [];
  const pauses = new Pauses(signal);
  let found = 0;
  for (let sum = 4; coming.size > 0; sum += 2) {
    const positions = compact(boards.grid, positionsOf(sum).keys());
    coming.delete(sum);
    if (positions.length === 0) continue;
    const profiles = new Uint32Array(positions.length);
    const slid = new KeyIndex(positions.length);
    for (let n = 0; n < positions.length; n++) {
      if (n % Pauses.STEP === 0) {
        onProgress?.({ doing: "finding", sum, positions: found + n, positionsInAll: undefined });
        if (pauses.isDue) await pauses.take();
      }
      boards.setPosition(positions[n] as number);
      const isEnd = ALL_SLIDES.every((direction) => boards.grid.slide(direction) === ILLEGAL);
      profiles[n] = isEnd ? NO_CHOICE : addSlides(boards, policies, slid);
    }
    const next = tiles.map((tile) => positionsOf(sum + tile));
    for (let n = 0; n < slid.size; n++) {
      boards.setAfterstate(slid.key(n));
      for (let cell = 0; cell < boards.cells.length; cell++) {
        if (boards.cells[cell] !== 0) continue;
        for (let i = 0; i < next.length; i++) (next[i] as KeyIndex).add(boards.place(cell, i + 1));
      }
    }
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

/** Asks the players about the position that was set, and adds the afterstates that they choose. */
function addSlides(boards: Boards, policies: Policies, slid: KeyIndex): number {
  const number = policies.ask(boards.cells);
  const { slides } = policies.profile(number);
  for (const direction of ALL_SLIDES) {
    if ((slides & (1 << direction)) === 0) continue;
    const afterstate = boards.slide(direction);
    if (afterstate === ILLEGAL) throw policies.illegal(number, direction, boards.cells);
    slid.add(afterstate);
  }
  return number;
}
