import { readdirSync } from "node:fs";
import { StoreError } from "@gridlock/store";
import { TemporaryFolder } from "@gridlock/testbed";
import { expect, it } from "vitest";
import { ChunkReader, ChunkWriter, syncFiles } from "../src/chunk-file.js";

it("gives a file its name only when it is whole", () => {
  using folder = new TemporaryFolder();
  {
    using writer = new ChunkWriter(folder.path, "given-up");
    writer.write(Buffer.from("a"));
  }
  {
    using writer = new ChunkWriter(folder.path, "whole");
    writer.write(Buffer.from("a"));
    expect(readdirSync(folder.path)).not.toContain("whole");
    writer.finish();
  }
  expect(readdirSync(folder.path)).toEqual(["whole"]);
  using reader = new ChunkReader(folder.path, "whole");
  expect(reader.next().toString()).toBe("a");
});

it("waits until the disk has files, of which some may be missing", async () => {
  using folder = new TemporaryFolder();
  const names = ["a", "b", "c", "d", "e"];
  for (const name of names) {
    using writer = new ChunkWriter(folder.path, name);
    writer.finish();
  }
  await syncFiles(folder.path, ["missing", ...names]);
  await syncFiles(`${folder.path}/missing`, names);
  await expect(syncFiles(folder.path, [...names, "a/b"])).rejects.toThrow(StoreError);
});
