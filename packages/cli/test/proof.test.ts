import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  canonical,
  exponentOf,
  formatBoard,
  type PackedBoard,
  packBoard,
  packedFromBits,
  parseBoard,
  parseShape,
  type Shape,
  tileSum,
  unpackBoard,
} from "@gridlock/game";
import { Database } from "@gridlock/store";
import {
  beginSolves,
  encodeCertificate,
  gridlock,
  json,
  Oracle,
  temporaryFolder,
} from "@gridlock/testbed";
import {
  CertificateFile,
  type Claim,
  encodeBlock,
  encodeEnd,
  encodeHeader,
} from "@gridlock/verify";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const SCRIPTS = fileURLToPath(new URL("../../../scripts/", import.meta.url));
const SHAPES = ["2x2", "2x3", "2x4"];

/** A folder whose database has the values of all shapes, and their certificates beside it. */
let folder: string;

beforeAll(async () => {
  folder = temporaryFolder(afterAll);
  for (const shape of SHAPES) {
    await json(folder, ["solve", shape, "--json"]);
    const { claims } = await json(folder, ["prove", shape, "--json"]);
    expect(claims).toBeGreaterThan(6);
  }
});

const parseGame = (shape: string) => ({ shape: parseShape(shape), tiles: [2, 4] }) as const;

/** Returns the path of a shape's certificate beside a database. */
const beside = (db: string, shape: string) => db.replace(/\.db$/, `.${shape}.certificate`);
const certificateOf = (shape: string) => beside(join(folder, "results/gridlock.db"), shape);

/** A copy of the database, and of all certificates, in a folder of its own, after some SQL. */
function changed(sql = "SELECT 1"): string {
  const file = join(temporaryFolder(), "gridlock.db");
  copyFileSync(join(folder, "results/gridlock.db"), file);
  for (const shape of SHAPES) copyFileSync(certificateOf(shape), beside(file, shape));
  const sqlite = new Sqlite(file);
  sqlite.exec(sql);
  sqlite.close();
  return file;
}

function claimsOf(shape: string): Claim[] {
  using certificate = CertificateFile.open(certificateOf(shape));
  return [...certificate.all()];
}

