import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isExact, parseShape } from "@gridlock/game";
import { openSolver, type SolveProgress } from "@gridlock/gridlock";
import { storedStarts } from "@gridlock/solver";
import { Database } from "@gridlock/store";
import { Process, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

const BOARD = "2 0 0/0 4 0/0 0 0";

describe("a solver", () => {
  it("solves in memory, and answers from what it has proven", async () => {
    await using solver = await openSolver({ published: false });
    const { shape, tiles, starts, nodes } = await solver.solve("3x3");
    expect({ shape, tiles }).toEqual({ shape: "3x3", tiles: [2, 4] });
    expect(starts).toHaveLength(28);
    expect(starts[0]).toMatchObject({ board: "2 2 0/0 0 0/0 0 0", value: 184, lo: 184, hi: 184 });
    expect(starts.every(({ line, end }) => line.length > 0 && end !== null)).toBe(true);
    expect(nodes.positions).toBeGreaterThan(1000);

    const answer = await solver.query(BOARD, { seconds: 0 });
    expect(answer).toMatchObject({ board: BOARD, turn: "slider", value: 180, source: "database" });
    expect(answer.best).toContain("up");
    expect(answer.line[0]).toBe(answer.best[0]);
    const best = answer.moves.filter(({ verdict }) => verdict === "best");
    expect(answer.best).toEqual(best.map((move) => "move" in move && move.move));
  });

  it("keeps what it has proven in its database, and what searches take nothing", async () => {
    const database = join(temporaryFolder(), "values.db");
    {
      await using solver = await openSolver({ database });
      await solver.solve("2x3", { tiles: [2], threads: 1, memory: 2 ** 24 });
    }
    expect(existsSync(`${database}-wal`)).toBe(false);
    await using solver = await openSolver({ database });
    const { starts, nodes } = await solver.solve("2x3", { tiles: [2] });
    expect(starts.every(({ value, line }) => value !== null && line.length > 0)).toBe(true);
    expect(nodes).toEqual({ positions: 0, afterstates: 0 });
    await using reader = await openSolver({ database, readOnly: true });
    expect(await reader.query("2 2 0/0 0 0", { tiles: [2], seconds: 0 })).toMatchObject({
      source: "database",
    });
    await expect(reader.solve("2x2")).rejects.toMatchObject({ code: "read-only" });
  });

  it("names the placer's moves", async () => {
    await using solver = await openSolver();
    const { best, turn } = await solver.query("2 0/0 4 placer");
    expect(turn).toBe("placer");
    expect(best.length).toBeGreaterThan(0);
    for (const name of best) expect(name).toMatch(/^[24]@[12],[12]$/);
  });

  it("reports progress", async () => {
    await using solver = await openSolver();
    const called: SolveProgress[] = [];
    const onProgress = (progress: SolveProgress) => called.push(progress);
    const { nodes } = await solver.solve("3x3", { onProgress });
    expect(called[0]).toMatchObject({ phase: "loading", starts: 28, solved: 0 });
    expect(called.at(-1)).toMatchObject({ phase: "lines", solved: 28 });
    expect(called.at(-1)?.positions).toBeLessThanOrEqual(nodes.positions);
  });
});

describe("an abort", () => {
  it("stops a solve, which the next one resumes", async () => {
    const database = join(temporaryFolder(), "values.db");
    const stop = new AbortController();
    await using solver = await openSolver({ database });
    const run = solver.solve("2x6", {
      signal: stop.signal,
      memory: 2 ** 28,
      onProgress({ phase, positions }) {
        if (phase === "searching" && positions > 10_000) stop.abort(new Error("enough"));
      },
    });
    await expect(run).rejects.toThrow("enough");
    expect(existsSync(database.replace(/db$/, "2x6.snapshot"))).toBe(true);
  });

  it("stops a query", async () => {
    const stop = new AbortController();
    const { signal } = stop;
    // The note on the board comes as the search begins, which would take longer than a test may.
    await using solver = await openSolver({
      published: false,
      onWarning: () => stop.abort(new Error("enough")),
    });
    const exponents = "3 1 0 0/0 0 0 0/0 0 0 0/0 0 0 0";
    await expect(solver.query(exponents, { seconds: 1000, signal })).rejects.toThrow("enough");
    await expect(solver.query("2 0/0 2", { signal })).rejects.toThrow("enough");
    expect(await solver.query("2 0/0 2")).toMatchObject({ value: expect.any(Number) });
  });

  it("by a kill between values and lines keeps the snapshot, and the next solve finds the lines", async () => {
    const folder = temporaryFolder();
    const database = join(folder, "values.db");
    const snapshot = join(folder, "values.2x5.snapshot");
    const script = join(folder, "killed.mjs");
    const module = JSON.stringify(import.meta.resolve("@gridlock/gridlock"));
    writeFileSync(
      script,
      `import { openSolver } from ${module};
       const solver = await openSolver({ database: ${JSON.stringify(database)} });
       const onProgress = ({ phase }) => {
         if (phase === "lines") process.kill(process.pid, "SIGKILL");
       };
       await solver.solve("2x5", { threads: 1, memory: 2 ** 26, onProgress });`,
    );
    // Slowed down, so that a snapshot is saved before all values are found.
    await using process = new Process(script, [], { slowed: 50 });
    expect(await process.ended).toMatchObject({ signal: "SIGKILL", stderr: "" });
    expect(existsSync(snapshot)).toBe(true);
    const game = { shape: parseShape("2x5"), tiles: [2, 4] } as const;
    {
      using opened = Database.open(database);
      const known = storedStarts(game, opened);
      expect(known.every(({ bound }) => isExact(bound))).toBe(true);
    }
    await using solver = await openSolver({ database });
    const { starts } = await solver.solve("2x5");
    expect(starts.every(({ line }) => line.length > 0)).toBe(true);
    expect(existsSync(snapshot)).toBe(false);
  });

  it("is what closing does to a solve under way", async () => {
    const solver = await openSolver();
    let run: Promise<unknown> | undefined;
    await new Promise<void>((resolve) => {
      const onProgress = ({ phase }: SolveProgress) => phase === "searching" && resolve();
      run = solver.solve("2x6", { memory: 2 ** 28, onProgress });
      run.catch(() => {}); // expected below
    });
    await solver.close();
    await expect(run).rejects.toMatchObject({ name: "SolverError", code: "closed" });
    await expect(solver.query("2 0/0 2")).rejects.toMatchObject({ code: "closed" });
    await solver.close();
  });
});

it("explains errors with codes", async () => {
  const warnings: string[] = [];
  await using solver = await openSolver({ onWarning: (sentence) => warnings.push(sentence) });
  await expect(solver.query("2 0/0")).rejects.toMatchObject({ code: "ragged-board" });
  await solver.query("2 3/0 0");
  expect(warnings).toEqual([expect.stringMatching(/exponents/)]);
  await expect(solver.solve("3by3")).rejects.toMatchObject({ code: "bad-shape" });
  await expect(solver.solve("1x13")).rejects.toMatchObject({ code: "not-searchable" });
  for (const options of [{ memory: 1000 }, { threads: 0 }]) {
    await expect(solver.solve("3x3", options)).rejects.toMatchObject({ code: "bad-option" });
  }
  await expect(solver.solve("3x3", { tiles: [4] as never })).rejects.toMatchObject({
    code: "bad-tiles",
  });
  const noDatabase = new URL(import.meta.url).pathname;
  await expect(openSolver({ database: noDatabase })).rejects.toMatchObject({
    code: "not-a-database",
  });
});
