export { CLAIM_WORDS, CLAIMS_PER_BLOCK, encodeBlock, encodeEnd, encodeHeader } from "./blocks.js";
export {
  type Claimed,
  type Comparison,
  type Contradiction,
  compareBounds,
  impliedBound,
} from "./bounds.js";
export { CertificateError, type CertificateErrorCode } from "./errors.js";
export type { Failure, FailureKind } from "./failure.js";
export { CertificateFile, type Claim, type FileIdentity } from "./file.js";
export type { Expected, StartReport } from "./proven-starts.js";
export * from "./v1/index.js";
export { LEAST_MEMORY, verifyCertificate } from "./verify.js";
export type { ValueSide } from "./work.js";
