import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { serve } from "./setup.js";

/** Sends a request as it is; returns the headers and the bytes of the answer. */
async function send(url: string, headers: Record<string, string> = {}, method = "GET") {
  const sent = request(url, { method, headers });
  sent.end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  return {
    status: answer.statusCode,
    headers: answer.headers as IncomingHttpHeaders,
    bytes: Buffer.concat(parts),
  };
}

const PATHS = ["/site/app.js", "/", "/explore/2x2/"];

it("long texts of pages are compressed for clients that can read it", async () => {
  const { url } = await serve();
  for (const path of PATHS) {
    const plain = await send(url + path);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    const { headers, bytes } = await send(url + path, { "accept-encoding": "br, gzip" });
    expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
    expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(gunzipSync(bytes).equals(plain.bytes)).toBe(true);
  }
});

it("a file of the pages is not sent again, compressed or not", async () => {
  const { url } = await serve();
  const path = `${url}/site/app.js`;
  for (const coding of ["identity", "gzip"]) {
    const { etag } = (await send(path, { "accept-encoding": coding })).headers;
    const known = await send(path, { "accept-encoding": "gzip", "if-none-match": `${etag}` });
    expect([known.status, known.bytes.length]).toEqual([304, 0]);
  }
});

it("HEAD has the length of the content", async () => {
  const { url } = await serve();
  const others = ["/v1/2x3?board=2_2_0/0_0_0", "/v1/shapes", "/v1/2x3", "/nothing"];
  for (const path of [...PATHS, ...others]) {
    const [got, head] = [await send(url + path), await send(url + path, {}, "HEAD")];
    expect(head.status).toBe(got.status);
    expect(head.headers["content-length"]).toBe(String(got.bytes.length));
    expect(head.bytes).toHaveLength(0);
  }
  const { headers } = await send(`${url}/metrics`, {}, "HEAD"); // they change from request to request
  expect(headers["content-length"]).toMatch(/^[1-9]\d+$/);
});
