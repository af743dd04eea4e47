import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gridlock, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

// The test of the installed package writes a whole site (`packages/testbed/test/packages.test.ts`).
describe("gridlock site", () => {
  it("leaves a folder with anything else as it is", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "mine"));
    writeFileSync(join(folder, "mine", "a.txt"), "a");
    const { code, stderr } = await gridlock(folder, ["site", "mine"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: mine is not empty, and no site; expected an empty folder/);
    expect(readdirSync(join(folder, "mine"))).toEqual(["a.txt"]);
  });

  it("explains an invalid address", async () => {
    const { code, stderr } = await gridlock(temporaryFolder(), [
      "site",
      "a",
      "--base-url",
      "a.org",
    ]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/expected an address such as https:.* not "a\.org"/);
  });
});
