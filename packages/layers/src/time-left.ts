import type { Shape } from "@gridlock/game";
import { estimate } from "@gridlock/solver";

/** What a proof has cost so far, in all runs. */
interface Spent {
  /** Nodes expanded. */
  readonly expanded: number;
  readonly seconds: number;
}

/**
 * Nodes that a proof by layers expands for each of the shape's estimate, which counts those of a search: 0.4 (2×5) to
 * 0.8 (2×6) were measured.
 */
const EXPANDED_PART = 0.65;
/**
 * The time grows about as this power of the nodes expanded: the larger a proof, the more of its work is to settle what
 * is open. On 2×6, 30 % of the nodes took 10 % of the time, 46 % took 20 %, and 70 % took 50 %.
 */
const POWER = 2;
/** The estimate begins after so many seconds and this part of the nodes, and ends before the nodes exceed it. */
const FIRST_SECONDS = 10;
const FIRST_PART = 0.1;
const LAST_PART = 0.9;

/**
 * Extrapolates the seconds that a proof by layers still takes at the pace so far, from the nodes that its shape is
 * expected to have; `undefined` as long as that says nothing, and near the end, where the estimate of the nodes is not
 * good enough. It depends only on what is saved, so it holds after a resume.
 */
export function secondsLeft(shape: Shape, { expanded, seconds }: Spent): number | undefined {
  const part = expanded / (EXPANDED_PART * estimate(shape).nodes);
  if (seconds < FIRST_SECONDS || part < FIRST_PART || part > LAST_PART) return undefined;
  return seconds * (part ** -POWER - 1);
}
