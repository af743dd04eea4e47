import { type AnswerSource, RequestError } from "./source.js";

/** A question to the worker of a site, or the news that nobody waits for its answer any more. */
export type SiteRequest =
  | { readonly id: number; readonly address: string }
  | { readonly id: number; readonly cancelled: true };

/** An answer of the worker of a site; `partial` if a better one follows. */
export type SiteReply =
  | { readonly id: number; readonly value: unknown; readonly partial: boolean }
  | { readonly id: number; readonly error: string };

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
  onPartial(value: unknown): void;
}

/**
 * Makes the source of a site: a search in a worker of the browser, which answers the addresses of the HTTP API that the
 * pages of a site read.
 *
 * @param script the address of the worker's script
 */
export function siteSource(script: string): AnswerSource {
  const worker = new Worker(new URL(script, document.baseURI), { type: "module" });
  const asked = new Map<number, Waiting>();
  let next = 0;
  worker.addEventListener("message", ({ data }: MessageEvent<SiteReply>) => {
    const waiting = asked.get(data.id);
    if ("value" in data && data.partial) return waiting?.onPartial(data.value);
    asked.delete(data.id);
    if ("value" in data) waiting?.resolve(data.value);
    else waiting?.reject(new RequestError(data.error, undefined));
  });
  worker.addEventListener("error", ({ message }) => {
    const error = new RequestError(`The search in your browser failed: ${message}`, undefined);
    for (const { reject } of asked.values()) reject(error);
    asked.clear();
  });
  return <T>(address: string, signal: AbortSignal, onPartial?: (value: T) => void) => {
    const id = next++;
    return new Promise<T>((resolve, reject) => {
      signal.throwIfAborted();
      asked.set(id, {
        resolve: (value) => resolve(value as T),
        reject,
        onPartial: (value) => onPartial?.(value as T),
      });
      signal.addEventListener("abort", () => {
        if (!asked.delete(id)) return;
        worker.postMessage({ id, cancelled: true } satisfies SiteRequest);
        reject(signal.reason);
      });
      worker.postMessage({ id, address } satisfies SiteRequest);
    });
  };
}
