import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { brotliDecompressSync, createBrotliDecompress, createGunzip, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
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

const PATHS = ["/site/app.js", "/", "/openapi.json"];

describe("long texts", () => {
  it("are compressed as the client asks", async () => {
    const { url } = await serve();
    for (const path of PATHS) {
      const plain = await send(url + path);
      expect(plain.headers).toMatchObject({ vary: "accept-encoding" });
      expect(plain.headers["content-encoding"]).toBeUndefined();
      for (const [accepted, coding, unpack] of [
        ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
        ["gzip", "gzip", gunzipSync],
        ["br;q=0.2, gzip;q=0.8", "gzip", gunzipSync],
        ["br;q=0, *", "gzip", gunzipSync],
      ] as const) {
        const { headers, bytes } = await send(url + path, { "accept-encoding": accepted });
        expect([path, headers["content-encoding"]]).toEqual([path, coding]);
        expect(headers).toMatchObject({
          vary: "accept-encoding",
          "content-length": String(bytes.length),
        });
        expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
        expect(unpack(bytes).equals(plain.bytes)).toBe(true);
      }
      for (const accepted of ["identity", "br;q=0, gzip;q=0", "deflate"]) {
        const { headers, bytes } = await send(url + path, { "accept-encoding": accepted });
        expect(headers["content-encoding"]).toBeUndefined();
        expect(bytes.equals(plain.bytes)).toBe(true);
      }
    }
  });

  it("have a tag for each coding, and are not sent again whichever the client has", async () => {
    const { url } = await serve();
    const path = `${url}/site/app.js`;
    const tagOf = async (coding: string) =>
      (await send(path, { "accept-encoding": coding })).headers.etag as string;
    const tags = [await tagOf("identity"), await tagOf("gzip"), await tagOf("br")];
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) {
      const known = await send(path, { "accept-encoding": "br", "if-none-match": tag });
      expect([known.status, known.bytes.length]).toEqual([304, 0]);
    }
  });
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

describe("answers to batches", () => {
  const ENTRY = '"2 4 2/4 2 4"\n'; // needs no search

  /** Begins a batch of lines. */
  async function beginLines(coding: string) {
    const { url } = await serve();
    const sent = request(`${url}/v1/query?values=true`, {
      method: "POST",
      headers: { "accept-encoding": coding },
    });
    return { sent, answered: once(sent, "response") as Promise<[IncomingMessage]> };
  }

  it.each([
    ["br", createBrotliDecompress],
    ["gzip", createGunzip],
  ] as const)("are compressed as %s", async (coding, unpack) => {
    const { sent, answered } = await beginLines(coding);
    sent.end(ENTRY.repeat(2000));
    const [answer] = await answered;
    expect(answer.headers).toMatchObject({ "content-encoding": coding, vary: "accept-encoding" });
    let bytes = 0;
    answer.on("data", (part: Buffer) => {
      bytes += part.length;
    });
    const texts = await answer.pipe(unpack()).setEncoding("utf8").toArray();
    const lines = texts.join("").trimEnd().split("\n");
    expect(lines).toHaveLength(2000);
    expect(JSON.parse(lines[1999] as string)).toMatchObject({ value: 0 });
    expect(bytes).toBeLessThan(texts.join("").length / 20);
  });

  it("can be read before the next line is sent", async () => {
    const { sent, answered } = await beginLines("br");
    sent.write(ENTRY);
    const [answer] = await answered;
    const texts = answer.pipe(createBrotliDecompress()).setEncoding("utf8");
    expect(JSON.parse((await once(texts, "data"))[0])).toMatchObject({ value: 0 });
    sent.end(ENTRY);
    expect(JSON.parse((await once(texts, "data"))[0])).toMatchObject({ value: 0 });
  });

  it("are not compressed for clients that ask for nothing else", async () => {
    const { sent, answered } = await beginLines("identity");
    sent.end(ENTRY);
    const [answer] = await answered;
    expect(answer.headers["content-encoding"]).toBeUndefined();
    expect(JSON.parse((await answer.toArray()).join(""))).toMatchObject({ value: 0 });
  });
});
