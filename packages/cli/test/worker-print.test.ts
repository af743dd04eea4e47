import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StatusReader } from "@gridlock/cluster";
import { GRIDLOCK, gridlock, Process, startRedis, temporaryFolder, until } from "@gridlock/testbed";
import { describe, expect, it, onTestFinished } from "vitest";

const SERVER = ["worker", "--redis", "redis://u:s3cret@10.0.0.1:6379/0"];

async function printed(folder: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await gridlock(folder, [...args]);
  expect(stderr).toBe("");
  expect(code).toBe(0);
  expect(stdout).not.toContain("s3cret");
  return stdout;
}

describe("gridlock worker --print", () => {
  it("prints a systemd unit with the options filled in, except the password", async () => {
    const folder = temporaryFolder();
    const options = [
      "--memory",
      "1.5G",
      "--prefix",
      "50%",
      "--db",
      "my data/w.db",
      "--metrics",
      "9464",
    ];
    const unit = await printed(folder, ...SERVER, ...options, "--print", "systemd");
    expect(unit).toContain(
      [
        `ExecStart=${process.execPath} ${GRIDLOCK} worker --redis redis://u@10.0.0.1:6379/0`,
        `--prefix 50%% --metrics 9464 --memory 1536M`,
        `--db "${join(folder, "my data/w.db")}" --redis-password-file \${CREDENTIALS_DIRECTORY}/redis-password\n`,
      ].join(" "),
    );
    expect(unit).toContain("\nLoadCredential=redis-password:/etc/gridlock/redis-password\n");
    expect(unit).toContain("\nUser=gridlock\n");
    const file = join(folder, "gridlock-worker.service");
    writeFileSync(file, unit);
    const { error, stderr } = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
    if (error === undefined) expect(stderr).not.toContain("gridlock-worker");
  });

  it("prints no credential without a password, and takes options from the environment", async () => {
    const unitWith = async (more: Record<string, string>) => {
      const settings = { GRIDLOCK_REDIS: "redis://10.0.0.1", GRIDLOCK_THREADS: "3", ...more };
      await using worker = new Process(GRIDLOCK, ["worker", "--print", "systemd"], {
        cwd: temporaryFolder(),
        env: { ...process.env, ...settings },
      });
      return (await worker.ended).stdout;
    };
    const unit = await unitWith({});
    expect(unit).toContain(" worker --redis redis://10.0.0.1 --threads 3 --db %S/");
    expect(unit).not.toContain("redential");
    const secret = await unitWith({ GRIDLOCK_REDIS_PASSWORD: "s3cret" });
    expect(secret).toContain("\nLoadCredential=redis-password:/etc/gridlock/redis-password\n");
    expect(secret).not.toContain("s3cret");
  });

  it("prints an account that can write to the folder of --db, where a dynamic one could not", async () => {
    const folder = temporaryFolder();
    const unit = await printed(folder, ...SERVER, "--db", "worker.db", "--print", "systemd");
    expect(unit).toContain(`--db ${join(folder, "worker.db")} `);
    expect(unit).toContain(`# An account that may write to ${folder}.\nUser=gridlock\n`);
    expect(unit).not.toContain("DynamicUser");
    expect(await printed(folder, ...SERVER, "--print", "systemd")).toContain("DynamicUser=yes\n");
  });

  it("prints a Slurm script that ends as its worker does, however soon that is", async () => {
    const folder = temporaryFolder();
    const script = await printed(folder, ...SERVER, "--print", "slurm");
    const run = (worker: string) => {
      const file = join(folder, "worker.sbatch");
      writeFileSync(
        file,
        script.replace(process.execPath, () => worker),
      );
      const env = { ...process.env, TMPDIR: folder };
      return spawnSync("bash", [file], { env, encoding: "utf8" });
    };
    expect(run("sh -c 'exit 3'")).toMatchObject({ status: 3, stderr: "" });
    // As if Slurm stopped the job while the worker is about to end by itself. It must not end within the same
    // millisecond: bash 5.2 then loses its exit code.
    expect(run("sh -c 'trap \"\" TERM; kill -TERM $PPID; sleep 1; exit 4'")).toMatchObject({
      status: 4,
      stderr: "",
    });
  });

  it("prints a Slurm script that runs a worker until the job is told to stop", async () => {
    const folder = temporaryFolder();
    await using redis = await startRedis({ password: "s3cret" });
    writeFileSync(join(folder, "it's secret"), "s3cret\n");
    const server = ["worker", "--redis", `redis://127.0.0.1:${redis.port}`, "--prefix", "slurm"];
    const secret = ["--redis-password-file", "it's secret"];
    const script = await printed(
      folder,
      ...server,
      ...secret,
      "--threads",
      "2",
      "--print",
      "slurm",
    );
    for (const line of ["--cpus-per-task=2", "--mem=9216M", "--signal=B:TERM@300"]) {
      expect(script).toContain(`\n#SBATCH ${line}\n`);
    }
    expect(script).toMatch(/ worker .* --once /);
    const file = join(folder, "worker.sbatch");
    writeFileSync(file, script);
    execFileSync("bash", ["-n", file]);

    const own = join(folder, "tmp");
    mkdirSync(own);
    const job = spawn("bash", [file], {
      env: { ...process.env, TMPDIR: own, SLURM_JOB_ID: "7", SLURM_CPUS_PER_TASK: "1" },
      stdio: "ignore",
    });
    onTestFinished(() => void job.kill("SIGTERM"));
    const ended = once(job, "exit");
    const reader = new StatusReader({
      ...{ url: `redis://127.0.0.1:${redis.port}`, password: "s3cret" },
      ...{ prefix: "slurm", cluster: false },
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

  it.each([
    [["worker", "--print", "systemd"], /a worker needs a Redis server; give --redis URL/],
    [[...SERVER, "--print", "cron"], /^error: --print: expected systemd, slurm, not "cron"$/m],
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
