import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nonsense, sendGarbage, sendNonsense } from "./nonsense.js";
import { type Served, serve } from "./setup.js";

let served: Served;

beforeAll(async () => {
  // Searches would take most of the time, and are tested elsewhere.
  served = await serve({ budget: 0 }, afterAll);
});

describe("nonsense", () => {
  it("is refused: 2,000 requests without an answer of 500 or more", async () => {
    const requests = fc.sample(nonsense, { seed: 2048, numRuns: 2000 });
    const statuses = new Map<number, number>();
    for (let i = 0; i < requests.length; i += 20) {
      const batch = requests.slice(i, i + 20);
      const found = await Promise.all(batch.map((request) => sendNonsense(served.url, request)));
      found.forEach((status, j) => {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        expect(status, JSON.stringify(batch[j])).toBeLessThan(500);
      });
    }
    // Much of it is nearly right.
    expect(statuses.get(200)).toBeGreaterThan(30);
    expect(statuses.get(400)).toBeGreaterThan(200);
    expect(statuses.get(404)).toBeGreaterThan(200);
    expect(served.warnings).toEqual([]);
    expect((await served.get("/health")).json.ok).toBe(true);
  });

  it("that is not HTTP is refused too", async () => {
    const garbage = fc.oneof(
      fc.uint8Array({ maxLength: 500 }),
      fc.string({ maxLength: 100 }).map((text) => Buffer.from(`GET ${text} HTTP/1.1\r\n\r\n`)),
      fc.string({ maxLength: 100 }).map((text) => Buffer.from(`GET / HTTP/1.1\r\n${text}\r\n\r\n`)),
      fc
        .string({ maxLength: 100 })
        .map((text) =>
          Buffer.from(
            `POST /v1/query HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n${text}`,
          ),
        ),
    );
    for (const bytes of fc.sample(garbage, { seed: 2048, numRuns: 200 })) {
      const reply = await sendGarbage(served.url, bytes);
      expect(reply, Buffer.from(bytes).toString("latin1")).not.toMatch(/^HTTP\/1.1 5/);
    }
    expect((await served.get("/health")).json.ok).toBe(true);
    expect(served.warnings).toEqual([]);
  });

  it.each([
    ["GET / HTTP/9\r\n\r\n", 400],
    ["BREW / HTTP/1.1\r\n\r\n", 400],
    [`GET /?${"x".repeat(20_000)} HTTP/1.1\r\n\r\n`, 431],
  ])("that Node.js cannot read is answered with a status: %.9s", async (text, status) => {
    const reply = await sendGarbage(served.url, Buffer.from(String(text)));
    expect(reply).toContain(`HTTP/1.1 ${status} `);
  });
});
