import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SCRIPTS = fileURLToPath(new URL("../../../scripts/", import.meta.url));

/** Runs a script until its end. */
function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: SCRIPTS,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

it("of a script with --help prints its first lines", () => {
  const { status, stdout, stderr } = run("release/growth.js", "--help");
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(
    /^Measures .*\n(.*\n)*\n {4}node scripts\/release\/growth\.js .*\n(.*\n)*.* only writes table and chart again\n$/,
  );
});

it("of a script with an unknown option ends with a line", () => {
  const stderr = "Unknown option '--bogus'; --help lists the options\n";
  expect(run("release/growth.js", "--bogus")).toEqual({ status: 2, stdout: "", stderr });
});

it.each(["x", "-1", "1.5", "1e3"])(
  "of a script with %s for a whole number ends with a line",
  (text) => {
    const stderr = `--rounds ${text}: expected a whole number of at least 1\n`;
    const found = run("bench.js", `--rounds=${text}`);
    expect(found).toEqual({ status: 2, stdout: "", stderr });
  },
);

it("is parsed in one place", () => {
  const parsing = readdirSync(SCRIPTS, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .filter((name) => /\bparseArgs\b/.test(readFileSync(join(SCRIPTS, name), "utf8")));
  expect(parsing).toEqual(["command-line.js"]);
});
