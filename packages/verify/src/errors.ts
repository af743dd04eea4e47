import { passErrors } from "@gridlock/threads";

/** The reason why a certificate could not be read, for programs; the message is for people. */
export type CertificateErrorCode =
  | "missing"
  | "unreadable"
  | "not-a-certificate"
  | "other-version"
  | "bad-header"
  | "wrong-length"
  | "bad-checksum"
  | "disorder"
  | "bad-value"
  | "changed";

/** A file that is not a certificate, or a damaged certificate. It proves nothing. */
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
passErrors("CertificateError", CertificateError);

/** Returns the system's reason of a failed operation in words. */
export function reasonOf(error: unknown): string {
  return (error as Error).message.replace(/^E[A-Z0-9]+: (.+?), .*/, "$1");
}
