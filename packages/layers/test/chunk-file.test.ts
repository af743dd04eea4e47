import { readdirSync } from "node:fs";
import { StoreError } from "@gridlock/store";
import { TemporaryFolder } from "@gridlock/testbed";
import { expect, it } from "vitest";
import { ChunkReader, ChunkWriter, syncFiles } from "../src/chunk-file.js";

it("gives a file its name only when it is whole", () => {
  using folder = new TemporaryFolder();
  {
    using writer = new ChunkWriter(folder.path, "1.1.block");
    writer.write(Buffer.from("a"));
  }
  {
    using writer = new ChunkWriter(folder.path, "1.2.block");
    writer.write(Buffer.from("a"));
    expect(readdirSync(folder.path)).not.toContain("1.2.block");
    writer.finish();
  }
  expect(readdirSync(folder.path)).toEqual(["1.2.block"]);
  using reader = new ChunkReader(folder.path, "1.2.block");
  expect(reader.next().toString()).toBe("a");
});

it("waits until the disk has files, of which some may be missing", async () => {
  using folder = new TemporaryFolder();
  const names = ["a.1.block", "b.1.block", "c.1.letters", "d.1.block", "e.1.block"];
  for (const name of names) {
    using writer = new ChunkWriter(folder.path, name);
    writer.finish();
  }
  await syncFiles(folder.path, ["f.1.block", ...names]);
  await syncFiles(`${folder.path}/missing`, names);
  await expect(syncFiles(folder.path, [...names, "../a.1.block"])).rejects.toThrow(StoreError);
});
