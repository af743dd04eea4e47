import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const SCRIPT = fileURLToPath(new URL("../../../scripts/release/cross-check.js", import.meta.url));

it("cross-check finds no fault", {
  tags: ["long"],
}, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, "2x2", "2x3"]);
  const told = stdout.split("\n").map((line) => line.replace(/, database.*/, ""));
  expect(told).toEqual([
    "2x2: 110 positions, 36 of them without a slide, 67 afterstates; expected score 66.96",
    "2x2: kernel 110 (0 wrong), static lower bound 184 (0 wrong)",
    "2x3: 21,752 positions, 4,484 of them without a slide, 14,883 afterstates; expected score 480.26",
    "2x3: kernel 21,752 (0 wrong), static lower bound 45,697 (0 wrong)",
    "",
  ]);
});
