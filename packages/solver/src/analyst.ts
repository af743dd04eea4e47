/*
 * The part of this package that a web worker can load. These modules, and all that they import
 * besides types, need no more than `@gridlock/kernel/web` does. The index exports them too.
 */
export { type Analysis, Analyst, type MoveAnalysis } from "./analysis.js";
export type { Line } from "./best-lines.js";
export { type Estimate, estimate } from "./estimate.js";
export {
  NOTHING_STORED,
  type Source,
  type StoredBounds,
  type TabulatedValue,
} from "./known-bounds.js";
export { type Move, placementMove, slideMove } from "./moves.js";
export {
  defaultMemory,
  leastMemory,
  SEARCH_MEMORY,
  searchMemory,
  whyNoKernel,
} from "./table-size.js";
