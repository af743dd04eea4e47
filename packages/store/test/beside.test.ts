import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseShape } from "@gridlock/game";
import { temporaryFolder } from "@gridlock/testbed";
import { expect, it } from "vitest";
import { filesBeside } from "../src/index.js";

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
