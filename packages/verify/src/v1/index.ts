export { claimedBy } from "./claimed-by.js";
export { ClaimTable } from "./claims.js";
export { type Certificate, encodeCertificate, readCertificate } from "./file.js";
export { MOST_EFFORT } from "./header.js";
export { type SearchResult, searchFor } from "./search.js";
export { type Progress, type Report, type VerifyOptions, verify } from "./verify.js";
