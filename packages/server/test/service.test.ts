import { connect } from "node:net";
import { createServer, ServerError } from "@gridlock/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Served, serve } from "./setup.js";

let served: Served;

beforeAll(async () => {
  served = await serve({}, afterAll);
});

/** An operation of the description, as far as these tests read it. */
interface Described {
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly example?: string;
    readonly schema: { readonly examples?: readonly string[] };
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly example: unknown }>>;
  };
}

interface Methods {
  readonly get?: Described;
  readonly post?: Described;
}

/** All references of a JSON value. */
function references(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) =>
    key === "$ref" ? [String(below)] : references(below),
  );
}

describe("the server", () => {
  it("describes its API by the schemas that check it", async () => {
    const { json, headers } = await served.get("/openapi.json");
    expect(headers.get("etag")).not.toBeNull();
    expect(json.openapi).toBe("3.1.1");
    const { parameters, responses } = json.paths["/v1/{shape}"].get;
    expect(parameters.map(({ name }: { name: string }) => name)).toEqual([
      ...["shape", "board", "turn", "tiles", "exponents", "order", "budget"],
    ]);
    expect(Object.keys(responses)).toEqual(["200", "400", "429", "503"]);
    for (const reference of references(json)) {
      const name = reference.replace("#/components/schemas/", "");
      expect(Object.keys(json.components.schemas), reference).toContain(name);
    }
    // Each operation that requires no parameters can be called as it is described.
    for (const [path, { get }] of Object.entries<Methods>(json.paths)) {
      if (get === undefined || get.parameters.some(({ required }) => required)) continue;
      const { status } = await served.get(path);
      expect([200, 404], path).toContain(status);
    }
  });

  it("leads from /v1/docs to the document that describes it", async () => {
    for (const [path, location] of [
      ["/v1/docs", "../docs/api/"],
      ["/v1/docs/", "../../docs/api/"],
    ]) {
      const reply = await fetch(served.url + path, { redirect: "manual" });
      expect([reply.status, reply.headers.get("location")]).toEqual([302, location]);
    }
  });

  it("answers the examples of its description", async () => {
    const { paths } = (await served.get("/openapi.json")).json;
    for (const [path, { get, post }] of Object.entries<Methods>(paths)) {
      const { parameters, requestBody } = (get ?? post) as Described;
      const given = (place: string) =>
        parameters.filter((each) => each.in === place && each.required);
      const filled = given("path").reduce(
        (address, { name, example }) => address.replace(`{${name}}`, String(example)),
        path,
      );
      const query = new URLSearchParams(
        given("query").map(({ name, schema }) => [name, String(schema.examples?.[0])]),
      );
      const address = `${filled}?${query}`.replace(/\?$/, "");
      for (const [type, { example }] of Object.entries(requestBody?.content ?? {})) {
        const body = typeof example === "string" ? example : JSON.stringify(example);
        const headers = { "content-type": type };
        const reply = await served.get(address, { method: "POST", headers, body });
        expect([reply.status, reply.headers.get("content-type")]).toEqual([200, type]);
      }
      if (post !== undefined) continue;
      const { status } = await served.get(address);
      // There are no runs and no files here, and 3x3 is not solved.
      expect(status, path).toBe(/\{path\}$/.test(path) ? 404 : 200);
    }
  });

  it("reports its health and its metrics", async () => {
    const { json } = await served.get("/health");
    expect(json).toEqual({ ok: true, version: "0.0.0", searches: 0, waiting: 0 });
    const { text } = await served.get("/metrics");
    expect(text).toMatch(/gridlock_requests_total\{operation="health",status="200"\} [1-9]/);
    expect(text).toMatch(/gridlock_request_seconds_count\{operation="health"\} [1-9]/);
    expect(text).toMatch(/gridlock_searches 0/);
  });

  it("closes connections beyond the limit, and those that are too slow", async () => {
    const own = await serve({ limits: { connections: 2, headersMs: 500 } });
    const { port, hostname } = new URL(own.url);
    const open = () => {
      const socket = connect(Number(port), hostname).setEncoding("utf8");
      let received = "";
      socket
        .on("error", () => {})
        .on("data", (text) => {
          received += text;
        });
      return {
        socket,
        closed: new Promise((resolve) => socket.once("close", () => resolve(received))),
      };
    };
    const first = open();
    const second = open();
    first.socket.write("GET /health HTTP/1.1\r\nHost: x\r\n"); // and no more
    await open().closed;
    expect(await first.closed).toMatch(/^HTTP\/1.1 408 /);
    second.socket.destroy();
    await expect.poll(async () => (await own.get("/health")).status).toBe(200);
  });

  it("says what is wrong with an address that it cannot listen at", async () => {
    const options = { db: served.db, budget: 1, workers: 1, memory: 1, version: "", warn() {} };
    const { port, hostname } = new URL(served.url);
    await expect(createServer({ ...options, host: hostname, port: Number(port) })).rejects.toThrow(
      ServerError,
    );
    await expect(createServer({ ...options, host: "192.0.2.1", port: 0 })).rejects.toThrow(
      /cannot listen at 192.0.2.1, port 0: this machine does not have that address/,
    );
  });
});
