export { Bench, type BenchOptions, type BenchProgress, type BenchSettings } from "./bench.js";
export { type Assessment, assess, type StartScore } from "./exact/assess.js";
export { findLowScore, type LowScore, type LowScoreOptions } from "./exact/low-score.js";
export {
  type CompareOptions,
  compareMoves,
  type MoveComparison,
  type MoveQuality,
} from "./exact/moves.js";
export type { Score } from "./exact/player-columns.js";
export type { AssessOptions, AssessProgress } from "./exact/reach.js";
export { type HeldBounds, HeldSearch, type SearchLimits, searchStarts } from "./exact/search.js";
export { type Experiment, filesOf, picturesOf, type Report, run } from "./experiment.js";
export { EXPERIMENTS, LONGEST_FIRST } from "./paper/experiments/index.js";
export * from "./paper/lbhsv.js";
export * from "./paper/move-order.js";
export * from "./paper/search.js";
export * from "./paper/techniques.js";
export * from "./paper/transposition-table.js";
export { SIMULATION_DEFAULTS, type SimulationOptions } from "./simulation/options.js";
export { type SimulatedRun, simulate } from "./simulation/simulate.js";
export { Training, type TrainingGame, USUAL_RATE } from "./training/training.js";
