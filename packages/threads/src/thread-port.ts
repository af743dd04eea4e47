/* The side of `thread.ts` that runs in the thread itself. */
import { parentPort } from "node:worker_threads";
import type { ThreadMessage, ThreadRequest } from "./thread.js";

function post(message: ThreadMessage<unknown, unknown>): void {
  parentPort?.postMessage(message);
}

/**
 * Answers each request that the parent posts. An error fails the thread, and the parent stops it,
 * unless it was to outlive errors.
 */
export function answerRequests<Request, Reply>(
  answer: (request: Request) => Reply | Promise<Reply>,
): void {
  parentPort?.on("message", ({ id, request }: ThreadRequest<Request>) => {
    void orFail(async () => post({ id, reply: await answer(request) }), id);
  });
}

/**
 * Does work of the thread; an error fails the thread.
 *
 * @param id the number of the request that asked for it, if one did
 */
export async function orFail(work: () => void | Promise<void>, id?: number): Promise<void> {
  try {
    await work();
  } catch (error) {
    const thrown: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
    const { name, code, message } = thrown;
    post({ id, failed: { name, code, message } });
  }
}

/** Posts a notice to the parent, such as progress. */
export function notify(notice: unknown): void {
  post({ notice });
}
