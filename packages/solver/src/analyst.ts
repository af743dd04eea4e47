/*
 * Analyses without Node, for a web worker: these modules and what they import, except for types, need no more than
 * `@gridlock/kernel/web` does.
 */
export { type Analysis, Analyst, type MoveAnalysis } from "./analysis.js";
export type { Line } from "./best-lines.js";
export { type Estimate, estimate } from "./estimate.js";
export {
  type FiledBound,
  NOTHING_STORED,
  type Source,
  type StoredBounds,
  type TabulatedValue,
} from "./known-bounds.js";
export { type Move, placementMove, slideMove } from "./moves.js";
export { defaultMemory, leastMemory, whyNoKernel } from "./table-size.js";
