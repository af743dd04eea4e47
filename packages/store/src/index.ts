export { type BoundEntry, type BoundKey, BoundTable, keyOf } from "./bounds.js";
export { Database, type OpenOptions } from "./database.js";
export { StoreError, type StoreErrorCode } from "./errors.js";
export type { Run, RunCost, RunLog, RunOutcome, RunStart } from "./runs.js";
export { SCHEMA_VERSION } from "./schema.js";
