import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GRIDLOCK, gridlock, json, Process, temporaryFolder } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** A folder with a file of the user's and a subfolder. */
let folder: string;

beforeAll(() => {
  folder = temporaryFolder(afterAll);
  writeFileSync(join(folder, "index.html"), "mine");
  mkdirSync(join(folder, "sub"));
});

/** Expects a refusal that changes nothing in the folder. */
async function expectRefused(args: readonly string[], message: RegExp): Promise<void> {
  const { code, stdout, stderr } = await gridlock(folder, args);
  expect(stderr).toMatch(message);
  expect([code, stdout]).toEqual([2, ""]);
  expect(readdirSync(folder)).toEqual(["index.html", "sub"]);
  expect(readdirSync(join(folder, "sub"))).toEqual([]);
  expect(readFileSync(join(folder, "index.html"), "utf8")).toBe("mine");
}

describe("a path", () => {
  it.each([
    [["site", ""], "folder"],
    [["site", "  "], "folder"],
    [["variants", "2x2", "game", "--out", ""], "folder"],
    [["serve", "--root", ""], "folder"],
    [["export", "2x2", "--output", ""], "file"],
    [["verify", "--certificate", ""], "file"],
    [["train", "2x2", "--output", ""], "file"],
    [["tabulate", "2x2", "--db", ""], "file"],
  ])("is refused if it is empty: %j", (args, kind) =>
    expectRefused(args, new RegExp(`expected the name of a ${kind}, not " *"`)),
  );

  it.each([
    [
      "tabulate 2x2 --db x/x.db",
      /^error: --db x\/x\.db cannot be used: there is no folder x; make/,
    ],
    ["solve 2x2 --db x/x.db", /there is no folder x;/],
    ["worker --redis redis://127.0.0.1:1 --db x/x.db", /there is no folder x;/],
    ["export 2x2 --output x/x.md", /--output x\/x\.md cannot be used: there is no folder x;/],
    ["train 2x2 --output x/x", /there is no folder x;/],
    ["variants 2x2 game --out x/y", /--out x\/y cannot be used: there is no folder x;/],
    ["paper table1 --out x/y", /there is no folder x;/],
    ["site x/y", /FOLDER x\/y cannot be used: there is no folder x;/],
    ["serve --root x", /--root x cannot be used: there is no such folder/],
    ["solve 2x2 --db sub", /--db sub cannot be used: it is a folder; expected a file/],
    ["export 2x2 --output sub", /it is a folder; expected a file/],
    ["variants 2x2 game --out index.html", /it is a file; expected a folder/],
    ["site index.html", /it is a file; expected a folder/],
    ["site .", /^error: \. is not empty, and no site; expected an empty folder/],
  ])("is refused by gridlock %s", (command, message) => expectRefused(command.split(" "), message));

  it.each([
    "tabulate 2x2",
    "analyze 2x2",
    "query --values 2_2/0_0",
    "play 2x2 --player emr --games 1",
    "status",
    "worker --redis redis://127.0.0.1:1",
    "assess 2x2 --player emr",
  ])("that is not a database is refused by gridlock %s", (command) =>
    expectRefused(
      [...command.split(" "), "--db", "index.html"],
      /^error: index\.html was not written by Gridlock; restore a copy, or name another file with --db$/m,
    ),
  );

  it("is named with its variable", async () => {
    for (const [value, message] of [
      ["", /GRIDLOCK_DB.*expected the name of a file/],
      ["x/x.db", /^error: GRIDLOCK_DB x\/x\.db cannot be used: there is no folder x;/],
    ] as const) {
      const env = { ...process.env, GRIDLOCK_DB: value };
      await using status = new Process(GRIDLOCK, ["status"], { cwd: folder, env });
      expect(await status.ended).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
    }
  });

  it("of a new folder is made, one level deep; the default folder is made", async () => {
    const own = temporaryFolder();
    await json(own, ["variants", "2x2", "game", "--out", "new", "--json"]);
    await json(own, ["solve", "2x2", "--json"]);
    expect(readdirSync(own).sort()).toEqual(["new", "results"]);
  });
});
