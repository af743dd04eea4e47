export { Journal, type JournalReader, type SharedNews } from "./journal.js";
export {
  effortOf,
  Kernel,
  type NodeCounts,
  type SearchOptions,
  STACK_MB,
  type TableEntry,
  ThreadMonitor,
} from "./kernel.js";
export { preferLargePages } from "./large-pages.js";
export { hasKernel, KERNEL_LIMITS, kernelVersion } from "./module.js";
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
