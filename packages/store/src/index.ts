export { type BoundEntry, BoundTable } from "./bounds.js";
export type { CertificateInfo, StoredCertificate, StoredClaim } from "./claims.js";
export { Database } from "./database.js";
export { SCHEMA_VERSION } from "./database-schema.js";
export { StoreError, type StoreErrorCode } from "./errors.js";
export { type Lock, takeLock } from "./lock.js";
export type { Run, RunCost, RunLog, RunOutcome, RunStart } from "./runs.js";
export {
  clearSnapshot,
  type NewBatch,
  SNAPSHOT_PARTS,
  SnapshotFile,
  type SnapshotIdentity,
  type SnapshotSummary,
  snapshotFileOf,
} from "./snapshot.js";
export type { OpenOptions } from "./sqlite-file.js";
