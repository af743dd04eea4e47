import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseShape } from "@gridlock/game";
import { type BoundEntry, Database } from "@gridlock/store";
import { gridlock, json, temporaryFolder } from "@gridlock/testbed";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** A folder whose database has 2×4, solved by layers. */
let solved: string;

beforeAll(async () => {
  solved = temporaryFolder(afterAll);
  await json(solved, ["solve", "2x4", "--method", "layers", "--guess", "128", "--json"]);
});

/** Returns a copy of that folder. */
function copied(): string {
  const folder = temporaryFolder();
  cpSync(solved, folder, { recursive: true });
  return folder;
}

describe("gridlock verify, of a shape solved by layers", () => {
  it("checks the files, unless there is a certificate or --method is given", async () => {
    const folder = copied();
    const { code, stdout } = await gridlock(folder, ["verify"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^2x4: layers of [\d,]+ boards in 8 blocks \(.*\) checked in /);
    expect(stdout).toContain("2x4: the values of all 34 starts follow");
    const report = await json(folder, ["verify", "2x4", "--json"]);
    expect(report).toMatchObject({ shape: "2x4", method: "layers", complete: true, proven: 34 });
    expect(report.starts[0]).toMatchObject({ board: "2 2 0 0/0 0 0 0", value: 116 });
    await json(folder, ["prove", "2x4", "--json"]);
    const certificate = await json(folder, ["verify", "2x4", "--json"]);
    expect(certificate).toMatchObject({ method: "certificate", complete: true });
    const again = await json(folder, ["verify", "2x4", "--method", "layers", "--json"]);
    expect({ ...again, seconds: 0 }).toEqual({ ...report, seconds: 0 });
  });

  it("finds false bounds in the database", async () => {
    const folder = copied();
    const file = join(folder, "results/gridlock.db");
    const game = { shape: parseShape("2x4"), tiles: [2, 4] } as const;
    const exact = ({ turn, lo, hi }: BoundEntry) => turn === "placer" && lo === hi && lo > 0;
    using database = Database.open(file);
    const bounds = [...database.bounds(game).all()].filter(exact);
    const sqlite = new Sqlite(file);
    sqlite.exec("DELETE FROM bound WHERE turn = 1 AND lo = hi AND lo > 0");
    sqlite.close();
    database.bounds(game).merge(bounds.map((bound) => ({ ...bound, lo: 0, hi: bound.lo - 4 })));
    const { code, stdout } = await gridlock(folder, ["verify", "2x4"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /\d+ bounds in \S+ contradict the proof by layers\. The first: [^:]* placer: the database has 0 … \d+, but \d+ follows/,
    );
  });

  it("names damaged and missing files, and fails", async () => {
    const folder = copied();
    const layers = join(folder, "results/gridlock.2x4.layers");
    const [first, second] = readdirSync(layers).filter((name) => name.endsWith(".block"));
    const file = join(layers, first as string);
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1;
    writeFileSync(file, bytes);
    rmSync(join(layers, second as string));
    const { code, stdout } = await gridlock(folder, ["verify", "2x4"]);
    expect(code).toBe(1);
    expect(stdout).toContain(`${first} is damaged, ${second} is missing`);
    expect(stdout).toContain("2x4: NOT proven");
    expect(stdout).toMatch(/the bounds in \S+ were not compared with the proof by layers/);
    const checked = await gridlock(folder, ["verify", "2x4", "--json"]);
    expect(JSON.parse(checked.stdout)).toMatchObject({ complete: false, database: null });
    rmSync(layers, { recursive: true });
    const gone = await gridlock(folder, ["verify", "2x4", "--method", "layers"]);
    expect(gone.code).toBe(1);
    expect(gone.stdout).toMatch(
      /34 values and no proof by layers in .*--method layers to make one/,
    );
  });

  it("stops at Ctrl-C, and refuses options that exclude each other", async () => {
    const folder = copied();
    const stopped = await gridlock(folder, ["verify", "2x4"], { interrupt: true });
    expect(stopped).toMatchObject({
      code: 130,
      stdout: "",
      stderr: "stopping; nothing is saved\n",
    });
    for (const [args, words] of [
      [["--sample", "10"], /--sample is for certificates, but 2x4 is checked by its layers/],
      [
        ["--certificate", "results/gridlock.db", "--method", "layers"],
        /--certificate cannot be combined with --method layers/,
      ],
    ] as const) {
      const { code, stderr } = await gridlock(folder, ["verify", "2x4", ...args]);
      expect(code).toBe(2);
      expect(stderr).toMatch(words);
    }
  });
});
