import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { serveMetrics } from "../src/metrics.js";

const ANY = { host: "127.0.0.1", port: 0 };

describe("the metrics server", () => {
  it("reports whether Redis answered within 5 s", async () => {
    let heard = performance.now();
    await using server = await serveMetrics(ANY, () => ({ heard }));
    const health = async () => (await fetch(`http://127.0.0.1:${server.port}/health`)).status;
    expect(await health()).toBe(200);
    heard -= 5000;
    expect(await health()).toBe(503);
  });

  it("frees its port when it is disposed of", async () => {
    const server = await serveMetrics(ANY, () => ({ heard: 0 }));
    await server[Symbol.asyncDispose]();
    await using again = await serveMetrics({ ...ANY, port: server.port }, () => ({ heard: 0 }));
    expect(again.port).toBe(server.port);
  });

  it("reports a port that is taken", async () => {
    const other = createServer().listen(0, ANY.host);
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    await expect(serveMetrics({ ...ANY, port }, () => ({ heard: 0 }))).rejects.toMatchObject({
      code: "metrics",
      message: `cannot serve metrics at 127.0.0.1, port ${port}: another program uses the port; expected a free one, or --metrics 0 for any`,
    });
  });

  it("serves only at its address, and reports one that the machine does not have", async () => {
    await using server = await serveMetrics({ host: "127.0.0.2", port: 0 }, () => ({
      heard: performance.now(),
    }));
    const healthAt = (host: string) => fetch(`http://${host}:${server.port}/health`);
    expect((await healthAt("127.0.0.2")).status).toBe(200);
    await expect(healthAt("127.0.0.1")).rejects.toThrow("fetch failed");
    await expect(
      serveMetrics({ host: "192.0.2.1", port: 0 }, () => ({ heard: 0 })),
    ).rejects.toMatchObject({
      code: "metrics",
      message: expect.stringContaining("this machine does not have the address"),
    });
  });
});
