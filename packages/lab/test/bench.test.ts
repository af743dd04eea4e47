import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Bench, type BenchProgress } from "@gridlock/lab"; // its threads run compiled files
import { expect, it } from "vitest";

it("runs tasks in threads, reports progress and propagates errors", async () => {
  const progress: BenchProgress[] = [];
  await using bench = new Bench({
    workers: 2,
    seed: 0,
    mostNodes: 1,
    shapes: [],
    db: "none.db",
    onProgress: (now) => progress.push(now),
  });
  const game = { shape: { rows: 2, cols: 2 }, tiles: [2, 4] } as const;
  const { score } = await bench.run("findForced", { game, helped: false });
  expect(score).toEqual({ least: 8, most: 12 });
  expect(progress).toEqual([
    { done: 0, total: 1 },
    { done: 1, total: 1 },
  ]);
  const tooLarge = { shape: { rows: 3, cols: 5 }, tiles: [2, 4] } as const;
  await expect(bench.run("findForced", { game: tooLarge, helped: false })).rejects.toThrow(
    "too many boards to enumerate",
  );
});

it("stops its threads and rejects the task if it is disposed of during a task", () => {
  const script = `
    import { Bench } from "@gridlock/lab";
    const bench = new Bench({ workers: 1, seed: 0, mostNodes: 1, shapes: [], db: "none.db" });
    const game = { shape: { rows: 3, cols: 3 }, tiles: [2, 4] };
    const task = bench.run("findForced", { game, helped: true }); // takes minutes
    task.catch((error) => console.log(error.message));
    await bench[Symbol.asyncDispose]();
  `;
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--input-type=module", "--eval", script],
    { cwd: fileURLToPath(new URL("..", import.meta.url)), encoding: "utf8", timeout: 60_000 },
  );
  expect(stdout).toBe("a thread of the experiments was closed\n");
  expect(status).toBe(0);
});
