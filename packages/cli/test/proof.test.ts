import { execFile, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  canonical,
  formatBoard,
  type PackedBoard,
  packBoard,
  packedFromBits,
  parseBoard,
  parseShape,
  unpackBoard,
} from "@gridlock/game";
import { Database } from "@gridlock/store";
import { beginSolves, gridlock, json, Oracle, temporaryFolder } from "@gridlock/testbed";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const SCRIPTS = fileURLToPath(new URL("../../../scripts/", import.meta.url));
const SHAPES = ["2x2", "2x3", "2x4"];

/** A folder whose database has the certificates of all shapes, and their exported files. */
let folder: string;

beforeAll(async () => {
  folder = temporaryFolder(afterAll);
  for (const shape of SHAPES) {
    await json(folder, ["solve", shape, "--json"]);
    const { claims } = await json(folder, ["prove", shape, "--json"]);
    expect(claims).toBeGreaterThan(6);
    const output = ["--format", "certificate", "--output", `${shape}.certificate`];
    expect((await gridlock(folder, ["export", shape, ...output])).code).toBe(0);
  }
});

/** A copy of the database in a folder of its own, after some SQL. */
function changed(sql: string): string {
  const copy = temporaryFolder();
  const file = join(copy, "gridlock.db");
  copyFileSync(join(folder, "results/gridlock.db"), file);
  const sqlite = new Sqlite(file);
  sqlite.exec(sql);
  sqlite.close();
  return file;
}

/** A copy of the database with a false bound of a board of 2×3, which has the right checksum. */
function forged(board: PackedBoard, lo: number, hi: number): string {
  const file = changed(
    `DELETE FROM bound WHERE turn = 0 AND board = ${board} AND ${ofShape(2, 3)}`,
  );
  using database = Database.open(file);
  database.bounds(parseGame("2x3")).merge([{ turn: "slider", board, lo, hi }]);
  return file;
}

const parseGame = (shape: string) => ({ shape: parseShape(shape), tiles: [2, 4] }) as const;

/** Selects the certificate of a shape in SQL. */
const ofShape = (rows: number, cols: number) =>
  `game = (SELECT id FROM game WHERE rows = ${rows} AND cols = ${cols})`;

