import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  falsify,
  gridlock,
  interruptedAt,
  json,
  MOST_MEMORY,
  mutateFiles,
  resealColumn,
  temporaryFolder,
} from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** A folder whose database has 2×2 and 2×3, solved, proven, and solved by layers. */
let folder: string;

beforeAll(async () => {
  folder = temporaryFolder(afterAll);
  for (const shape of ["2x2", "2x3"]) {
    await json(folder, ["solve", shape, "--method", "layers", "--json"]);
    await json(folder, ["prove", shape, "--json"]);
  }
  const { code } = await gridlock(folder, [
    "export",
    "2x2",
    "--format",
    "certificate",
    "--output",
    "c",
  ]);
  expect(code).toBe(0);
});

describe("Ctrl-C", () => {
  it.each([
    ["opens the database", "1 user_version", ["verify"]],
    ["checks that the database is intact", "1 integrity_check", ["verify"]],
    ["reads the starts", "1 FROM start", ["verify"]],
    ["reads a certificate", "1 FROM claim", ["verify"]],
    ["reads the next certificate, after a check", "4 FROM claim", ["verify"]],
    ["reads a certificate's file", "1 readSync", ["verify", "--certificate", "c"]],
    ["opens a proof by layers", "1 FROM identity", ["verify", "--method", "layers"]],
    ["reads the list of its files", "1 FROM block", ["verify", "--method", "layers"]],
    ["reads that for the comparison", "2 FROM block", ["verify", "--method", "layers"]],
  ])("ends verify at once while it %s", async (_, at, args) => {
    const { code, signal, stderr } = await interruptedAt(folder, at, args);
    expect({ code, signal, stderr }).toEqual({ code: null, signal: "SIGINT", stderr: "" });
  });
});

describe("a folder of somebody else's proof by layers", () => {
  /** Copies the proof of 2×3, unsolved in its database; returns the folder around it. */
  function copied(): { around: string; layers: string } {
    const around = temporaryFolder();
    cpSync(join(folder, "results"), join(around, "results"), { recursive: true });
    falsify(join(around, "results/gridlock.db"), "DELETE FROM bound");
    writeFileSync(join(around, "victim.letters"), "precious");
    return { around, layers: join(around, "results/gridlock.2x3.layers") };
  }
  const solve = ["solve", "2x3", "--method", "layers", "--workers", "1", "--quiet"];
  const verify = ["verify", "2x3", "--method", "layers", "--workers", "1"];

  it.each([
    "../../victim.letters",
    "victim",
    "/tmp/victim.letters",
    "0.0.letters/../../../victim.letters",
  ])("whose progress names the file %s is refused, and nothing is deleted", async (name) => {
    const { around, layers } = copied();
    const sql = `DELETE FROM letters; INSERT INTO letters VALUES ('0', '${name}', 1)`;
    falsify(join(layers, "progress.db"), sql);
    for (const args of [solve, verify]) {
      const { code, stderr } = await gridlock(around, args);
      expect(code).not.toBe(0);
      expect(stderr).toMatch(/^error: .*progress\.db has contents that no version .*\n$/);
    }
    expect(readFileSync(join(around, "victim.letters"), "utf8")).toBe("precious");
  });

  it("is not used through a link", async () => {
    const { around, layers } = copied();
    const victim = join(around, "victim");
    renameSync(layers, victim);
    for (const name of ["mine.tmp", "mine.block", "mine.letters"])
      writeFileSync(join(victim, name), "");
    const names = readdirSync(victim);
    symlinkSync(victim, layers);
    const { code, stderr } = await gridlock(around, solve);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /gridlock\.2x3\.layers: it is a link to another file; expected a folder\n$/,
    );
    expect(readdirSync(victim)).toEqual(names);
  });

  it("keeps files whose names are not those of a proof", async () => {
    const { around, layers } = copied();
    const mine = ["mine.tmp", "mine.block", "x.letters", "1.2.block.tmp"];
    const left = ["ff.99.block", "1.1.block.01234567-89ab-cdef-0123-456789abcdef.tmp"];
    for (const name of [...mine, ...left]) writeFileSync(join(layers, name), "");
    expect(await gridlock(around, solve)).toMatchObject({ code: 0 });
    for (const name of mine) expect(existsSync(join(layers, name)), name).toBe(true);
    for (const name of left) expect(existsSync(join(layers, name)), name).toBe(false);
  });

  it("whose lock is a link to nothing makes no file there", async () => {
    const { around, layers } = copied();
    const lock = join(layers, "lock");
    renameSync(lock, `${lock}.old`);
    symlinkSync(join(around, "nothing"), lock);
    const { code, stderr } = await gridlock(around, verify);
    expect(code).toBe(1);
    expect(stderr).toMatch(/lock: it is a link to another file; expected a regular file\n$/);
    expect(existsSync(join(around, "nothing"))).toBe(false);
  });

  it("may be a file", async () => {
    const { around, layers } = copied();
    renameSync(layers, `${layers}.old`);
    writeFileSync(layers, "");
    for (const args of [solve, verify]) {
      const { code, stderr } = await gridlock(around, args);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^error: .* it is a file; expected a folder\n$/);
    }
    expect(await gridlock(around, ["status"])).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("a tabulation with boards that no play makes", () => {
  it("is refused with a sentence, though its checksums are right", async () => {
    const folder = temporaryFolder();
    await gridlock(folder, ["solve", "2x2"]);
    await gridlock(folder, ["tabulate", "2x2", "--quiet"]);
    const file = join(folder, "results/gridlock.2x2.positions");
    const bytes = readFileSync(file);
    bytes.writeUInt16LE(0xffff, 58); // the first board
    resealColumn(bytes);
    writeFileSync(file, bytes);
    const { code, stderr } = await gridlock(folder, [
      "analyze",
      "2x2",
      "--workers",
      "1",
      "--quiet",
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: a file of the tabulation has contents that no sweep writes, /);
  });
});

describe("files of all formats, changed at random", () => {
  async function testMutations(count: number): Promise<void> {
    const { faults, memory, outcomes } = await mutateFiles({ count, seed: 1 });
    expect(faults).toEqual([]);
    expect(memory).toBeLessThan(MOST_MEMORY);
    expect(outcomes.size).toBeGreaterThan(20);
  }

  it("give right values or a sentence, and no other files change", () => testMutations(8));
  it("do so after many changes", { tags: ["long"], timeout: 600_000 }, () => testMutations(100));
});
