import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { GRIDLOCK, gridlock, Process, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

/** Writes loaded files and Node's own modules to the file LOADED when the process ends. */
const RECORDER = `
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector";
const before = new Set(process.moduleLoadList);
const session = new Session();
const files = [];
session.connect();
session.on("Debugger.scriptParsed", ({ params }) => files.push(params.url));
session.post("Debugger.enable");
process.on("exit", () => {
  const ofNode = process.moduleLoadList.filter((name) => !before.has(name));
  writeFileSync(process.env.LOADED, JSON.stringify({ files, ofNode }));
});
`;

interface Loaded {
  /** Files of programs. */
  readonly files: readonly string[];
  /** Packages from which modules were loaded, the repository's own as `@gridlock/…`. */
  readonly packages: ReadonlySet<string>;
  /** Modules of Node: `zlib`. */
  readonly ofNode: ReadonlySet<string>;
}

/** Returns what a command has loaded. */
async function loadedBy(args: readonly string[], folder = temporaryFolder()): Promise<Loaded> {
  const file = join(folder, "loaded");
  await using command = new Process(GRIDLOCK, args, {
    cwd: folder,
    env: { ...process.env, LOADED: file },
    node: ["--import", `data:text/javascript,${encodeURIComponent(RECORDER)}`],
  });
  const { code, stderr } = await command.ended;
  expect(code, stderr).toBe(0);
  const loaded = JSON.parse(readFileSync(file, "utf8"));
  const urls = (loaded.files as string[]).filter((url) => url.startsWith("file:"));
  const files = urls.map((url) => fileURLToPath(url));
  return {
    files,
    packages: new Set(files.flatMap(sourcesOf).flatMap(packageOf)),
    ofNode: new Set((loaded.ofNode as string[]).map((name) => name.replace(/^NativeModule /, ""))),
  };
}

/** Returns the sources of a file that has a source map, or the file itself. */
function sourcesOf(file: string): string[] {
  if (!existsSync(`${file}.map`)) return [file];
  const { sources } = JSON.parse(readFileSync(`${file}.map`, "utf8"));
  return (sources as string[]).map((source) => resolve(dirname(file), source));
}

function packageOf(path: string): string[] {
  const [, other] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  if (other !== undefined) return [other];
  const [, own] = /\/packages\/([^/]+)\//.exec(path) ?? [];
  return own === undefined ? [] : [`@gridlock/${own}`];
}

describe("a command loads only what it needs", () => {
  const HEAVY = ["echarts", "zrender", "bullmq", "ioredis"];

  it("--version: no other package than those for command lines", async () => {
    const { files, packages, ofNode } = await loadedBy(["--version"]);
    expect([...packages].sort()).toEqual([
      ...["@gridlock/cli", "@gridlock/game", "@gridlock/lab", "@gridlock/store"],
      ...["@gridlock/threads", "commander"],
    ]);
    expect(files.length).toBeLessThanOrEqual(16);
    for (const slow of ["child_process", "crypto", "zlib"]) expect(ofNode).not.toContain(slow);
  });

  it("query of a solved board: neither schemas nor threads, in few files", async () => {
    const folder = temporaryFolder();
    await gridlock(folder, ["solve", "2x3", "--quiet"]);
    const { files, packages, ofNode } = await loadedBy(["query", "2 0 0/0 4 0"], folder);
    const unneeded = ["zod", "hono", "pino", "@gridlock/server", "@gridlock/players"];
    expect([...HEAVY, ...unneeded].filter((name) => packages.has(name))).toEqual([]);
    expect(files.length).toBeLessThanOrEqual(70);
    expect(files.filter((file) => /\/packages\/\w+\/dist\/[^/]*$/.test(file))).toEqual([]);
    for (const slow of ["child_process", "worker_threads", "crypto", "zlib"]) {
      expect(ofNode).not.toContain(slow);
    }
  });

  it("solve: neither charts nor the queue", async () => {
    const { packages } = await loadedBy(["solve", "2x2"]);
    expect(packages).toContain("@gridlock/solver");
    expect(HEAVY.filter((name) => packages.has(name))).toEqual([]);
  });

  it("paper table2: charts, but not the queue", async () => {
    const { packages } = await loadedBy(["paper", "table2"]);
    expect(HEAVY.filter((name) => packages.has(name))).toEqual(["echarts", "zrender"]);
  });
});
