import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ClusterRun, until } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

/** Starts a solve with a server that nobody needs to reach, and waits for its end. */
async function solve(shape: string, ...args: string[]) {
  const run = new ClusterRun({ shape });
  onTestFinished(() => run[Symbol.asyncDispose]());
  return await run.start(["solve", shape, "--redis", "redis://127.0.0.1:1", ...args]).ended;
}

describe("a solve", () => {
  it.each([
    [["--method", "layers"], "needs a folder that all machines reach; add --data DIR"],
    [["--data", "shared"], "--data needs --method layers and --redis"],
  ])("with --redis and %j is rejected", async (args, words) => {
    const { code, stderr } = await solve("2x2", ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });

  // Nothing can be written to /proc.
  it.skipIf(process.platform !== "linux")(
    "whose folder is on a disk that is too small is rejected",
    async () => {
      const { code, stderr } = await solve("2x5", "--method", "layers", "--data", "/proc/none");
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /2x5.* layer by layer would take about .* but only 0 B is free in .proc;/,
      );
    },
  );
});

describe("a worker of a run", () => {
  const run = new ClusterRun({ shape: "2x4" });
  beforeAll(async () => {
    await run.startRedis({ keep: false });
    const cluster = ["--redis", run.redis.url, "--data", "shared", "--db", "shared.db"];
    run.start(["solve", "2x4", "--method", "layers", ...cluster]);
    await until("there is a run", async () => (await run.status()).run);
  });
  afterAll(() => run[Symbol.asyncDispose]());

  it("without the folder, or with another one, is rejected", async () => {
    const blind = run.worker("blind", { more: ["--data", "nowhere"] });
    expect((await blind.ended).code).toBe(1);
    expect(blind.stderr).toMatch(
      /error: this worker does not see the folder of the run: cannot open .*nowhere.*\(no such file or directory\); expected the folder that .* knows as .*shared; name its path here with --data/,
    );
    const other = join(run.folder, "other/shared.2x4.layers");
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, "run"), "another run");
    const wrong = run.worker("wrong", { more: ["--data", "other"] });
    expect((await wrong.ended).code).toBe(1);
    expect(wrong.stderr).toMatch(
      /error: .*shared\.2x4\.layers is not the folder of the run; expected/,
    );
  });

  it("with too little memory is rejected", async () => {
    const small = run.start([
      ...["worker", "--redis", run.redis.url, "--threads", "2", "--memory", "64M"],
    ]);
    expect((await small.ended).code).toBe(2);
    expect(small.stderr).toMatch(/--memory of .* bytes is too little; expected at least/);
  });
});
