import { StoreError, type StoreErrorCode } from "@gridlock/store";

/** An error as one thread posts it to another: of an error's class nothing would be left. */
export interface PostedError {
  /** The code of a `StoreError`. */
  readonly code: StoreErrorCode | undefined;
  readonly message: string;
}

/** Puts an error into a form that can be posted. */
export function postedError(error: unknown): PostedError {
  return {
    code: error instanceof StoreError ? error.code : undefined,
    message: error instanceof Error ? error.message : String(error),
  };
}

/** The error that was posted. */
export function errorOf({ code, message }: PostedError): Error {
  return code === undefined ? new Error(message) : new StoreError(code, message);
}
