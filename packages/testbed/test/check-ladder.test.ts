import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

const SCRIPT = fileURLToPath(new URL("../../../scripts/check-ladder.js", import.meta.url));

/** Checks a tree of source files, by their paths; returns the exit code and the reported faults. */
function check(files: Record<string, string>): { code: number | null; faults: string } {
  const root = temporaryFolder();
  for (const [file, text] of Object.entries({ "packages/game/src/index.ts": "", ...files })) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, root], { encoding: "utf8" });
  return { code: status, faults: stderr };
}

describe("the check of the ladder", () => {
  it("accepts imports that follow the rules", () => {
    expect(
      check({
        "packages/boards/assembly/cells.ts":
          "@inline\nfunction a(): void {}\nexport const b: i32 = 1;",
        "packages/kernel/assembly/index.ts":
          'import { b } from "../../boards/assembly/cells"; export { b };',
        "packages/kernel/src/index.ts":
          'import type { Board } from "@gridlock/game"; export * from "./kernel.js";',
        "packages/kernel/src/kernel.ts": 'import "#files";',
        "packages/kernel/src/disk.ts": 'import "node:fs";',
        "packages/kernel/src/memory.ts": "export {};",
        "packages/kernel/src/web.ts": 'export * from "./kernel.js";',
        "packages/kernel/package.json": JSON.stringify({
          exports: { ".": "./dist/index.js", "./web": "./dist/web.js" },
          imports: { "#files": { node: "./dist/disk.js", default: "./dist/memory.js" } },
        }),
        "packages/solver/src/index.ts": 'import "@gridlock/kernel/web";',
        "packages/kernel/test/kernel.test.ts":
          'import "@gridlock/report"; import "@gridlock/testbed"; import "../src/index.js";',
        "packages/answers/src/index.ts": 'import "@gridlock/published";',
        "packages/cli/bin/gridlock.js": 'import { main } from "../dist/main.js";',
        "packages/cli/src/main.ts": 'await import("@gridlock/cluster");',
        "scripts/load.js": 'import "../packages/kernel/dist/kernel.js";',
      }),
    ).toEqual({ code: 0, faults: "" });
  });

  it.each([
    ["an import from below", "packages/store/src/a.ts", 'import "@gridlock/solver";'],
    ["a type from below", "packages/store/src/a.ts", 'import type { A } from "@gridlock/cli";'],
    ["a type named in place", "packages/store/src/a.ts", 'let a: import("@gridlock/cli").A;'],
    ["a type exported again", "packages/store/src/a.ts", 'export type * from "@gridlock/cli";'],
    ["an import when it is called", "packages/store/src/a.ts", 'import("@gridlock/cli");'],
    ["a test's import from below", "packages/store/test/a.ts", 'import "@gridlock/solver";'],
    ["the testbed in a source", "packages/cli/src/a.ts", 'import "@gridlock/testbed";'],
    ["a library in game", "packages/game/src/a.ts", 'import "node:fs";'],
    [
      "more than game and threads in verify",
      "packages/verify/src/a.ts",
      'import "@gridlock/store";',
    ],
    ["the store in kernel", "packages/kernel/src/a.ts", 'import "@gridlock/store";'],
    ["more than game in published", "packages/published/src/a.ts", 'import "@gridlock/boards";'],
    ...["store", "tablebase", "kernel", "solver", "verify", "cluster"].map((name) => [
      `published values in ${name}`,
      `packages/${name}/src/a.ts`,
      'import "@gridlock/published";',
    ]),
    ["a module of a package", "packages/store/src/a.ts", 'import "@gridlock/game/dist/board.js";'],
    ["an entry from below", "packages/store/src/a.ts", 'import "@gridlock/kernel/web";'],
    ["an undeclared entry", "packages/solver/src/a.ts", 'import "@gridlock/kernel/other";'],
    ["an undeclared variant", "packages/kernel/src/a.ts", 'import "#other";'],
    ["a variant without a file", "packages/kernel/src/a.ts", 'import "#missing";'],
    ["a cycle through a variant", "packages/kernel/src/a.ts", 'import "#a";'],
    ["another package by its path", "packages/store/src/a.ts", 'import "../../game/src/index.js";'],
    ["a test in a source", "packages/game/src/a.ts", 'import "../test/a.js";'],
    ["a test of another package", "packages/store/test/b.ts", 'import "../../game/test/a.js";'],
    [
      "kernel's AssemblyScript",
      "packages/tablebase/assembly/a.ts",
      'import "../../kernel/assembly/a";',
    ],
    ["AssemblyScript in a source", "packages/kernel/src/a.ts", 'import "../assembly/a.js";'],
    ["a missing file", "packages/game/src/a.ts", 'import "./b.js";'],
    ["a package off the ladder", "packages/other/src/a.ts", ""],
    ["a cycle of types", "packages/game/src/index.ts", 'import type { A } from "./index.js";'],
  ])("refuses %s", (_, file, text) => {
    const others = {
      "packages/game/test/a.ts": "",
      "packages/kernel/assembly/a.ts": "",
      "packages/kernel/package.json": JSON.stringify({
        exports: { "./web": "./dist/web.js" },
        imports: {
          "#a": { default: "./dist/a.js" },
          "#missing": { node: "./dist/b.js", default: "./dist/a.js" },
        },
      }),
    };
    const { code, faults } = check({ ...others, [file]: text });
    expect(faults.trim().split("\n")).toHaveLength(1);
    expect(code).toBe(1);
  });
});
