import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const VITEST = join(
  dirname(createRequire(import.meta.url).resolve("vitest/package.json")),
  "vitest.mjs",
);

describe("without a browser", () => {
  it("its tests are skipped, a message says so, and nothing fails", { tags: ["long"] }, () => {
    const ownRun = Object.keys(process.env).filter((name) => name.startsWith("VITEST"));
    const env = {
      ...Object.fromEntries(ownRun.map((name) => [name, undefined])),
      PATH: temporaryFolder(),
      GRIDLOCK_CHROMIUM: undefined,
      NO_COLOR: "1",
    };
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [VITEST, "run", "packages/server/test/browser/browser.test.ts"],
      { cwd: ROOT, env: { ...process.env, ...env }, encoding: "utf8", timeout: 100_000 },
    );
    const said = stdout + stderr;
    expect(said).toContain("the tests in a browser are skipped: found no Chromium. Install one");
    expect(said).toMatch(/Tests +\d+ skipped \(\d+\)/);
    expect(status).toBe(0);
  });
});
