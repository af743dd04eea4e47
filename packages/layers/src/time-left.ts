import type { Shape } from "@gridlock/game";
import { estimate } from "@gridlock/solver";

/** The cost of a proof so far, in all runs. */
interface Spent {
  /** Nodes expanded. */
  readonly expanded: number;
  readonly seconds: number;
}

/**
 * Nodes that a proof by layers expands per node of the shape's estimate, which is for a search: 0.2
 * (2×5) to 0.7 (2×6) were measured.
 */
const EXPANDED_PART = 0.65;
/**
 * The time grows about as this power of the expanded nodes: the larger a proof, the more of its
 * work is to settle open nodes. On 2×6, in memory, half of the nodes took half of the time; on 3×4,
 * with 1 GiB, they took a sixth.
 */
const POWER = 1.25;
/** Seconds, and part of the nodes, after which there is an estimate of the time. */
const FIRST_SECONDS = 10;
const FIRST_PART = 0.1;
const LAST_PART = 0.9;

/**
 * Extrapolates the seconds that a proof by layers still takes at its pace so far, from the expected
 * nodes of its shape. Returns `undefined` early in a proof, and near the end, where the estimate of
 * the nodes is not good enough. The result depends only on saved numbers, so it is valid after a
 * resume.
 */
export function secondsLeft(shape: Shape, { expanded, seconds }: Spent): number | undefined {
  const part = expanded / (EXPANDED_PART * estimate(shape).nodes);
  if (seconds < FIRST_SECONDS || part < FIRST_PART || part > LAST_PART) return undefined;
  return seconds * (part ** -POWER - 1);
}
