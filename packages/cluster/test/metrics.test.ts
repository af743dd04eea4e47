import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { RunMessage, WorkerMessage } from "@gridlock/schemas/cluster";
import { describe, expect, it, onTestFinished } from "vitest";
import { PROTOCOL } from "../src/messages.js";
import { type Observed, serveMetrics } from "../src/metrics.js";

const ANY = { host: "127.0.0.1", port: 0 };

describe("the metrics server", () => {
  it("reports whether Redis answered within 5 s, and again once it does", async () => {
    const [recent, late] = [performance.now() + 60_000, performance.now() - 5000];
    let heard = recent;
    await using server = await serveMetrics(ANY, () => ({ heard }));
    const health = async () => (await fetch(`http://127.0.0.1:${server.port}/health`)).status;
    expect(await health()).toBe(200);
    heard = late;
    expect(await health()).toBe(503);
    heard = recent;
    expect(await health()).toBe(200);
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

  async function metricsOf(observed: Omit<Observed, "heard">): Promise<string> {
    await using server = await serveMetrics(ANY, () => ({ ...observed, heard: 0 }));
    return await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  }

  const COUNTS = { counts: { positions: 3, afterstates: 4 } };

  it("serves a worker's nodes, and the bounds that it has shared", async () => {
    const worker: WorkerMessage = {
      protocol: PROTOCOL,
      worker: "w",
      host: "h",
      pid: 1,
      version: "0",
      threads: 2,
      memory: 0,
      state: "working",
      question: "q",
      run: "r",
      nodesPerSecond: 5,
      boundsPerSecond: 0,
      ...COUNTS,
      subtree: null,
      answer: null,
      shared: { sent: 6, received: 7, bytesSent: 60, bytesReceived: 70, refused: 1, table: 8 },
    };
    const text = await metricsOf({ worker });
    for (const line of [
      'gridlock_nodes{kind="positions"} 3',
      'gridlock_nodes{kind="afterstates"} 4',
      "gridlock_nodes_per_second 5",
      "gridlock_threads 2",
      "gridlock_busy 1",
      'gridlock_bounds{direction="sent"} 6',
      'gridlock_bounds{direction="received"} 7',
      'gridlock_bounds_bytes{direction="sent"} 60',
      'gridlock_bounds_bytes{direction="received"} 70',
      "gridlock_batches_refused 1",
    ]) {
      expect(text.split("\n")).toContain(line);
    }
    expect(await metricsOf({ worker: { ...worker, state: "idle" } })).toMatch(/^gridlock_busy 0$/m);
  });

  it("serves a coordinator's questions, starts and workers", async () => {
    const run: RunMessage = {
      protocol: PROTOCOL,
      run: "r",
      host: "h",
      pid: 1,
      shape: "2x2",
      tiles: "2,4",
      began: "2026-11-21T20:53:28.000Z",
      question: null,
      workers: ["a", "b"],
      subtrees: { done: 5, queued: 6, largest: [] },
      guess: null,
      questions: 9,
      ...COUNTS,
      starts: [
        { board: "2 2/0 0", bound: { lo: 12, hi: 12 } },
        { board: "4 2/0 0", bound: { lo: 0, hi: null } },
      ],
    };
    const text = await metricsOf({ run });
    for (const line of [
      'gridlock_nodes{kind="positions"} 3',
      "gridlock_starts 2",
      "gridlock_starts_solved 1",
      "gridlock_questions 9",
      "gridlock_subtrees 5",
      "gridlock_subtrees_queued 6",
      "gridlock_workers 2",
    ]) {
      expect(text.split("\n")).toContain(line);
    }
  });
});
