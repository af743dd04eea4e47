import { join } from "node:path";
import { ApiClient } from "@gridlock/gridlock/client";
import { GRIDLOCK, gridlock, Process, temporaryFolder, until } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

/** Starts the server in a folder; returns its address once it has printed it. */
async function start(folder: string, ...args: string[]) {
  const server = new Process(GRIDLOCK, ["serve", "--port", "0", ...args], { cwd: folder });
  const url = await until("the server listens", () => {
    if (!server.isRunning) throw new Error(server.stderr);
    return /^serving .* at (http:\S+)$/m.exec(server.stdout)?.[1];
  });
  return { server, url };
}

describe("gridlock serve", () => {
  it("answers, and ends at Ctrl-C with a search under way", async () => {
    const folder = temporaryFolder();
    await gridlock(folder, ["solve", "3x3", "--quiet"]);
    const { server, url } = await start(folder);
    await using _first = server;
    expect(server.stderr).toBe("");
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const client = new ApiClient(url);
    expect((await client.answer("3x3", "2 2 0/0 0 0/0 0 0")).value).toBe(184);
    const { shapes } = await client.shapes();
    const solved = { shape: "3x3", solved: 28, lowest: 164, highest: 184, published: null };
    expect(shapes[0]).toMatchObject(solved);
    expect(shapes.at(-1)).toMatchObject({ shape: "4x4", published: "results/4x4.json" });
    expect(await (await fetch(url)).text()).toMatch(/2048 against an opponent/);
    expect(await (await fetch(`${url}/docs/search/`)).text()).toMatch(/The search/);

    const search = client.answer("3x4", "2 2 0 0/0 0 0 0/0 0 0 0").catch(() => {});
    await until("a search is under way", async () => (await client.health()).searches === 1);
    expect((await client.runs()).runs).toMatchObject([{ id: "1", state: "done" }]);
    const ended = await server.kill("SIGINT");
    await search;
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/stopping; Ctrl-C again stops at once\n$/);

    const again = await start(folder, "--no-published");
    await using _second = again.server;
    const { shapes: own } = await new ApiClient(again.url).shapes();
    expect(own.map(({ published }) => published)).toEqual(own.map(() => null));
    expect((await again.server.kill("SIGTERM")).code).toBe(0);
  });

  it("searches and shows the published values where nothing is solved", async () => {
    const { server, url } = await start(temporaryFolder());
    await using _server = server;
    const client = new ApiClient(url);
    const { value, source } = await client.answer("3x3", "2 0 0/0 4 0/0 0 0");
    expect([value, source]).toEqual([180, "search"]);
    const { shapes } = await client.shapes();
    expect(shapes.find(({ shape }) => shape === "3x3")).toMatchObject({ solved: 28 });
  });

  it("serves beside a solve of 3×3 by another process, and shows its run", async () => {
    const folder = temporaryFolder();
    await using solving = new Process(GRIDLOCK, ["solve", "3x3", "--workers", "1"], {
      cwd: folder,
      slowed: 60_000,
    });
    await until("it has begun", () => solving.stderr.includes("3x3: 28 starts, 1 thread"));
    const { server, url } = await start(folder);
    await using _server = server;
    const { runs } = await new ApiClient(url).runs();
    expect(runs).toMatchObject([{ shape: "3x3", state: "running" }]);
    expect((await server.kill("SIGTERM")).code).toBe(0);
    expect(solving.isRunning).toBe(true);
  });

  it("explains invalid options", async () => {
    const folder = temporaryFolder();
    const { server, url } = await start(folder);
    await using _server = server;
    const { port } = new URL(url);
    const taken = await gridlock(folder, ["serve", "--port", port]);
    expect([taken.code, taken.stdout]).toEqual([1, ""]);
    expect(taken.stderr).toBe(
      `error: cannot listen at 127.0.0.1, port ${port}: another program uses it; expected a free port, or 0 for any\n`,
    );
    const wrong = await gridlock(folder, ["serve", "--port", "70000"]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/from 0 to 65535/)]);
    const little = await gridlock(folder, ["serve", "--memory", "40000000", "--workers", "2"]);
    expect([little.code, little.stderr]).toEqual([
      2,
      expect.stringMatching(
        /^error: --memory of 40,000,000 bytes is too little; expected at least .* \(40M\)/,
      ),
    ]);
    const nowhere = await gridlock(folder, ["serve", "--db", join(folder, "results")]);
    expect([nowhere.code, nowhere.stdout]).toEqual([2, ""]);
    const { stdout } = await gridlock(folder, ["serve", "--help"]);
    expect(stdout).toMatch(/\$ gridlock serve --port 8080/);
  });
});
