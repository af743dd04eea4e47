export { type TabulationSummary, tabulationsBeside } from "./beside.js";
export { Images } from "./canonical.js";
export {
  CERTAINTY_UNITS,
  type Column,
  columnFileOf,
  columnName,
  POINT_UNITS,
  type ValueColumn,
} from "./columns.js";
export { type Kind, VariantError } from "./kind.js";
export { KINDS, parseVariant, parseVariantTiles, USUAL } from "./kinds.js";
export { canSolveVariants, canTabulate, MAX_SWEEP_CELLS, MAX_VARIANT_CELLS } from "./module.js";
export { valueOfNode, valuesOfNode } from "./node-values.js";
export { type PerfectPlay, PerfectPlays } from "./perfect-play.js";
export { allStarts, type LikelyStart, likelyStarts, tileChances } from "./random-start.js";
export type { RemovalCounts } from "./removals.js";
export type { SweepProgress, TabulateOptions, TabulationProgress } from "./run.js";
export { EXPECTED_STEP, type Survey, survey } from "./survey.js";
export type { HabitCounts, PlacementCount, SlideCount } from "./survey-counts.js";
export type { SweepOptions } from "./sweep.js";
export { tabulate } from "./tabulate.js";
export { Tabulation, type TabulationCounts } from "./tabulation.js";
export type { Series, Variant } from "./variant.js";
export { type Reach, type StepOptions, VariantSweep } from "./variant-sweep.js";
