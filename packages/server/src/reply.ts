import { createHash } from "node:crypto";
import type { RequestContext } from "./operation.js";

/** Seconds for which a client need not ask again for what is proven; a tabulation may add to it later. */
const KEEP_SECONDS = 86_400;
/** What a client may keep, as `Cache-Control` says it. */
export const KEEP = `public, max-age=${KEEP_SECONDS}`;

/** Returns the entity tag of a content. */
function tagOf(content: string | Uint8Array): string {
  return `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
}

/** Returns whether a client has a content already, as it says in `If-None-Match`. */
function isKnown({ req }: RequestContext, tag: string): boolean {
  const given = req.header("if-none-match");
  if (given === undefined) return false;
  return given
    .split(",")
    .some((one) => one.trim().replace(/^W\//, "") === tag || one.trim() === "*");
}

/**
 * Answers with JSON.
 *
 * @param exact whether all of it is proven: then the client may keep it
 */
export function replyJson(context: RequestContext, json: string, exact: boolean): Response {
  if (!exact) {
    return new Response(json, {
      headers: { "content-type": "application/json", "cache-control": "no-store" },
    });
  }
  return replyTagged(context, json, "application/json", KEEP);
}

/** Answers with a content and its entity tag, or with 304 if the client has it. */
export function replyTagged(
  context: RequestContext,
  content: string | Uint8Array<ArrayBuffer>,
  type: string,
  cacheControl = "no-cache",
): Response {
  const etag = tagOf(content);
  const headers = { etag, "cache-control": cacheControl };
  if (isKnown(context, etag)) return new Response(null, { status: 304, headers });
  return new Response(content, { headers: { ...headers, "content-type": type } });
}

/**
 * Streams texts, as fast as they are taken.
 *
 * @param onEnd called once when all is sent, or the client has hung up
 */
export function streamOf(
  texts: AsyncGenerator<string>,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let ended = false;
  const end = () => {
    if (!ended) onEnd();
    ended = true;
  };
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await texts.next();
        if (!done) return controller.enqueue(encoder.encode(value));
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      end();
    },
    cancel: end,
  });
}
