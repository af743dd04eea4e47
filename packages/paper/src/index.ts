export { type BenchOptions, type TaskProgress, ThreadBench } from "./bench.js";
export { type Experiment, filesOf, type Report } from "./experiment.js";
export { EXPERIMENTS, LONGEST_FIRST } from "./experiments/index.js";
export * from "./lbhsv.js";
export * from "./move-order.js";
export * from "./search.js";
export * from "./techniques.js";
export * from "./transposition-table.js";
