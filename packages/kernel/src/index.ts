export { Journal } from "./journal.js";
export { type Company, Kernel, type SearchOptions, STACK_MB } from "./kernel.js";
export { preferLargePages } from "./large-pages.js";
export { hasKernel, KERNEL_LIMITS } from "./module.js";
export { RECORD_BYTES } from "./records.js";
export { Steps } from "./steps.js";
export {
  BUCKET_ENTRIES,
  createTable,
  partsOf,
  type SharedTable,
  SYSTEM_PAGE_BYTES,
  type TableLimits,
  type TableOptions,
  tableLimits,
  touchTable,
} from "./table.js";
export { effortOf, type TableEntry } from "./table-records.js";
export { type NodeCounts, ThreadMonitor } from "./thread-monitor.js";
export { kernelVersion } from "./version.js";
