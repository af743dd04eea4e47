import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseShape } from "@gridlock/game";
import { temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { Database, filesBeside, lockDatabase } from "../src/index.js";
import { errorOf } from "./damage.js";

describe("a database for one process alone", () => {
  it("is refused while another connection has it open for writing, however idle", () => {
    const file = join(temporaryFolder(), "x.db");
    const writer = Database.open(file);
    expect(errorOf(() => lockDatabase(file)).code).toBe("locked");
    writer.close();
    const alone = lockDatabase(file);
    expect(errorOf(() => Database.open(file, { patience: 0 })).code).toBe("locked");
    expect(errorOf(() => lockDatabase(file)).code).toBe("locked");
    alone[Symbol.dispose]();
    using again = Database.open(file);
    expect(again.games()).toEqual([]);
  });

  it("must exist", () => {
    const file = join(temporaryFolder(), "x.db");
    expect(errorOf(() => lockDatabase(file)).code).toBe("unusable");
    expect(existsSync(file)).toBe(false);
  });
});

it("files beside a database are found by their names, smaller shapes first", () => {
  const folder = temporaryFolder();
  for (const name of [
    ...["x.3x4.snapshot", "x.2x3.snapshot", "x.2x3-tiles-2.snapshot", "x.3x3.positions", "x.db"],
    ...[
      "x.snapshot",
      "x.9x9.snapshot",
      "x.4x3.snapshot",
      "x.2x3.snapshot-journal",
      "y.2x2.snapshot",
    ],
  ]) {
    writeFileSync(join(folder, name), "");
  }
  const file = (name: string) => join(folder, name);
  expect(filesBeside(file("x.db"), "snapshot")).toEqual([
    { game: { shape: parseShape("2x3"), tiles: [2] }, file: file("x.2x3-tiles-2.snapshot") },
    { game: { shape: parseShape("2x3"), tiles: [2, 4] }, file: file("x.2x3.snapshot") },
    { game: { shape: parseShape("3x4"), tiles: [2, 4] }, file: file("x.3x4.snapshot") },
  ]);
  expect(filesBeside(file("none/x.db"), "snapshot")).toEqual([]);
});