describe("gridlock verify", () => {
  it("checks every claim of all shapes, and reports that all values follow", async () => {
    const { code, stdout } = await gridlock(folder, ["verify"]);
    expect(code).toBe(0);
    for (const shape of SHAPES) {
      expect(stdout).toMatch(
        new RegExp(`${shape}: [\\d,]+ claims checked in .*follow by one step`),
      );
      expect(stdout).toMatch(new RegExp(`${shape}: the values of all \\d+ starts follow`));
    }
    const report = await json(folder, ["verify", "2x3", "--json"]);
    expect(report).toMatchObject({ shape: "2x3", complete: true, failed: 0 });
    expect(report.checked).toBe(report.claims);
  });

  it("checks exported certificates too", async () => {
    for (const [shape, deepestLayer] of [
      ["2x2", 18],
      ["2x3", 38],
    ]) {
      const args = ["verify", "--certificate", `${shape}.certificate`, "--json"];
      expect(await json(folder, args)).toMatchObject({ shape, complete: true, deepestLayer });
    }
    const other = await gridlock(folder, ["verify", "2x2", "--certificate", "2x3.certificate"]);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain("is a certificate of 2x3, not of 2x2");
  });

  it("of a sample proves nothing, and repeats with its seed", async () => {
    const args = ["verify", "2x4", "--sample", "50", "--seed", "7"];
    const { code, stdout } = await gridlock(folder, args);
    expect(code).toBe(3);
    expect(stdout).toContain("nothing wrong in the sample, which proves nothing");
    const again = await gridlock(folder, args);
    const withoutTime = (text: string) => text.replace(/in [\d.]+ m?s/, "");
    expect(withoutTime(again.stdout)).toBe(withoutTime(stdout));
  });

  it("reports a false claim with its board and the arithmetic", async () => {
    const file = changed(
      `UPDATE claim SET lo = 48, hi = NULL WHERE board = 0x11 AND ${ofShape(2, 3)}`,
    );
    const { code, stdout } = await gridlock(folder, ["verify", "2x3", "--db", file]);
    expect(code).toBe(1);
    expect(stdout).toContain("2  2  ·");
    expect(stdout).toContain("h ≥ 48 does not follow");
    expect(stdout).toMatch(/claimed ≥ \d+: \d+ short|has no claim/);
    expect(stdout).toContain("2x3: NOT proven");
    expect(stdout).toContain(`the bounds in ${file} were not compared with the certificate`);
    const checked = await gridlock(folder, ["verify", "2x3", "--json", "--db", file]);
    expect(JSON.parse(checked.stdout)).toMatchObject({ nothingWrong: false, database: null });
  });

  it("reports a value that does not follow from the certificate", async () => {
    const file = changed(`DELETE FROM bound WHERE ${ofShape(2, 3)}`);
    expect((await gridlock(folder, ["verify", "2x3", "--db", file])).code).toBe(0);
    const other = changed(`DELETE FROM claim WHERE board = 0x11 AND ${ofShape(2, 3)}`);
    const { code, stdout } = await gridlock(folder, ["verify", "2x3", "--db", other]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /1 of 20 starts are not proven\. The first: 2 2 0\/0 0 0: its claim is missing/,
    );
  });

  it("finds a false bound beside a valid certificate", async () => {
    const claims = new Sqlite(join(folder, "results/gridlock.db"), { readonly: true });
    const lower = claims
      .prepare(`SELECT board, lo FROM claim WHERE lo > 8 AND hi IS NULL AND ${ofShape(2, 3)}`)
      .get() as { board: number; lo: number };
    claims.close();
    const file = forged(packedFromBits(BigInt(lower.board)), 0, lower.lo - 4);
    const { code, stdout } = await gridlock(folder, ["verify", "2x3", "--db", file]);
    expect(code).toBe(1);
    expect(stdout).toContain("the values of all 20 starts follow");
    const board = formatBoard(unpackBoard(parseShape("2x3"), packedFromBits(BigInt(lower.board))));
    expect(stdout).toMatch(/1 bound in \S+gridlock\.db contradicts the certificate\. The first: /);
    expect(stdout).toContain(`${board}: the database has 0 … ${lower.lo - 4}, but `);
    const checked = await gridlock(folder, ["verify", "2x3", "--json", "--db", file]);
    expect(JSON.parse(checked.stdout)).toMatchObject({
      nothingWrong: false,
      database: { contradicting: 1, contradictions: [{ board, turn: "slider", lo: 0 }] },
    });
  });

  it("counts the bounds that the certificate does not cover; query --verified does not use them", async () => {
    const board = "64 4 2/0 0 0"; // more tiles than the claims have
    const args = ["verify", "2x3", "--json"];
    const before = await json(folder, args);
    expect(before.database).toMatchObject({ contradicting: 0, contradictions: [] });
    const file = forged(packBoard(canonical(parseBoard(board).board)), 400, 400);
    const after = await json(folder, [...args, "--db", file]);
    expect(after).toMatchObject({ nothingWrong: true, complete: true });
    expect(after.database.notCovered).toBe(before.database.notCovered + 1);
    expect((await gridlock(folder, ["verify", "2x3", "--db", file])).stdout).toContain(
      `${after.database.notCovered} bounds in ${file} are not covered by the certificate and were not checked`,
    );
    const bytes = readFileSync(file);
    const query = ["query", board, "2 2 0/0 0 0", "--values", "--verified", "--db", file];
    const { stdout } = await gridlock(folder, query);
    const oracle = new Oracle(parseGame("2x3")).position(parseBoard(board).board);
    expect(oracle).toBeLessThan(400);
    expect(stdout).toBe(`${board}: ${oracle}\n2 2 0/0 0 0: 44\n`);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  it("query --verified checks the certificate before it answers", async () => {
    const file = changed(`UPDATE claim SET lo = lo + 4 WHERE ${ofShape(2, 3)}`);
    const input = "2 2/0 0\n2 2 0/0 0 0\n";
    const { code, stdout, stderr } = await gridlock(
      folder,
      ["query", "--verified", "--values", "--db", file],
      { input },
    );
    expect(code).toBe(1);
    expect(stdout).toBe("2 2/0 0: 12\n");
    expect(stderr).toMatch(/^error: the certificate of 2x3 in \S+ does not hold; gridlock verify/);
  });

  it("passes over a shape that has merely been begun, unless it is named", async () => {
    const file = changed("SELECT 1");
    beginSolves(file, "2x5");
    const all = await gridlock(folder, ["verify", "--db", file]);
    expect(all.stderr).toContain("2x5 is not solved yet, and was not checked\n");
    expect(all.code).toBe(0);
    expect((await gridlock(folder, ["verify", "2x5", "--db", file])).code).toBe(1);
  });

  it("names what is missing: a certificate, a solution, a database", async () => {
    const file = changed("DELETE FROM claim; DELETE FROM certificate");
    const bare = await gridlock(folder, ["verify", "2x3", "--db", file]);
    expect(bare.code).toBe(1);
    expect(bare.stdout).toMatch(
      /20 values and no certificate .*run gridlock prove 2x3 to make one/,
    );
    const unsolved = await gridlock(folder, ["prove", "2x5"]);
    expect(unsolved.code).toBe(2);
    expect(unsolved.stderr).toContain("has no results of 2x5; run gridlock solve 2x5 first");
    expect((await gridlock(folder, ["verify", "2x5"])).code).toBe(2);
    expect((await gridlock(folder, ["verify", "--db", "none.db"])).code).toBe(2);
    expect((await gridlock(folder, ["verify", "--certificate", "none"])).code).toBe(2);
    expect(
      (await gridlock(folder, ["export", "2x3", "--db", file, "--format", "certificate"])).code,
    ).toBe(2);
  });

  it("stops at Ctrl-C", async () => {
    // Each of these claims is false, and its search as long as a search may be: work for hours.
    const file = changed(`
      UPDATE certificate SET effort = 1000000 WHERE ${ofShape(2, 3)};
      UPDATE claim SET lo = lo + 4 WHERE ${ofShape(2, 3)}`);
    const args = ["verify", "2x3", "--db", file];
    const { code, stdout, stderr } = await gridlock(folder, args, { interrupt: true });
    expect(code).toBe(130);
    expect(stderr).toBe("stopping; nothing is saved\n");
    expect(stdout).toBe("");
  });
});

describe("a hundred single corruptions of the certificate of 2×3", () => {
  it("are each reported for what they are", async () => {
    const args = [join(SCRIPTS, "release/corrupt.js"), "2x3", "--count", "100"];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toContain("each was reported correctly");
  });
});

const python = spawnSync("python3", ["--version"]).status === 0;
describe.runIf(python)("the second checker, in Python", () => {
  const check = (file: string) =>
    spawnSync("python3", [join(SCRIPTS, "check_certificate.py"), file], {
      cwd: folder,
      encoding: "utf8",
    });

  it.each([
    ["2x2", "6 starts: 2 x 12, 4 x 8"],
    ["2x3", "20 starts: 11 x 44, 9 x 40"],
  ])("agrees on %s", (shape, values) => {
    const { status, stdout } = check(`${shape}.certificate`);
    expect(stdout).toContain("every claim follows");
    expect(stdout).toContain(values);
    expect(status).toBe(0);
  });

  it("agrees on claims that follow by search, and on their number", async () => {
    await json(folder, ["solve", "2x3", "--tiles", "2", "--json"]);
    await json(folder, ["prove", "2x3", "--tiles", "2", "--proof-effort", "40", "--json"]);
    const args = ["2x3", "--tiles", "2"];
    const { bySearch, bySteps } = await json(folder, ["verify", ...args, "--json"]);
    expect(bySearch).toBeGreaterThan(10);
    await gridlock(folder, ["export", ...args, "--format", "certificate", "--output", "twos"]);
    expect(check("twos").stdout).toContain(
      `every claim follows: ${bySteps} by one step, ${bySearch} by search`,
    );
  });

  it.each<[string, string, number, number, boolean]>([
    ["2x2", "32 4/4 2", 0, 0, true],
    ["2x2", "64 4/4 2", 0, 0, false],
    ["2x2", "32 16/16 2", 0, 0, false],
    ["2x2", "2 4/4 2", 4, 0, false],
    ["4x4", Array(4).fill("32768 32768 32768 32768").join("/"), 100_000, 2 ** 32 - 1, false],
    ["4x4", `32768 32768 0 0${"/0 0 0 0".repeat(3)}`, 65_536, 2 ** 32 - 1, false],
  ])("agrees with verify on claims about boards of %s that no play reaches: %s", async (...row) => {
    const [shape, text, lo, hi, isReached] = row;
    const tiles = text.split(/[ /]/).map(Number);
    const cells = tiles.map((tile) => BigInt(tile && Math.log2(tile)));
    const record = Buffer.alloc(16);
    record.writeBigUInt64LE(cells.reduceRight((packed, exponent) => 16n * packed + exponent, 0n));
    record.writeUInt32LE(lo, 8);
    record.writeUInt32LE(hi, 12);
    const header = `gridlock certificate 1\nshape ${shape}\ntiles 2,4\neffort 0\nclaims 1\n\n`;
    const content = Buffer.concat([Buffer.from(header), record]);
    const digest = createHash("sha256").update(content).digest();
    writeFileSync(join(folder, "one"), Buffer.concat([content, digest]));
    const { stdout, stderr } = check("one");
    expect([stdout.includes("every claim follows"), stderr.includes("beyond play")]).toEqual([
      isReached,
      !isReached,
    ]);
    const verified = await gridlock(folder, ["verify", "--certificate", "one", "--json"]);
    expect([verified.code, JSON.parse(verified.stdout).failures.length]).toEqual([
      1, // the starts are not proven
      isReached ? 0 : 1,
    ]);
  });

  it("refuses a certificate that is truncated or changed", () => {
    const bytes = readFileSync(join(folder, "2x3.certificate"));
    writeFileSync(join(folder, "cut"), bytes.subarray(0, -1));
    expect(check("cut").status).toBe(1);
    bytes[200] = (bytes[200] as number) ^ 1;
    writeFileSync(join(folder, "flipped"), bytes);
    expect(check("flipped").status).toBe(1);
  });
});
