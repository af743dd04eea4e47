import { spawnSync } from "node:child_process";
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { OUTPUT_SCHEMAS } from "@gridlock/cli";
import { Process, startRedis, temporaryFolder, until } from "@gridlock/testbed";
import { readCertificate } from "@gridlock/verify";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/*
 * Packs all packages, installs them in a folder outside the repository, as someone who uses them as
 * a library would, and runs the examples there. The other dependencies come from npm's cache or,
 * where that lacks them, from the registry.
 */

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Bytes that the files of an installation may have; on a disk, in blocks, they take a fifth more, less than 90 MiB. */
const MOST_BYTES = 80e6;

const packages = readdirSync(join(ROOT, "packages"))
  .map((name) => JSON.parse(readFileSync(join(ROOT, "packages", name, "package.json"), "utf8")))
  .filter((description) => description.private !== true);

let tarballs: string;
let folder: string;
/** The outcome of a command before the SQLite driver was there. */
let withoutDriver: ReturnType<typeof run>;

function run(command: string, args: readonly string[], { cwd = folder, input = "" } = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, input, encoding: "utf8" });
  return { code: status, stdout, stderr };
}

/** Runs a command that must succeed and returns the lines that it prints. */
function linesOf(command: string, args: readonly string[], cwd = folder): string[] {
  const { code, stdout, stderr } = run(command, args, { cwd });
  if (code !== 0) throw new Error(`${command} ${args.join(" ")}: exit ${code}\n${stdout}${stderr}`);
  return stdout.trimEnd().split("\n");
}

function example(name: string, ...args: string[]): string[] {
  return linesOf(process.execPath, [`${name}.js`, ...args]);
}

/** Runs the installed command. */
function gridlock(args: readonly string[], input = "") {
  return run(join(folder, "node_modules/.bin/gridlock"), args, { input });
}

function bytesUnder(path: string): number {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesUnder(join(path, name)), 0);
}

beforeAll(() => {
  const outside = temporaryFolder(afterAll);
  tarballs = join(outside, "tarballs");
  folder = join(outside, "examples");
  mkdirSync(tarballs);
  linesOf(process.execPath, [join(ROOT, "scripts/pack.js"), tarballs], ROOT);
  cpSync(join(ROOT, "examples"), folder, { recursive: true });
  const files = readdirSync(tarballs).map((file) => join(tarballs, file));
  linesOf("npm", [
    ...["install", "--prefix", folder, "--prefer-offline", "--no-audit", "--no-fund"],
    // Compiling the SQLite driver takes a minute; the one that this repository was installed with
    // is the same.
    "--ignore-scripts",
    ...files,
  ]);
  withoutDriver = gridlock(["solve", "2x2"]);
  const driver = "node_modules/better-sqlite3/build";
  cpSync(join(ROOT, driver), join(folder, driver), { recursive: true });
}, 300_000);

describe.each(packages.map((description) => [description.name, description] as const))(
  "%s",
  (name, description) => {
    it("has a description and requirements", () => {
      expect(description).toMatchObject({
        description: expect.stringMatching(/^.{20,120}$/),
        keywords: expect.arrayContaining(["2048", "gridlock"]),
        license: "MIT",
        engines: { node: ">=20.19" },
        sideEffects: expect.anything(),
        types: "./dist/index.d.ts",
      });
    });

    it("passes publint, and is packed with license and README", async () => {
      const file = readdirSync(tarballs).find((one) =>
        one.startsWith(`${name.slice(1).replace("/", "-")}-0`),
      );
      const bytes = readFileSync(join(tarballs, file as string));
      const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
      const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
      expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
      const packed = (file: string) =>
        readFileSync(join(folder, "node_modules", name, file), "utf8");
      expect(packed("LICENSE")).toMatch(/^MIT/);
      expect(packed("README.md")).toMatch(new RegExp(`^# ${name}\n\n\\w`));
    });
  },
);

describe("the installed packages", () => {
  it("take little room", () => {
    expect(bytesUnder(join(folder, "node_modules"))).toBeLessThan(MOST_BYTES);
  });

  it("have types that fit the examples", () => {
    linesOf(join(ROOT, "node_modules/.bin/tsc"), ["-p", folder]);
  });

  it("explain what to do where npm has not built the SQLite driver", () => {
    expect(withoutDriver.stderr).toMatch(
      /^error: the SQLite driver, .* npm rebuild better-sqlite3$/m,
    );
    expect(withoutDriver.code).toBe(1);
  });

  it("draw no charts without ECharts, and explain how to install it", () => {
    const { code, stderr } = gridlock(["paper", "table1"]);
    expect(stderr).toContain("npm install echarts@6");
    expect(code).toBe(2);
  });
});

