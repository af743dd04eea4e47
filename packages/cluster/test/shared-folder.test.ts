import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parseShape } from "@gridlock/game";
import { layersBuild } from "@gridlock/layers";
import { temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { claimFolder, folderOf, RUN_FILE, refuseOtherBuild } from "../src/shared-folder.js";

describe("a run's build", () => {
  it("must be this machine's build, or is rejected with a sentence", () => {
    const game = { shape: parseShape("2x3"), tiles: [2, 4] } as const;
    const build = layersBuild(game.shape);
    expect(() => refuseOtherBuild(game, build)).not.toThrow();
    expect(() => refuseOtherBuild(game, layersBuild(parseShape("3x3")))).toThrow(
      new RegExp(`but this worker with build ${build}; use the same version of gridlock`),
    );
  });
});

describe("a run's folder", () => {
  const message = (folder: string) => {
    const layers = { data: "/elsewhere", folder } as Parameters<typeof folderOf>[1];
    return [{ run: "r", host: "h" } as Parameters<typeof folderOf>[0], layers] as const;
  };

  it("is marked with the run's id, which replaces an earlier one", () => {
    const data = temporaryFolder();
    const folder = join(data, "x.2x3.layers");
    mkdirSync(folder);
    for (const run of ["an-earlier-run", "r"]) claimFolder(folder, run);
    expect(readFileSync(join(folder, RUN_FILE), "utf8")).toBe("r");
    expect(folderOf(...message("x.2x3.layers"), data)).toBe(folder);
    claimFolder(folder, "other");
    expect(() => folderOf(...message("x.2x3.layers"), data)).toThrow(
      /is not the folder of the run/,
    );
  });

  it("is refused if it is a link, or if its file is one, and nothing else is written", () => {
    const data = temporaryFolder();
    const victim = join(data, "victim");
    mkdirSync(victim);
    writeFileSync(join(victim, RUN_FILE), "r");
    symlinkSync(victim, join(data, "link.layers"));
    const folder = join(data, "x.layers");
    mkdirSync(folder);
    const file = join(folder, RUN_FILE);
    const refusal = /it is a link to another file; expected a/;
    expect(() => claimFolder(join(data, "link.layers"), "new")).toThrow(refusal);
    expect(() => folderOf(...message("link.layers"), data)).toThrow(refusal);
    for (const target of [join(victim, RUN_FILE), join(data, "missing")]) {
      symlinkSync(target, file);
      expect(() => claimFolder(folder, "new")).toThrow(refusal);
      rmSync(file);
    }
    expect(readFileSync(join(victim, RUN_FILE), "utf8")).toBe("r");
    expect(existsSync(join(data, "missing"))).toBe(false);
    expect(readdirSync(victim)).toEqual([RUN_FILE]);
    mkdirSync(file);
    expect(() => claimFolder(folder, "new")).toThrow(/it is a folder; expected a regular file/);
  });
});
