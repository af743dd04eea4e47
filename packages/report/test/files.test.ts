import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { writeWhole } from "../src/index.js";

describe("writeWhole", () => {
  it("writes text, and parts one after another", () => {
    const folder = temporaryFolder();
    writeWhole(join(folder, "text"), "2 × 3\n");
    writeWhole(join(folder, "parts"), ["one, ", new Uint8Array([0x32]), "\n"]);
    expect(readFileSync(join(folder, "text"), "utf8")).toBe("2 × 3\n");
    expect(readFileSync(join(folder, "parts"), "utf8")).toBe("one, 2\n");
    expect(readdirSync(folder).sort()).toEqual(["parts", "text"]);
  });

  it("shows readers the old contents until all new contents are written", () => {
    const folder = temporaryFolder();
    const file = join(folder, "table.md");
    writeFileSync(file, "old", { mode: 0o640 });
    writeWhole(
      file,
      (function* () {
        yield "ne";
        expect(readFileSync(file, "utf8")).toBe("old");
        yield "w";
      })(),
    );
    expect(readFileSync(file, "utf8")).toBe("new");
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  it("keeps the old contents, and no temporary file, if it fails halfway", () => {
    const folder = temporaryFolder();
    const file = join(folder, "table.md");
    writeFileSync(file, "old");
    const failing = (function* () {
      yield "new";
      throw new Error("no more");
    })();
    expect(() => writeWhole(file, failing)).toThrow("no more");
    expect(readFileSync(file, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["table.md"]);
  });

  it("writes through a symbolic link", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "target"), "old");
    symlinkSync("target", join(folder, "link"));
    writeWhole(join(folder, "link"), "new");
    expect(readFileSync(join(folder, "target"), "utf8")).toBe("new");
  });

  it("writes into a pipe without replacing it", async () => {
    const pipe = join(temporaryFolder(), "pipe");
    execFileSync("mkfifo", [pipe]);
    const reader = spawn("cat", [pipe]);
    let read = "";
    reader.stdout.setEncoding("utf8").on("data", (text) => {
      read += text;
    });
    writeWhole(pipe, "a table\n");
    await once(reader, "close");
    expect(read).toBe("a table\n");
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  it("throws the system's error if the file cannot be written", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "taken"));
    expect(() => writeWhole(join(folder, "none/file"), "x")).toThrow("ENOENT");
    expect(() => writeWhole(join(folder, "taken"), "x")).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(folder)).toEqual(["taken"]);
  });
});
