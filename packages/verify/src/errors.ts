/** Why a certificate could not be read or made, for programs; the message says the same to people. */
export type CertificateErrorCode =
  | "missing"
  | "unreadable"
  | "not-a-certificate"
  | "other-version"
  | "bad-header"
  | "wrong-length"
  | "bad-checksum"
  | "disorder"
  | "bad-value";

/** Something that is no certificate, or a damaged one. It proves nothing. */
export class CertificateError extends Error {
  override readonly name = "CertificateError";

  constructor(
    readonly code: CertificateErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
