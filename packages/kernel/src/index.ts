export {
  effortOf,
  Kernel,
  type NodeCounts,
  type PackedNode,
  type TableEntry,
  ThreadMonitor,
} from "./kernel.js";
export { hasKernel, MAX_KERNEL_CELLS } from "./module.js";
export { createTable, type SharedTable, type TableLimits, tableLimits } from "./table.js";
