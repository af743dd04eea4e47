import { ApiError } from "@gridlock/gridlock/client";
import type { AnswerSource } from "./source.js";

/** An answer of the worker of a site; `partial` if a better one follows. */
export type SiteReply =
  | { readonly value: unknown; readonly partial: boolean }
  | { readonly error: string };

/**
 * Makes the source of a site: a search in a worker of the browser, which answers the addresses of the HTTP API that the
 * pages of a site read. Each question has a port of its own for its answers, and for a message to the worker that nobody
 * waits for them any more.
 *
 * @param script the address of the worker's script
 */
export function siteSource(script: string): AnswerSource {
  const worker = new Worker(new URL(script, document.baseURI), { type: "module" });
  return <T>(address: string, signal: AbortSignal, onPartial?: (value: T) => void) =>
    new Promise<T>((resolve, reject) => {
      signal.throwIfAborted();
      const { port1: answers, port2: port } = new MessageChannel();
      answers.onmessage = ({ data }: MessageEvent<SiteReply>) => {
        if ("error" in data) reject(new ApiError(data.error, 0));
        else if (data.partial) onPartial?.(data.value as T);
        else resolve(data.value as T);
      };
      const fail = ({ message }: ErrorEvent) =>
        reject(new ApiError(`The search in your browser failed: ${message}`, 0));
      worker.addEventListener("error", fail, { signal });
      signal.addEventListener("abort", () => {
        answers.postMessage("cancelled");
        answers.close();
        reject(signal.reason);
      });
      worker.postMessage(address, [port]);
    });
}
