import { hash } from "node:crypto";
import { once } from "node:events";
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzipSync,
} from "node:zlib";
import { Cache } from "./cache.js";
import type { RequestContext } from "./operation.js";

/** The type of JSON. */
export const JSON_TYPE = "application/json";
/** The type of newline-delimited JSON. */
export const LINES_TYPE = "application/x-ndjson";

/** Seconds for which a client need not ask again for what is proven; a tabulation may add to it later. */
const CACHE_SECONDS = 86_400;
/** The permission for a client to keep an answer, as `Cache-Control` says it. */
export const CACHEABLE = `public, max-age=${CACHE_SECONDS}`;

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
    return known === "*" || known.replace(/-(?:br|gzip)"$/, '"') === tag;
  });
}

/**
 * Answers with JSON.
 *
 * @param exact whether all of it is proven: then the client may keep it
 */
export function replyJson(context: RequestContext, json: string, exact: boolean): Response {
  if (!exact) return reply(context, json, "application/json", { "cache-control": "no-store" });
  return replyTagged(context, json, "application/json", CACHEABLE);
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
  return reply(context, content, type, headers);
}

/** Answers with a content, compressed if that saves much and the client can read it. */
export function reply(
  { req }: RequestContext,
  content: string | Uint8Array<ArrayBuffer>,
  type: string,
  headers: Readonly<Record<string, string>>,
  status = 200,
): Response {
  const plain = { ...headers, "content-type": type };
  if (Buffer.byteLength(content) < LEAST_COMPRESSED || !COMPRESSIBLE.test(type)) {
    return sized(content, plain, status);
  }
  const varied = { ...plain, vary: "accept-encoding" };
  const coding = codingFor(req.header("accept-encoding"));
  if (coding === undefined) return sized(content, varied, status);
  const { etag } = headers;
  const coded = {
    ...varied,
    "content-encoding": coding,
    // Each coding is a representation with a tag of its own.
    ...(etag !== undefined && { etag: etag.replace(/"$/, `-${coding}"`) }),
  };
  return sized(compressed(content, coding, etag), coded, status);
}

/** Makes a response with its length, which an answer to HEAD has too. */
function sized(
  content: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
  status: number,
): Response {
  const length = String(Buffer.byteLength(content));
  return new Response(content, { status, headers: { ...headers, "content-length": length } });
}

/** Bytes below which a content fits into a packet as it is. */
const LEAST_COMPRESSED = 1400;
/** Types of texts: pictures other than drawings are compressed already. */
const COMPRESSIBLE = /^text\/|json|javascript|svg/;

type Coding = "br" | "gzip";

/** Returns the coding that a client prefers of those that it names in `Accept-Encoding`. */
function codingFor(accepted = ""): Coding | undefined {
  const weights = new Map(
    accepted.split(",").map((one) => {
      const [name = "", weight = "q=1"] = one.split(";").map((part) => part.trim());
      return [name.toLowerCase(), Number(weight.replace(/^q=/i, ""))] as const;
    }),
  );
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get("*") ?? 0;
  const [best] = (["br", "gzip"] as const).toSorted((a, b) => weightOf(b) - weightOf(a));
  return best !== undefined && weightOf(best) > 0 ? best : undefined;
}

/** Brotli's quality: a page takes a millisecond or two, and is hardly larger than at the best. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
/** The latest compressed contents with a tag. */
const compressions = new Cache<Uint8Array<ArrayBuffer>>(64);

function compressed(
  content: string | Uint8Array,
  coding: Coding,
  tag: string | undefined,
): Uint8Array<ArrayBuffer> {
  const make = () => (coding === "gzip" ? gzipSync(content) : brotliCompressSync(content, BROTLI));
  if (tag === undefined) return make();
  const key = `${coding} ${tag}`;
  return compressions.get(key) ?? compressions.add(key, make());
}

/** Answers with texts as they come, compressed if the client can read it. */
export function replyStream(
  { req }: RequestContext,
  texts: AsyncGenerator<string>,
  type: string,
): Response {
  const coding = codingFor(req.header("accept-encoding"));
  const headers = { "content-type": type, "cache-control": "no-store", vary: "accept-encoding" };
  if (coding === undefined) return new Response(streamOf(texts), { headers });
  return new Response(streamOf(coded(texts, coding)), {
    headers: { ...headers, "content-encoding": coding },
  });
}

/** Qualities for streams: those of pages take five times as long, for answers that are a quarter smaller. */
const FAST_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const FAST_GZIP = { level: 1 };

/** Compresses texts, each so that the client can read it before the next one comes. */
async function* coded(texts: AsyncGenerator<string>, coding: Coding): AsyncGenerator<Uint8Array> {
  const coder = coding === "gzip" ? createGzip(FAST_GZIP) : createBrotliCompress(FAST_BROTLI);
  const parts: Buffer[] = [];
  coder.on("data", (part) => parts.push(part));
  try {
    for await (const text of texts) {
      coder.write(text);
      await new Promise<void>((resolve) => coder.flush(resolve));
      yield Buffer.concat(parts.splice(0));
    }
    coder.end();
    await once(coder, "end");
    yield Buffer.concat(parts);
  } finally {
    coder.destroy();
  }
}

/** Streams texts or bytes, as fast as they are read. What makes them ends when the client hangs up. */
export function streamOf(texts: AsyncGenerator<string | Uint8Array>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
}