describe("the installed command", () => {
  const script = () => join(folder, "node_modules/@gridlock/cli/bin/gridlock.js");

  it("serves the explorer, also beside a Redis server", async () => {
    await using redis = await startRedis();
    const args = ["serve", "--port", "0", "--db", "served.db", "--redis", redis.url];
    gridlock(["solve", "2x2", "--db", "served.db", "--quiet"]);
    await using served = new Process(script(), args, { cwd: folder });
    await until("it serves", () => served.stdout.includes("http://"));
    const [url] = /http:\S+/.exec(served.stdout) ?? [];
    expect(await (await fetch(`${url}/v1/2x2?board=2_0/0_4`)).json()).toMatchObject({ value: 8 });
    expect(await (await fetch(`${url}/site/app.js`)).text()).toMatch(/^var /);
    expect(served.stderr).toBe("");
    expect(await (await fetch(`${url}/v1/runs`)).json()).toMatchObject({ runs: [{ id: "1" }] });
    expect(await served.kill("SIGINT")).toMatchObject({ code: 0 });
  });
});

describe("the examples", () => {
  it("solve a shape", () => {
    const lines = example("solve", "2x3");
    expect(lines).toHaveLength(20);
    expect(lines[0]).toBe("2 2 0/0 0 0: 44");
  });

  it("query a board", () => {
    const lines = example("query", "2 0 0/0 4 0/0 0 0");
    expect(lines.slice(0, 2)).toEqual(["value: 180", "up: 0 now, 180 later"]);
    expect(lines.at(-1)).toMatch(/^best play: up /);
  });

  it("read a tabulation", () => {
    expect(example("tabulation", "2 0 0/0 4 0")).toEqual([
      "21752 positions",
      "against the placer: 44",
      "against chance: 477.35",
    ]);
  });

  it("verify a certificate", () => {
    gridlock(["solve", "2x3", "--quiet"]);
    gridlock(["prove", "2x3"]);
    gridlock(["export", "2x3", "--format", "certificate", "--output", "2x3.certificate"]);
    const lines = example("verify", "2x3.certificate");
    expect(lines[0]).toBe("2 2 0/0 0 0: 44");
    expect(lines.at(-1)).toMatch(/^all \d+ claims follow$/);
  });

  describe("in Python", () => {
    const python = (...args: string[]) => linesOf("python3", ["python/gridlock.py", ...args]);

    it("read a tabulation as gridlock query does", () => {
      const boards = ["2 0 0/0 4 0", "4 0/0 2/0 0", "8 2 4/2 16 0", "2 4 2/8 4 0", "2 2 2/2 2 2"];
      const input = boards.join("\n");
      const queried = gridlock(["query", "--values", "--json", "--db", "examples.db"], input)
        .stdout.trimEnd()
        .split("\n")
        .map((line) => {
          const { board, value, reachable, expected } = JSON.parse(line);
          return reachable
            ? `${board}: ${value} against the placer, ${expected} expected`
            : `${board}: None against the placer, None expected`;
        });
      expect(python("tabulation", "examples.2x3", ...boards)).toEqual(queried);
      expect(queried.join()).toMatch(/\d\.\d+ expected.*None expected/);
    });

    it("read a certificate", () => {
      const found = JSON.parse(python("certificate", "2x3.certificate").join("\n"));
      const { certificate } = OUTPUT_SCHEMAS;
      expect(certificate?.schema.parse(found)).toEqual(found);
      const { claims } = readCertificate(join(folder, "2x3.certificate"));
      expect(found.claims).toHaveLength(claims.size);
      expect(found.claims[0]).toEqual({ board: "2 2 0/0 0 0", lower: 44, upper: 44 });
    });

    it("refuse damaged files", () => {
      const bytes = readFileSync(join(folder, "examples.2x3.minimax"));
      bytes[3000] = (bytes[3000] as number) ^ 1;
      cpSync(join(folder, "examples.2x3.positions"), join(folder, "damaged.2x3.positions"));
      writeFileSync(join(folder, "damaged.2x3.minimax"), bytes);
      const { stderr } = run("python3", [
        "python/gridlock.py",
        "tabulation",
        "damaged.2x3",
        "2 0 0/0 4 0",
      ]);
      expect(stderr).toMatch(/^error: .* of damaged.2x3.minimax is damaged$/m);
    });

    it("say what is wrong with what they are given", () => {
      const { stderr, code } = run("python3", ["python/gridlock.py", "certificate", "none"]);
      expect(stderr).toMatch(/^error: .*No such file.*'none'$/m);
      expect(code).toBe(1);
      const board = run("python3", ["python/gridlock.py", "tabulation", "examples.2x3", "foo"]);
      expect(board.stderr).toBe('error: "foo" is not a board; expected rows such as 2 0 8/0 4 0\n');
    });

    it("read results", () => {
      const lines = python("results", join(ROOT, "results/2x3.json"));
      expect(lines[0]).toBe("2 2 0/0 0 0: 44");
      expect(lines).toHaveLength(20);
    });
  });

  it("have questions answered by another process", async () => {
    await using answerer = new Process(join(folder, "answer.js"), ["2x3", "0"], { cwd: folder });
    await until("it answers", () => answerer.stdout.includes("answering"));
    const [port] = /\d+/.exec(answerer.stdout) ?? [];
    const lines = example("remote", "2x3", `http://127.0.0.1:${port}`);
    expect(lines).toHaveLength(20);
    expect(lines[0]).toBe("2 2 0/0 0 0: 44");
    expect(await answerer.kill("SIGTERM")).toMatchObject({ code: 0 });
  });
});
