import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { serveMetrics } from "../src/metrics.js";

describe("the metrics server", () => {
  it("says whether Redis was heard of within 5 s", async () => {
    let heard = performance.now();
    await using server = await serveMetrics(0, () => ({ heard }));
    const health = async () => (await fetch(`http://127.0.0.1:${server.port}/health`)).status;
    expect(await health()).toBe(200);
    heard -= 5000;
    expect(await health()).toBe(503);
  });

  it("frees its port when it is disposed of", async () => {
    const server = await serveMetrics(0, () => ({ heard: 0 }));
    await server[Symbol.asyncDispose]();
    await using again = await serveMetrics(server.port, () => ({ heard: 0 }));
    expect(again.port).toBe(server.port);
  });

  it("reports a port that is taken", async () => {
    const other = createServer().listen(0);
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    await expect(serveMetrics(port, () => ({ heard: 0 }))).rejects.toMatchObject({
      code: "metrics",
      message: `cannot serve metrics at port ${port}: another program uses it; expected a free port, or --metrics 0 for any`,
    });
  });
});
