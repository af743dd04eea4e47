export type { AskedThreshold, AskedThresholds } from "./asked.js";
export { filesBeside, pathBeside } from "./beside.js";
export { type BoundEntry, BoundTable } from "./bounds.js";
export { Database, expectDatabase } from "./database.js";
export { SCHEMA_VERSION } from "./database-schema.js";
export type { StoredEntries } from "./entries.js";
export { StoreError, type StoreErrorCode } from "./errors.js";
export { FileIdentity } from "./file-identity.js";
export { acquireLock } from "./lock.js";
export { orDisposed } from "./or-disposed.js";
export { BRIEF_MS, patiently, type Waiting } from "./patience.js";
export {
  expectFolder,
  expectPlain,
  makeFolders,
  openPlain,
  readBytes,
  readPlain,
  statsOf,
  writeBytes,
} from "./plain-file.js";
export { reasonOf } from "./reason.js";
export { isRunOf, nameProcess, stateOfRun, thisProcess } from "./run-state.js";
export type { Run, RunCost, RunLog, RunOutcome, RunQuestion, RunStart } from "./runs.js";
export {
  claimsFileOf,
  type NewBatch,
  SnapshotFile,
  type SnapshotSummary,
  snapshotFileOf,
} from "./snapshot.js";
export { SNAPSHOT_PARTS, type SnapshotIdentity } from "./snapshot-schema.js";
export {
  MEMORY,
  makeFolder,
  type OpenOptions,
  removeSqlite,
  type SqliteFile,
} from "./sqlite-file.js";
