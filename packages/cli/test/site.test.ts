import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gridlock, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

describe("gridlock site", () => {
  it("writes a site, and says how large it is", async () => {
    const folder = temporaryFolder();
    const { code, stdout, stderr } = await gridlock(folder, [
      ...["site", "public", "--base-url", "https://example.org/2048/"],
    ]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^wrote \d+ files, .*, to public\n$/),
    ]);
    expect(stderr).toMatch(/^50 files$/m);
    expect(readdirSync(join(folder, "public"))).toEqual(
      expect.arrayContaining(["404.html", "index.html", "service-worker.js"]),
    );
    expect(readFileSync(join(folder, "public/index.html"), "utf8")).toContain(
      'content="https://example.org/2048/',
    );
  });

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
