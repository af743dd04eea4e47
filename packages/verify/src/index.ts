export { CLAIM_WORDS, CLAIMS_PER_BLOCK, encodeBlock, encodeEnd, encodeHeader } from "./blocks.js";
export {
  type Comparison,
  type Contradiction,
  compareBounds,
  impliedBound,
} from "./bounds.js";
export { CertificateError, type CertificateErrorCode } from "./errors.js";
export type { Failure, FailureKind } from "./failure.js";
export {
  CertificateFile,
  type Claim,
  fileIdentity,
  readSummary,
} from "./file.js";
export type { Expected, StartReport } from "./proven-starts.js";
export {
  LEAST_MEMORY,
  type Progress,
  type Report,
  type VerifyOptions,
  verifyCertificate,
} from "./verify.js";
export type { ValueSide } from "./work.js";
