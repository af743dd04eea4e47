import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { StatusReader } from "@gridlock/cluster";
import {
  GRIDLOCK,
  gridlock,
  snippetsOf,
  startRedis,
  temporaryFolder,
  until,
} from "@gridlock/testbed";
import { describe, expect, it, onTestFinished } from "vitest";

const PAGE = fileURLToPath(new URL("../../../docs/deployment.md", import.meta.url));
const PROGRAM = "/opt/gridlock/node_modules/.bin/gridlock";

/** Writes the file in this language of docs/deployment.md into a folder, with another program. */
function written(folder: string, name: string, language: string, program: string): string {
  const found = snippetsOf(PAGE).filter((snippet) => snippet.language === language);
  expect(found).toHaveLength(1);
  const text = found.flatMap(({ lines }) => lines).join("\n");
  expect(text).toContain(PROGRAM);
  const file = join(folder, name);
  writeFileSync(file, `${text.replace(PROGRAM, () => program)}\n`);
  return file;
}

describe("docs/deployment.md", () => {
  it("has a unit that systemd accepts", () => {
    const unit = written(temporaryFolder(), "gridlock-worker.service", "ini", GRIDLOCK);
    const { error, stderr } = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
    if (error === undefined) expect(stderr).not.toContain("gridlock-worker");
  });

  it("has a Slurm script that ends as its worker does, however soon that is", () => {
    const folder = temporaryFolder();
    const run = (program: string) => {
      const script = written(folder, "worker.sbatch", "bash", program);
      return spawnSync("bash", [script], {
        env: { ...process.env, TMPDIR: folder },
        encoding: "utf8",
      });
    };
    expect(run("sh -c 'exit 3'")).toMatchObject({ status: 3, stderr: "" });
    // As if Slurm stopped the job while the worker is about to end by itself. It must not end
    // within the same millisecond: bash 5.2 then loses its exit code.
    expect(run("sh -c 'trap \"\" TERM; kill -TERM $PPID; sleep 1; exit 4'")).toMatchObject({
      status: 4,
      stderr: "",
    });
  });

  it("has a Slurm script that runs a worker until the job is told to stop", async () => {
    const folder = temporaryFolder();
    await using redis = await startRedis({ password: "s3cret" });
    writeFileSync(join(folder, "redis-password"), "s3cret\n");
    const server = `redis://127.0.0.1:${redis.port}`;
    const program = `sh -c 'exec "$0" "$@" --redis ${server} --memory 64M' ${GRIDLOCK}`;
    const script = written(folder, "worker.sbatch", "bash", program);
    const own = join(folder, "tmp");
    mkdirSync(own);
    const job = spawn("bash", [script], {
      env: {
        ...process.env,
        HOME: folder,
        TMPDIR: own,
        SLURM_JOB_ID: "7",
        SLURM_CPUS_PER_TASK: "1",
      },
      stdio: "ignore",
    });
    onTestFinished(() => void job.kill("SIGTERM"));
    const ended = once(job, "exit");
    const reader = new StatusReader({
      url: `redis://127.0.0.1:${redis.port}`,
      password: "s3cret",
      prefix: "gridlock",
      cluster: false,
    });
    onTestFinished(() => reader[Symbol.dispose]());
    await until("the worker is there", async () => {
      const [worker] = (await reader.read()).workers;
      return worker?.threads === 1;
    });
    expect(readdirSync(own)).toEqual(["gridlock-7"]);
    job.kill("SIGTERM"); // as Slurm does before the time is up
    expect(await ended).toEqual([0, null]);
    expect(existsSync(join(own, "gridlock-7"))).toBe(false);
  });
});

describe("gridlock worker", () => {
  it.each([
    [["worker"], /a worker needs a Redis server; give --redis URL/],
    [
      ["worker", "--redis", "redis://x", "--redis-password-file", "none"],
      /none cannot be used: there is no such/,
    ],
    [["worker", "--redis", "redis://x", "--redis-password-file", "/dev/null"], /null is empty/],
  ])("refuses %j", async (args, message) => {
    const { code, stdout, stderr } = await gridlock(temporaryFolder(), args);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toMatch(message);
  });
});
