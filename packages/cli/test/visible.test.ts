import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { GRIDLOCK, gridlock, Process, temporaryFolder } from "@gridlock/testbed";
import Sqlite from "better-sqlite3";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { ask } from "../src/output/ask.js";
import { showWork } from "../src/output/display.js";
import { visible, visibleLine } from "../src/output/visible.js";

const CONTROL = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
/** A text that would colour a terminal and forge a line on it, and how it is shown. */
const FOREIGN = "v\u001b[31m\nforged";
const SHOWN = String.raw`v\u001b[31m\nforged`;

const anyText = fc.string({
  // Not "binary", for which fast-check lists all code points first.
  unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)),
});

it("shows what would control a terminal, and nothing else", () => {
  expect(visible("2 4\n\t· █ 3×3 é 漢 🙂")).toBe("2 4\n\t· █ 3×3 é 漢 🙂");
  expect(visible("a\u001b[2Jb\u0007\u009b1m\r\u007f\u202e")).toBe(
    String.raw`a\u001b[2Jb\u0007\u009b1m\u000d\u007f\u202e`,
  );
  fc.assert(
    fc.property(anyText, (text) => {
      expect(visible(text)).not.toMatch(CONTROL);
      expect(visibleLine(text)).not.toMatch(/\n/);
    }),
  );
});

it("leaves JSON what it is", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(JSON.parse(visible(JSON.stringify({ text })))).toEqual({ text });
    }),
  );
});

it("is used for errors about what was given", async () => {
  for (const [word, shown] of [
    ["2 \u001b]0;title\u0007", "\ufffd"],
    ["--no\u001b[2J", "'--no\ufffd[2J'"],
  ] as const) {
    const { code, stderr } = await gridlock(temporaryFolder(), ["query", word]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(shown)]);
    expect(stderr).not.toMatch(CONTROL);
  }
});

it("shows a variable of several lines in one", async () => {
  await using solve = new Process(GRIDLOCK, ["solve", "2x2"], {
    cwd: temporaryFolder(),
    env: { ...process.env, GRIDLOCK_MEMORY: FOREIGN },
  });
  const { code, stderr } = await solve.ended;
  expect([code, stderr.split("\n")]).toEqual([
    2,
    [expect.stringContaining("\ufffdforged"), "(see gridlock solve --help)", ""],
  ]);
});

it("is used for questions", async () => {
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: "utf8" })];
  input.end("y\n");
  expect(await ask(`${FOREIGN}? `, { input, output })).toBe(true);
  expect(output.read()).toBe(`${SHOWN}? `);
});

it("is used for bars of progress", () => {
  const { isTTY } = process.stderr;
  let written = "";
  const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written += text;
    return true;
  });
  onTestFinished(() => {
    process.stderr.isTTY = isTTY;
    write.mockRestore();
  });
  process.stderr.isTTY = true;
  showWork(FOREIGN, "claims", () => ({ done: 1, total: 2, text: FOREIGN })).stop();
  expect(written.split(SHOWN)).toHaveLength(3); // the name and the text
  expect(written).not.toContain("forged\u001b[31m");
  expect(written).not.toContain(FOREIGN);
});

describe("the texts of a database that somebody else made", () => {
  let folder: string;
  beforeAll(async () => {
    folder = temporaryFolder(afterAll);
    await gridlock(folder, ["solve", "2x2"]);
    change("UPDATE run SET version = ?, machine = ?", FOREIGN, FOREIGN);
  });

  function change(sql: string, ...texts: string[]): void {
    const sqlite = new Sqlite(join(folder, "results/gridlock.db"));
    sqlite.prepare(sql).run(...texts);
    sqlite.close();
  }

  it("break no row of a table", async () => {
    const { code, stdout } = await gridlock(folder, ["status"]);
    expect(code).toBe(0);
    expect(stdout).not.toMatch(CONTROL);
    expect(stdout).toMatch(/^ +1 +2x2 .* v\\u001b\[31m\\nforged$/m);
  });

  it("are visible in files too, and forge no line", async () => {
    await gridlock(folder, ["export", "2x2", "--output", "2x2.md"]);
    const markdown = readFileSync(join(folder, "2x2.md"), "utf8");
    expect(markdown).not.toMatch(CONTROL);
    expect(markdown.split(SHOWN)).toHaveLength(3);
  });

  it("are visible in errors and stacks", async () => {
    change("UPDATE run SET options = ?", FOREIGN);
    await using status = new Process(GRIDLOCK, ["status"], {
      cwd: folder,
      env: { ...process.env, GRIDLOCK_DEBUG: "1" },
    });
    const { code, stderr } = await status.ended;
    expect(code).toBe(1);
    expect(stderr).not.toMatch(CONTROL);
    expect(stderr).toMatch(/^error: .* a run with the options "v\\u001b\[31m\\nforged"; .*\n/);
    expect(stderr).toMatch(/^ {4}at /m);
    expect(stderr).not.toMatch(/^forged/m);
  });
});
