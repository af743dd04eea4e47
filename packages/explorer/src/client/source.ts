import { ApiClient, ApiError } from "@gridlock/gridlock/client";
import { createContext } from "preact";

/** The server that the page came from. */
const server = new ApiClient(".");

/**
 * Answers the pages' questions, as a server or a worker in the browser: reads what an address of
 * the HTTP API has.
 *
 * @param address relative to the base of the document: `v1/3x3?board=…&budget=0.1`
 * @throws {ApiError} if there is no answer, with a sentence for the reader; `retryAfter` is
 *   `undefined` if asking again is of no use
 * @throws {DOMException} `AbortError` if `signal` aborts
 */
export type AnswerSource = <T>(address: string, signal: AbortSignal) => Promise<T>;

/** Reads JSON from the server. */
export const readServer: AnswerSource = async <T>(address: string, signal: AbortSignal) => {
  try {
    return await server.read<T>(`/${address}`, { signal });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, message, code, retryAfter = 2 } = error;
    if (status === 0) throw new ApiError("The server does not answer.", status, code, 1);
    const again = status === 429 || status >= 500;
    const sentence = `The server answers ${status}: ${message}`;
    throw new ApiError(sentence, status, code, again ? retryAfter : undefined);
  }
};

/** The source of answers for all components below. */
export const Source = createContext<AnswerSource>(readServer);
