import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GRIDLOCK, Process, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

/** Writes the address of every script that Node has loaded to the file LOADED when it exits. */
const RECORDER = `
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector";
const session = new Session();
const loaded = [];
session.connect();
session.on("Debugger.scriptParsed", ({ params }) => loaded.push(params.url));
session.post("Debugger.enable");
process.on("exit", () => writeFileSync(process.env.LOADED, loaded.join("\\n")));
`;

/** The packages under node_modules that a command has loaded. */
async function packagesLoadedBy(args: readonly string[]): Promise<Set<string>> {
  const folder = temporaryFolder();
  const file = join(folder, "loaded");
  await using command = new Process(GRIDLOCK, args, {
    cwd: folder,
    env: { ...process.env, LOADED: file },
    node: ["--import", `data:text/javascript,${encodeURIComponent(RECORDER)}`],
  });
  const { code, stderr } = await command.ended;
  expect(code, stderr).toBe(0);
  expect(existsSync(file)).toBe(true);
  return new Set(
    readFileSync(file, "utf8")
      .split("\n")
      .flatMap((url) => url.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? []),
  );
}

describe("a command loads only what it needs", () => {
  const HEAVY = ["echarts", "zrender", "bullmq", "ioredis", "tinypool"];

  it.each([["--version"], ["solve", "2x2"], ["query", "2 0/0 2"]])(
    "%s: neither charts nor the queue",
    async (...args) => {
      const loaded = await packagesLoadedBy(args);
      expect(loaded).toContain("commander");
      expect(HEAVY.filter((name) => loaded.has(name))).toEqual([]);
    },
  );

  it("paper table2: charts, but not the queue", async () => {
    const loaded = await packagesLoadedBy(["paper", "table2"]);
    expect(HEAVY.filter((name) => loaded.has(name))).toEqual(["echarts", "zrender", "tinypool"]);
  });
});
