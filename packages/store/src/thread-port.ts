/* The side of `thread.ts` that runs in the thread itself. */
import { parentPort } from "node:worker_threads";
import { StoreError } from "./errors.js";
import type { ThreadMessage } from "./thread.js";

function post(message: ThreadMessage<unknown, unknown>): void {
  parentPort?.postMessage(message);
}

/**
 * Answers each request that the parent posts. An error fails the thread, and the parent stops it.
 */
export function answerRequests<Request, Reply>(
  answer: (request: Request) => Reply | Promise<Reply>,
): void {
  parentPort?.on("message", (request: Request) => {
    void orFail(async () => post({ reply: await answer(request) }));
  });
}

/** Does work of the thread that no request asked for; an error fails the thread. */
export async function orFail(work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const code = error instanceof StoreError ? error.code : undefined;
    post({ failed: { code, message: error instanceof Error ? error.message : String(error) } });
  }
}

/** Posts a notice to the parent, such as progress. */
export function notify(notice: unknown): void {
  post({ notice });
}
