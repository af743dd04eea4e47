export { Journal } from "./journal.js";
export {
  effortOf,
  Kernel,
  type NodeCounts,
  type PackedNode,
  type TableEntry,
  ThreadMonitor,
} from "./kernel.js";
export { hasKernel, kernelVersion, MAX_KERNEL_CELLS } from "./module.js";
export { RECORD_BYTES } from "./records.js";
export {
  BUCKET_ENTRIES,
  createTable,
  type SharedTable,
  type TableLimits,
  tableLimits,
} from "./table.js";
