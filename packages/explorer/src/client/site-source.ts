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

/** The search in a worker of the browser, which answers the addresses of the HTTP API that the pages of a site read. */
export class SiteSource implements AnswerSource {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;

  /** @param script the address of the worker's script */
  constructor(script: string) {
    this.#worker = new Worker(new URL(script, document.baseURI), { type: "module" });
    this.#worker.addEventListener("message", ({ data }: MessageEvent<SiteReply>) => {
      const waiting = this.#waiting.get(data.id);
      if ("value" in data && data.partial) return waiting?.onPartial(data.value);
      this.#waiting.delete(data.id);
      if ("value" in data) waiting?.resolve(data.value);
      else waiting?.reject(new RequestError(data.error, undefined));
    });
    this.#worker.addEventListener("error", ({ message }) => {
      const error = new RequestError(`The search in your browser failed: ${message}`, undefined);
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    });
  }

  read<T>(address: string, signal: AbortSignal, onPartial?: (value: T) => void): Promise<T> {
    const id = this.#next++;
    return new Promise<T>((resolve, reject) => {
      signal.throwIfAborted();
      this.#waiting.set(id, {
        resolve: (value) => resolve(value as T),
        reject,
        onPartial: (value) => onPartial?.(value as T),
      });
      signal.addEventListener("abort", () => {
        if (!this.#waiting.delete(id)) return;
        this.#worker.postMessage({ id, cancelled: true } satisfies SiteRequest);
        reject(signal.reason);
      });
      this.#worker.postMessage({ id, address } satisfies SiteRequest);
    });
  }
}
