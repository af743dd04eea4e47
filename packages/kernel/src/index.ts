export { Journal } from "./journal.js";
export { preferLargePages } from "./large-pages.js";
export { RECORD_BYTES } from "./records.js";
export { Steps } from "./steps.js";
export { BUCKET_ENTRIES, partsOf, SYSTEM_PAGE_BYTES, touchTable } from "./table.js";
export { kernelVersion } from "./version.js";
export * from "./web.js";
