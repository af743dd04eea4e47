import { ApiError } from "@gridlock/gridlock/client";
import type { AnswerSource } from "./source.js";

/** An answer of the worker of a site. */
export type SiteReply = { readonly value: unknown } | { readonly error: string };

/**
 * Makes the source of a site: a search in a worker of the browser, which answers the addresses of
 * the HTTP API that the pages of a site read. Each question has a port of its own for its answer,
 * and for a message to the worker that nobody waits for it any more.
 *
 * @param script the address of the worker's script
 */
export function siteSource(script: string): AnswerSource {
  let current: Worker | undefined;
  /** Returns the worker; a new one after a failure, which may have been that of the network. */
  const start = () => {
    if (current) return current;
    try {
      current = new Worker(new URL(script, document.baseURI), { type: "module" });
    } catch (error) {
      throw new ApiError(`This browser runs no search: ${(error as Error).message}`, 0);
    }
    return current;
  };
  return <T>(address: string, signal: AbortSignal) =>
    new Promise<T>((resolve, reject) => {
      signal.throwIfAborted();
      const worker = start();
      const { port1: answer, port2: port } = new MessageChannel();
      const end = () => {
        answer.close();
        worker.removeEventListener("error", crash);
        signal.removeEventListener("abort", cancel);
      };
      const fail = (reason: string) => {
        end();
        reject(new ApiError(reason, 0));
      };
      const crash = ({ message = "its script cannot be loaded" }: Partial<ErrorEvent>) => {
        worker.terminate();
        if (current === worker) current = undefined;
        fail(`The search in your browser failed: ${message}.`);
      };
      const cancel = () => {
        answer.postMessage("cancelled");
        end();
        reject(signal.reason);
      };
      answer.onmessage = ({ data }: MessageEvent<SiteReply>) => {
        if ("error" in data) return fail(data.error);
        end();
        resolve(data.value as T);
      };
      worker.addEventListener("error", crash);
      signal.addEventListener("abort", cancel);
      worker.postMessage(address, [port]);
    });
}
