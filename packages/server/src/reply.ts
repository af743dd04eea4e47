import { hash } from "node:crypto";
import { compress } from "hono/compress";
import type { RequestContext } from "./operation.js";

/** The type of newline-delimited JSON. */
export const LINES_TYPE = "application/x-ndjson";

/**
 * The permission for a client to keep a proven result for a day, as `Cache-Control` says it;
 * tabulations may add to it.
 */
export const CACHEABLE = "public, max-age=86400";

/** Bytes below which a content fits into a packet as it is. */
const LEAST_COMPRESSED = 1400;

/** Compresses long texts if the client allows it. For pages: it takes longer than most look-ups. */
export const compressed = compress({ encoding: "gzip", threshold: LEAST_COMPRESSED });

/** Returns the entity tag of a content. */
function tagOf(content: string | Uint8Array): string {
  return `"${hash("sha256", content, "base64url").slice(0, 22)}"`;
}

/** Returns whether a client has a content already, as it says in `If-None-Match`. */
function isKnown({ req }: RequestContext, tag: string): boolean {
  const given = req.header("if-none-match");
  if (given === undefined) return false;
  return given.split(",").some((one) => {
    const known = one.trim().replace(/^W\//, "");
    return known === "*" || known === tag;
  });
}

/**
 * Answers with JSON.
 *
 * @param exact whether all of it is proven: then the client may keep it
 */
export function replyJson(context: RequestContext, json: string, exact: boolean): Response {
  const type = "application/json";
  return exact ? replyTagged(context, json, type, CACHEABLE) : reply(json, type);
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
  return reply(content, type, headers);
}

/**
 * Answers with a content and its length, which an answer to HEAD has too. Nobody may keep the
 * answer, unless the headers say otherwise.
 */
export function reply(
  content: string | Uint8Array<ArrayBuffer>,
  type: string,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): Response {
  const length = String(Buffer.byteLength(content));
  const own = { "content-type": type, "content-length": length };
  const all = { "cache-control": "no-store", ...headers, ...own };
  return new Response(content, { status, headers: all });
}