/** A copy of the database whose certificate of 2×3 has other claims. */
async function withClaims(change: (claim: Claim) => Claim[]): Promise<string> {
  const file = changed();
  const claims = claimsOf("2x3").flatMap(change);
  writeFileSync(beside(file, "2x3"), await encodeCertificate(parseGame("2x3"), claims));
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

/** Selects the rows of a shape in SQL. */
const ofShape = (rows: number, cols: number) =>
  `game = (SELECT id FROM game WHERE rows = ${rows} AND cols = ${cols})`;

/** The start 2 2 0/0 0 0. */
const START = 0x11n;

describe("gridlock verify", () => {
  it("checks every claim of all shapes, and reports that all values follow", async () => {
    const { code, stdout } = await gridlock(folder, ["verify"]);
    expect(code).toBe(0);
    for (const shape of SHAPES) {
      expect(stdout).toMatch(
        new RegExp(
          `${shape}: [\\d,]+ claims checked in .* a second: [\\d,]+ lower and [\\d,]+ upper`,
        ),
      );
      expect(stdout).toMatch(new RegExp(`${shape}: the values of all \\d+ starts follow`));
    }
    const report = await json(folder, ["verify", "2x3", "--json"]);
    const file = "results/gridlock.2x3.certificate";
    expect(report).toMatchObject({ shape: "2x3", file, complete: true, failed: 0 });
    const claims = claimsOf("2x3");
    expect(report.claims).toBe(claims.length);
    expect(report.lower).toBe(claims.filter(({ lo }) => lo > 0).length);
  });

  it("checks a file alone", async () => {
    for (const [shape, largestTileSum] of [
      ["2x2", 18],
      ["2x3", 38],
    ] as const) {
      const file = certificateOf(shape);
      const args = ["verify", "--certificate", file, "--json"];
      const proven = { shape, file, complete: true, database: null, largestTileSum };
      expect(await json(folder, args)).toMatchObject(proven);
    }
    const other = await gridlock(folder, ["verify", "2x2", "--certificate", certificateOf("2x3")]);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain("is a certificate of 2x3, not of 2x2");
  });

  it("checks a certificate without a database, and finds the same in little memory", async () => {
    const file = join(temporaryFolder(), "lone.db");
    copyFileSync(certificateOf("2x4"), beside(file, "2x4"));
    const args = ["verify", "--db", file, "--memory", "256M", "--workers", "2", "--json"];
    expect(await json(folder, args)).toMatchObject({
      shape: "2x4",
      complete: true,
      database: null,
    });
  });

  it("reports a false claim with its board and the arithmetic", async () => {
    const file = await withClaims((claim) =>
      claim.board === START ? [{ ...claim, lo: 48, hi: Number.POSITIVE_INFINITY }] : [claim],
    );
    const { code, stdout } = await gridlock(folder, ["verify", "2x3", "--db", file]);
    expect(code).toBe(1);
    expect(stdout).toContain("2  2  ·");
    expect(stdout).toContain("h ≥ 48 does not follow");
    expect(stdout).toMatch(/claimed ≥ \d+: \d+ short|has no claim/);
    expect(stdout).toContain("2x3: NOT proven");
    expect(stdout).toContain(`the bounds in ${file} were not compared with the certificate`);
    const checked = await gridlock(folder, ["verify", "2x3", "--json", "--db", file]);
    expect(JSON.parse(checked.stdout)).toMatchObject({ complete: false, database: null });
  });

  it("reports a value that does not follow from the certificate", async () => {
    const file = changed(`DELETE FROM bound WHERE ${ofShape(2, 3)}`);
    expect((await gridlock(folder, ["verify", "2x3", "--db", file])).code).toBe(0);
    const other = await withClaims((claim) => (claim.board === START ? [] : [claim]));
    const { code, stdout } = await gridlock(folder, ["verify", "2x3", "--db", other]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /1 of 20 starts are not proven\. The first: 2 2 0\/0 0 0: its claim is missing/,
    );
  });

  it("finds a false bound beside a valid certificate", async () => {
    const lower = claimsOf("2x3").find(({ lo, hi }) => lo > 8 && hi === Number.POSITIVE_INFINITY);
    const { board: packed, lo } = lower as Claim;
    const file = forged(packed, 0, lo - 4);
    const { code, stdout } = await gridlock(folder, ["verify", "2x3", "--db", file]);
    expect(code).toBe(1);
    expect(stdout).toContain("the values of all 20 starts follow");
    const board = formatBoard(unpackBoard(parseShape("2x3"), packed));
    expect(stdout).toMatch(/1 bound in \S+gridlock\.db contradicts the certificate\. The first: /);
    expect(stdout).toContain(`${board}: the database has 0 … ${lo - 4}, but `);
    const checked = await gridlock(folder, ["verify", "2x3", "--json", "--db", file]);
    expect(JSON.parse(checked.stdout)).toMatchObject({
      complete: true,
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
    expect(after).toMatchObject({ complete: true });
    expect(after.database.notCovered).toBe(before.database.notCovered + 1);
    expect((await gridlock(folder, ["verify", "2x3", "--db", file])).stdout).toContain(
      `${after.database.notCovered} bounds in ${file} are not covered by the certificate and were not checked`,
    );
    const query = ["query", board, "2 2 0/0 0 0", "--values", "--verified", "--db", file];
    const { stdout } = await gridlock(folder, query);
    const oracle = new Oracle(parseGame("2x3")).position(parseBoard(board).board);
    expect(oracle).toBeLessThan(400);
    expect(stdout).toBe(`${board}: ${oracle}\n2 2 0/0 0 0: 44\n`);
    using database = Database.open(file, { readOnly: true });
    expect(database.bounds(parseGame("2x3")).count().bounds).toBe(after.database.bounds);
  });

  it("query --verified checks the certificate before it answers", async () => {
    const file = await withClaims((claim) => [{ ...claim, lo: claim.lo + 4 }]);
    const input = "2 2/0 0\n2 2 0/0 0 0\n";
    const { code, stdout, stderr } = await gridlock(
      folder,
      ["query", "--verified", "--values", "--db", file],
      { input },
    );
    expect(code).toBe(1);
    expect(stdout).toBe("2 2/0 0: 12\n");
    expect(stderr).toMatch(/^error: \S+2x3.certificate does not hold; gridlock verify/);
  });

  it("stores which file was checked: not a copy, not a changed one, none that fails", async () => {
    const file = changed();
    const isChecked = async () => {
      const { games } = await json(folder, ["status", "--db", file, "--json"]);
      return games.map(
        ({ certificate }: { certificate: { checked: boolean } }) => certificate.checked,
      );
    };
    expect(await isChecked()).toEqual([false, false, false]); // the database says so of other files
    expect((await gridlock(folder, ["verify", "2x3", "--db", file])).code).toBe(0);
    expect(await isChecked()).toEqual([false, true, false]);
    expect(
      (await gridlock(folder, ["query", "2 2/0 0", "--values", "--verified", "--db", file])).stdout,
    ).toBe("2 2/0 0: 12\n");
    expect(await isChecked()).toEqual([true, true, false]);
    const claims = claimsOf("2x3").map((claim) => ({ ...claim, lo: claim.lo + 4 }));
    writeFileSync(beside(file, "2x3"), await encodeCertificate(parseGame("2x3"), claims));
    expect((await gridlock(folder, ["verify", "2x3", "--db", file])).code).toBe(1);
    expect(await isChecked()).toEqual([true, false, false]);
  });

  it("passes over a shape that has merely been begun, unless it is named", async () => {
    const file = changed();
    beginSolves(file, "2x5");
    const all = await gridlock(folder, ["verify", "--db", file]);
    expect(all.stderr).toContain("2x5 is not solved yet, and was not checked\n");
    expect(all.code).toBe(0);
    expect((await gridlock(folder, ["verify", "2x5", "--db", file])).code).toBe(1);
  });

  it("names what is missing: a certificate, a solution, a database", async () => {
    const file = join(temporaryFolder(), "bare.db");
    copyFileSync(join(folder, "results/gridlock.db"), file);
    const bare = await gridlock(folder, ["verify", "2x3", "--db", file]);
    expect(bare.code).toBe(1);
    expect(bare.stdout).toMatch(
      /20 values and no certificate: there is no \S+bare.2x3.certificate; run gridlock prove 2x3 to make it/,
    );
    const unsolved = await gridlock(folder, ["prove", "2x5"]);
    expect(unsolved.code).toBe(2);
    expect(unsolved.stderr).toContain("has no results of 2x5; run gridlock solve 2x5 first");
    expect((await gridlock(folder, ["verify", "2x5"])).code).toBe(2);
    expect((await gridlock(folder, ["verify", "--db", "none.db"])).code).toBe(2);
    expect((await gridlock(folder, ["verify", "--certificate", "none"])).code).toBe(2);
  });

  it("refuses a certificate of an earlier version, and of another game than its name says", async () => {
    const file = changed();
    writeFileSync(
      beside(file, "2x3"),
      "gridlock certificate 1\nshape 2x3\ntiles 2,4\neffort 0\nclaims 0\n\n",
    );
    const old = await gridlock(folder, ["verify", "2x3", "--db", file]);
    expect(old.code).toBe(2);
    expect(old.stderr).toMatch(
      /version 1; this program reads version 2: make it again with gridlock prove/,
    );
    copyFileSync(certificateOf("2x2"), beside(file, "2x3"));
    const other = await gridlock(folder, ["verify", "2x3", "--db", file]);
    expect(other.code).toBe(1);
    expect(other.stderr).toMatch(/is a certificate of 2x2, which its name does not say/);
  });
});

describe("the certificate of lower bounds", () => {
  const name = "of %s at %i points is made, holds, and says what it certifies";
  it.each([
    ["2x4", 60],
    ["3x3", 100],
  ])(name, { timeout: 120_000 }, certifies);
  it.each([["4x4", 80]])(name, { timeout: 900_000, tags: ["long"] }, certifies);

  async function certifies(shape: string, points: number): Promise<void> {
    const place = temporaryFolder();
    const memory = shape === "4x4" ? ["--memory", "3G"] : [];
    const bounds = ["solve", shape, "--lower-bounds", "--guess", `${points}`, "--json"];
    const { starts } = await json(place, [...bounds, ...memory]);
    const unsolved = await gridlock(place, ["prove", shape]);
    expect(unsolved.code).toBe(2);
    expect(unsolved.stderr).toContain(`gridlock prove ${shape} --lower-bounds\n`);
    const prove = ["prove", shape, "--lower-bounds", "--json", ...memory];
    const { file, claims, upper } = await json(place, prove);
    expect(upper).toBe(0);
    const report = await json(place, ["verify", shape, "--json"]);
    expect(report).toMatchObject({ claims, upper: 0, failed: 0, complete: false });
    const least = Math.min(...starts.map(({ lo }: { lo: number }) => lo));
    expect(least).toBeGreaterThanOrEqual(points);
    expect(report.lowerBound).toBe(least);
    const { code, stdout } = await gridlock(place, ["verify", shape]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      `${shape}: each of the ${starts.length} starts is worth at least ${least} points; there are no upper claims\n`,
    );
    if (python && shape !== "4x4") {
      const checker = join(SCRIPTS, "check_certificate.py");
      const second = spawnSync("python3", [checker, join(place, file)], { encoding: "utf8" });
      expect(second.stdout).toContain(`${starts.length} starts: each is worth at least ${least}\n`);
      expect(second.status).toBe(0);
    }
  }

  it("proves nothing without a claim about each start, or with a false one", async () => {
    const place = temporaryFolder();
    const bounds = ["solve", "2x3", "--lower-bounds", "--guess", "24"];
    await gridlock(place, [...bounds, "--start", "2 2 0/0 0 0"]);
    const some = await gridlock(place, ["prove", "2x3", "--lower-bounds"]);
    expect(some.code).toBe(2);
    expect(some.stderr).toContain("has lower bounds of 1 of 20 starts of 2x3; run gridlock solve");
    await gridlock(place, bounds);
    const { file } = await json(place, ["prove", "2x3", "--lower-bounds", "--json"]);
    using certificate = CertificateFile.open(join(place, file));
    const claims = [...certificate.all()];
    const { board } = parseBoard("2 2 0/0 0 0");
    const start = packBoard(canonical(board));
    for (const [kept, sentence] of [
      [claims.filter((claim) => claim.board !== start), "its claim is missing"],
      [claims.map((claim) => (claim.board === start ? { ...claim, lo: 48 } : claim)), "48"],
    ] as const) {
      const forgery = join(place, "forgery");
      writeFileSync(forgery, await encodeCertificate(certificate.game, kept));
      const { code, stdout } = await gridlock(place, ["verify", "--certificate", forgery]);
      expect(code).toBe(1);
      expect(stdout).toContain(sentence);
      expect(stdout).toContain("2x3: NOT proven");
    }
  });

  it("is not made of a shape whose values are known", async () => {
    const { code, stderr } = await gridlock(folder, ["prove", "2x3", "--lower-bounds"]);
    expect(code).toBe(2);
    expect(stderr).toContain("without --lower-bounds proves them");
  });
});

const python = spawnSync("python3", ["--version"]).status === 0;
describe.runIf(python)("the second checker, in Python", () => {
  const check = (file: string, input?: Buffer) =>
    spawnSync("python3", [join(SCRIPTS, "check_certificate.py"), file], {
      cwd: folder,
      encoding: "utf8",
      input,
    });

  it.each([
    ["2x2", "6 starts: 2 x 12, 4 x 8"],
    ["2x3", "20 starts: 11 x 44, 9 x 40"],
    ["2x4", "34 starts: 23 x 124, 7 x 116, 4 x 112"],
  ])("agrees on %s", async (shape, values) => {
    const { status, stdout } = check(certificateOf(shape));
    const { lower, upper } = await json(folder, ["verify", shape, "--json"]);
    expect(stdout).toContain(`every claim follows: ${lower} lower, ${upper} upper`);
    expect(stdout).toContain(values);
    expect(status).toBe(0);
    expect(check("-", readFileSync(certificateOf(shape))).stdout).toBe(stdout);
  });

  it.each<[string, string, number, number, boolean]>([
    ["2x2", "32 4/4 2", 0, 1, true],
    ["2x2", "64 4/4 2", 0, 1, false],
    ["2x2", "32 16/16 2", 0, 1, false],
    ["2x2", "2 4/4 2", 1, 1, false],
    ["4x4", Array(4).fill("32768 32768 32768 32768").join("/"), 25_000, 0, false],
    ["4x4", `32768 32768 0 0${"/0 0 0 0".repeat(3)}`, 16_384, 0, false],
  ])("agrees with verify on claims about boards of %s that no play reaches: %s", async (...row) => {
    const [shape, text, lower, upper, isReached] = row;
    const tiles = text.split(/[ /]/).map(Number);
    const bytes = await fileOf(parseShape(shape), tiles, lower, upper);
    writeFileSync(join(folder, "one"), bytes);
    const { stdout, stderr } = check("one");
    expect([stdout.includes("every claim follows"), stderr !== ""]).toEqual([isReached, true]);
    const verified = await gridlock(folder, ["verify", "--certificate", "one", "--json"]);
    expect(verified.code).toBe(1); // the starts are not proven
    // A file with such a tile sum is refused, one with such a board fails.
    const failures = verified.stdout ? JSON.parse(verified.stdout).failures.length : 1;
    expect(failures).toBe(isReached ? 0 : 1);
  });

  it("refuses a certificate that is truncated or changed", async () => {
    const bytes = readFileSync(certificateOf("2x3"));
    writeFileSync(join(folder, "cut"), bytes.subarray(0, -1));
    expect(check("cut").status).toBe(1);
    bytes[200] = (bytes[200] as number) ^ 1;
    writeFileSync(join(folder, "flipped"), bytes);
    expect(check("flipped").status).toBe(1);
    const all = claimsOf("2x3");
    for (const lower of [all.findIndex(({ hi }) => hi > 1000), all.length - 1]) {
      const claims = all.map((claim, i) => (i === lower ? { ...claim, lo: 400, hi: 400 } : claim));
      writeFileSync(join(folder, "false"), await encodeCertificate(parseGame("2x3"), claims));
      const { status, stderr } = check("false");
      expect(status).toBe(1);
      expect(stderr).toContain("does not follow");
    }
  });
});

/** Encodes a file with one claim, whether its board is one of play or not. */
async function fileOf(
  shape: Shape,
  tiles: readonly number[],
  lower: number,
  upper: number,
): Promise<Buffer> {
  const exponents = tiles.map((tile) => BigInt(exponentOf(tile)));
  const packed = packedFromBits(exponents.reduceRight((sum, exponent) => 16n * sum + exponent, 0n));
  const [low, high] = [Number(packed & 0xffff_ffffn), Number(packed >> 32n)];
  const sum = tileSum({ ...shape, cells: tiles });
  const block = await encodeBlock(sum, Uint32Array.of(low, high, lower, upper));
  return Buffer.concat([encodeHeader({ shape, tiles: [2, 4] }), block, encodeEnd(1, 1)]);
}
