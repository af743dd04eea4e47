export { CLAIM_WORDS, CLAIMS_PER_BLOCK, encodeBlock, encodeEnd, encodeHeader } from "./blocks.js";
export {
  type Claimed,
  type Comparison,
  type Contradiction,
  claimedBy,
  compareBounds,
  impliedBound,
} from "./bounds.js";
export { type Claim, ClaimTable } from "./claims.js";
export { CertificateError, type CertificateErrorCode } from "./errors.js";
export type { Failure, FailureKind } from "./failure.js";
export { type Certificate, encodeCertificate, readCertificate } from "./file.js";
export { MOST_EFFORT } from "./header.js";
export type { Expected, StartReport } from "./proven-starts.js";
export { type SearchResult, searchFor, type ValueSide } from "./search.js";
export { type Progress, type Report, type VerifyOptions, verify } from "./verify.js";
