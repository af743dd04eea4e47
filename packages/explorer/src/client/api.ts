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

/**
 * Reads JSON from the server.
 *
 * @throws {RequestError} if the server does not answer or refuses
 * @throws {DOMException} `AbortError` if `signal` aborts
 */
export async function readJson<T>(address: string, signal: AbortSignal): Promise<T> {
  let response: Response;
  try {
    response = await fetch(address, { signal, headers: { accept: "application/json" } });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new RequestError("The server does not answer.", 1);
  }
  if (response.ok) return (await response.json()) as T;
  const problem: { detail?: string; title?: string } = await response.json().catch(() => ({}));
  const sentence = problem.detail ?? problem.title ?? response.statusText;
  const wait = Number(response.headers.get("retry-after") ?? Number.NaN);
  const again = response.status === 429 || response.status >= 500;
  throw new RequestError(
    `The server answers ${response.status}: ${sentence}`,
    again ? (Number.isFinite(wait) ? wait : 2) : undefined,
  );
}
