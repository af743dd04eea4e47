import { ApiClient, ApiError } from "@gridlock/gridlock/client";

/** A request that failed, with a sentence for the reader. */
export class RequestError extends Error {
  override readonly name = "RequestError";

  constructor(
    message: string,
    /** Seconds after which to ask again; `undefined` if asking again is of no use. */
    readonly retryAfter: number | undefined,
  ) {
    super(message);
  }
}

/** The server that the page came from. */
const server = new ApiClient(".");

/**
 * Reads JSON from the server.
 *
 * @param address relative to the base of the document
 * @throws {RequestError} if the server does not answer or refuses
 * @throws {DOMException} `AbortError` if `signal` aborts
 */
export async function readJson<T>(address: string, signal: AbortSignal): Promise<T> {
  try {
    return await server.read<T>(`/${address}`, { signal });
  } catch (error) {
    throw error instanceof ApiError ? requestErrorOf(error) : error;
  }
}

function requestErrorOf({ status, message, retryAfter }: ApiError): RequestError {
  if (status === 0) return new RequestError("The server does not answer.", 1);
  const again = status === 429 || status >= 500;
  return new RequestError(
    `The server answers ${status}: ${message}`,
    again ? (retryAfter ?? 2) : undefined,
  );
}
