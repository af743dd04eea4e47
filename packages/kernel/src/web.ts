/*
 * The part of this package that a web worker can load, since it needs no Node. The index exports it
 * too.
 */
export { kernelFiles } from "./files.js";
export { type Company, isStackOverflow, Kernel, type SearchOptions, STACK_MB } from "./kernel.js";
export { hasKernel, KERNEL_LIMITS } from "./module.js";
export {
  createTable,
  type SharedTable,
  type TableLimits,
  type TableOptions,
  tableLimits,
} from "./table.js";
export { effortOf, type TableEntry } from "./table-records.js";
export { allNodes, type NodeCounts, ThreadMonitor } from "./thread-monitor.js";
