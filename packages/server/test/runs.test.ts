import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { starts } from "@gridlock/game";
import type { RunState } from "@gridlock/gridlock/client";
import { Database } from "@gridlock/store";
import { ClusterRun, GRIDLOCK, Process } from "@gridlock/testbed";
import { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import { type Served, serve } from "./setup.js";

/** Milliseconds for each question: a run of 2×4 lasts a minute with hardly any processor time. */
const SLOW_MS = 1000;

/** Starts a solve of 2×4 with a database. */
function solve2x4(db: string): Process {
  return new Process(GRIDLOCK, ["solve", "2x4", "--workers", "1", "--db", db], {
    slowed: SLOW_MS,
  });
}

/** Yields the state of a run twice a second, until it ends. */
async function* follow({ client }: Served, id: string): AsyncGenerator<RunState> {
  for (;;) {
    const { runs } = await client.runs();
    const state = runs.find((run) => run.id === id);
    if (state) yield state;
    if (state?.state !== "running") return;
    await sleep(500);
  }
}

describe("runs", () => {
  it("of a database are followed until they end", async () => {
    const served = await serve();
    expect((await served.get("/v1/runs")).json).toEqual({ runs: [] });
    // It searches to its end, so that its last nodes a second are not 0 by themselves.
    const solve = ["solve", "2x6", "--workers", "1", "--memory", "128M", "--db", served.db];
    await using solving = new Process(GRIDLOCK, solve);
    await expect
      .poll(async () => (await served.get("/v1/runs")).json.runs)
      .toMatchObject([{ id: "1", shape: "2x6", state: "running", starts: 75, solved: 0 }]);
    const states = [];
    for await (const state of follow(served, "1")) {
      states.push(state);
      if (states.length > 2 && state.secondsLeft !== null && !solving.child.killed) {
        solving.child.kill();
      }
    }
    const last = states.at(-1) as RunState;
    expect(last).toMatchObject({ id: "1", state: "stopped", nodesPerSecond: 0, workers: [] });
    expect(last).toMatchObject({ secondsLeft: null, question: null });
    expect(last.nodes).toBeGreaterThan(0);
    for (const state of states.slice(0, -1)) {
      expect(state).toMatchObject({ state: "running", starts: 75, workers: [{ threads: 1 }] });
      expect(state.windows).toHaveLength(75);
      expect(state.nodes).toBeLessThanOrEqual(last.nodes);
    }
    const estimated = states.find(({ secondsLeft }) => secondsLeft !== null);
    expect(estimated?.nodesPerSecond).toBeGreaterThan(0);
    expect(estimated?.question?.board).toBe("2 2 0 0 0 0/0 0 0 0 0 0");
    expect(estimated?.question?.threshold).toBeGreaterThan(400);
    expect((await served.get("/v1/runs")).json.runs).toMatchObject([{ state: "stopped" }]);
  });

  it("of processes are running from the first record on, a resumed one too, until they are killed", async () => {
    const served = await serve();
    const listed = async () => (await served.get("/v1/runs")).json.runs;
    const stateOf = async (id: string): Promise<string | undefined> =>
      (await listed()).find((run: { id: string }) => run.id === id)?.state;
    for (const [id, signal] of [
      ["1", "SIGKILL"],
      ["2", "SIGTERM"],
    ] as const) {
      await using solving = solve2x4(served.db);
      await expect.poll(() => stateOf(id), { interval: 50 }).toBe("running");
      const nodes = [];
      for await (const state of follow(served, id)) {
        if (solving.child.killed) continue;
        expect(state.state).toBe("running");
        if (state.nodes > (nodes.at(-1) ?? 0)) nodes.push(state.nodes);
        if (nodes.length === 3) solving.child.kill(signal);
      }
      await expect.poll(() => stateOf(id)).toBe("stopped");
    }
  });

  it("that record nothing any more count as stopped", async () => {
    const served = await serve();
    using database = Database.open(served.db);
    const game = { shape: { rows: 2, cols: 2 }, tiles: [2, 4] } as const;
    database.addStarts(game, starts(game.shape));
    const start = { game, version: "", machine: "", options: {} };
    database.runs.begin(start);
    await expect
      .poll(async () => (await served.get("/v1/runs")).json.runs)
      .toMatchObject([{ state: "running" }]);
    await expect
      .poll(async () => (await served.get("/v1/runs")).json.runs)
      .toMatchObject([{ state: "stopped" }]);
  });

  it("of a Redis server are left out, with a warning, if another version of Gridlock makes them", async () => {
    await using run = new ClusterRun({ shape: "2x2" });
    const { url } = await run.startRedis({ keep: false });
    const client = new Redis(url);
    await client.set("{gridlock}:run", '{"protocol":3}');
    client.disconnect();
    const { get, warnings } = await serve({ redis: { url, prefix: "gridlock", cluster: false } });
    expect((await get("/v1/runs")).json).toEqual({ runs: [] });
    expect(warnings).toEqual([expect.stringMatching(/cannot be shown: .* of protocol 3, but/)]);
  });

  it("of a coordinator with the server's database are listed once", async () => {
    await using run = new ClusterRun({ shape: "2x4", slow: SLOW_MS });
    const { url } = await run.startRedis({ keep: false });
    const served = await serve({
      db: join(run.folder, "solve.db"), // that of the coordinator
      redis: { url, prefix: "gridlock", cluster: false },
    });
    run.worker("one");
    const solving = run.solve();
    const listed = async () => (await served.get("/v1/runs")).json.runs;
    // The database lists the run a moment before the Redis server does.
    const ofCluster = { id: expect.stringMatching(/^cluster-/), state: "running" };
    await expect.poll(listed).toMatchObject([ofCluster]);
    const [{ id }] = await listed();
    const nodes = [];
    for await (const state of follow(served, id)) {
      if (state.nodes > (nodes.at(-1) ?? 0)) nodes.push(state.nodes);
      if (nodes.length === 3) solving.child.kill();
    }
    expect(id).toMatch(/^cluster-/);
    expect(nodes.length).toBeGreaterThan(2);
    expect(await listed()).toMatchObject([{ id, state: "stopped" }]);
  });

  it("of a Redis server are followed, also while the server is away", async () => {
    await using run = new ClusterRun({ shape: "2x4", slow: SLOW_MS });
    const redis = await run.startRedis({ keep: false });
    const served = await serve({ redis: { url: redis.url, prefix: "gridlock", cluster: false } });
    expect((await served.get("/v1/runs")).json.runs).toEqual([]);
    run.worker("one");
    const solving = run.solve();
    const listed = async () => (await served.get("/v1/runs")).json.runs;
    await expect.poll(listed).toMatchObject([{ state: "running" }]);
    const [{ id }] = await listed();
    expect(id).toMatch(/^cluster-/);
    const states = [];
    for await (const state of follow(served, id)) {
      states.push(state);
      if (state.nodes > 0 && state.nodesPerSecond > 0) solving.child.kill("SIGKILL");
    }
    expect(states.at(-1)).toMatchObject({ id, shape: "2x4", state: "stopped", starts: 34 });
    expect(states.map(({ question }) => question?.board)).toContain("2 2 0 0/0 0 0 0");
    expect(states.at(-1)).toMatchObject({ secondsLeft: null, question: null });
    expect(states.some(({ nodesPerSecond }) => nodesPerSecond > 0)).toBe(true);
    await redis.stop("SIGKILL");
    expect((await served.get("/v1/runs")).status).toBe(200);
    expect((await served.get("/health")).status).toBe(200);
    expect(served.warnings).toEqual([]);
  });
});
