import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { packBoard, parseShape, starts } from "@gridlock/game";
import { defaultMemory, LocalPool, poolThreads, warmTable } from "@gridlock/solver";
import { Database, snapshotFileOf } from "@gridlock/store";
import Sqlite from "better-sqlite3";
import { endHosts, type Outcome, runHosted } from "./command-host.js";
import { falsify } from "./falsify.js";
import type { FaultKind, FaultRun } from "./fault-kind.js";
import { filesIn } from "./folder.js";
import { resealCertificate, resealColumn, resealWeights } from "./reseal.js";

/*
 * A file of some format is changed at random, as damage or somebody who wants harm would: names,
 * counts, types, sizes, checksums that are right again, links and pipes. Then a command that reads it
 * runs. It must end soon, with the right values or a sentence, in little memory, and leave all other
 * files alone.
 */

/** The most bytes of memory of a process that runs commands on changed files. */
const MOST_MEMORY = 512 * 2 ** 20;
/** Milliseconds after which a command counts as hanging; it takes a fraction of a second. */
const PATIENCE_MS = 60_000;
/** Exit codes: done, failed, invalid input, done in part. */
const CODES: readonly (number | null)[] = [0, 1, 2, 3];
/** Texts of libraries and of the runtime that no user should see. */
const RAW =
  /\n +at |\b(Sqlite|Type|Range|Reference|Syntax|Runtime|Zod)Error\b|Cannot (destructure|read prop|convert|mix|set prop)|\bE[A-Z]{3,}:|ERR_[A-Z]|is not (a function|iterable)|\bundefined\b|\bNaN\b|\[object|Invalid (array|typed)|unreachable|out of bounds|Unexpected (token|end)/;

/** A command that reads a format. */
interface Reader {
  /** Its words, with a blank between two. */
  readonly command: string;
  /**
   * Returns whether its JSON is right; it is whatever it is after a change that its checksums hide
   * (default: any is right).
   */
  readonly isRight?: (json: never) => boolean;
  /** True if it must be right after any change. */
  readonly isChecker?: true;
}

/** A change of a file; `isSealed` if checksums do not show it. */
interface Change {
  readonly change: string;
  readonly isSealed?: boolean;
}

/** Makes a kind that changes files of a format; `reseal` computes the checksums of a file anew. */
function changed(
  what: string,
  files: RegExp,
  make: string | ((folder: string) => Promise<void>),
  readers: readonly Reader[],
  reseal?: (bytes: Buffer) => void,
): FaultKind {
  const prepare: FaultKind["prepare"] = async (_, whole) => {
    endHosts();
    if (typeof make === "string") await runAll(whole, make.split("; "));
    else await make(whole);
    const tried = `${whole}-tried`;
    for (const { command } of readers) {
      cpSync(whole, tried, { recursive: true });
      await runAll(tried, [command]);
      rmSync(tried, { recursive: true });
    }
    return async (run) => {
      // Files that somebody may want to reach lie above the changed one.
      const work = join(run.folder, "a", "b");
      cpSync(whole, work, { recursive: true });
      for (const name of ["victim.txt", "a/victim.txt"]) {
        writeFileSync(join(run.folder, name), "precious");
      }
      const reader = run.pick(readers);
      const file = run.pick(filesIn(work, files));
      const { change, isSealed = false } = changeFile(file, run, reseal);
      const outside = treeOf(run.folder, work);
      const outcome = await runHosted(work, reader.command.split(" "), PATIENCE_MS);
      const wrong =
        treeOf(run.folder, work) === outside
          ? failureOf(outcome, reader, isSealed)
          : "files outside were changed";
      const told = `${file.slice(work.length + 1)} ${change}: ${reader.command} ${outcome.code}: ${outcome.stderr.slice(0, 300)}`;
      return {
        outcome: `${reader.command.split(" ")[0]} ${outcome.code}`,
        failures: wrong === undefined ? [] : [`${wrong}: ${told}`],
      };
    };
  };
  return { what: `${what} is changed at random, and a command reads it`, times: 500, prepare };
}

async function runAll(folder: string, commands: readonly string[]): Promise<void> {
  for (const command of commands) {
    const { code, stderr } = await runHosted(folder, command.split(" "), PATIENCE_MS);
    if (code !== 0 || stderr.includes("error:")) throw new Error(`${command} failed: ${stderr}`);
  }
}

/** Returns what a command did wrong, or undefined. */
function failureOf(
  { code, signal, stdout, stderr, memory = 0 }: Outcome,
  { command, isRight = () => true, isChecker }: Reader,
  isSealed: boolean,
): string | undefined {
  if (signal !== null) return `it was ended by ${signal}`;
  if (!CODES.includes(code)) return `its exit code is ${code}`;
  const raw = RAW.exec(stderr)?.[0];
  if (raw !== undefined) return `it says ${JSON.stringify(raw)}`;
  if (memory > MOST_MEMORY) return `its process has had ${memory} bytes`;
  if (code !== 0)
    return stdout === "" && !/^error: .+$/m.test(stderr) ? "it gives no reason" : undefined;
  if (!command.includes("--json") || (isSealed && !isChecker)) return undefined;
  return isRight(JSON.parse(stdout) as never) ? undefined : `it printed ${stdout.slice(0, 200)}`;
}

/** Lists the files in a folder with their times, modes and contents, except those in `without`. */
function treeOf(folder: string, without: string): string {
  const lines = readdirSync(folder).flatMap((name) => {
    const file = join(folder, name);
    if (file === without) return [];
    const stats = lstatSync(file);
    if (stats.isDirectory()) return [file, treeOf(file, without)];
    const digest = createHash("sha256").update(readFileSync(file)).digest("hex");
    return [`${file} ${stats.ino} ${stats.mtimeMs} ${stats.mode} ${digest}`];
  });
  return lines.join("\n");
}

/** Changes a file; a quarter of the changes replace it. */
function changeFile(file: string, run: FaultRun, reseal?: (bytes: Buffer) => void): Change {
  if (run.run % 4 === 0) return replaceFile(file, run);
  const isSqlite = readFileSync(file).subarray(0, 6).toString() === "SQLite";
  const kinds = isSqlite ? [changeRows, changeRows, changeSchema, changeBytes] : [changeBytes];
  return run.pick(kinds)(file, run, reseal);
}

/** Values that somebody may put into a column. */
const VALUES = [
  ...["-1", "0", "1", "7", "255", "65536", "1000000000", "4294967296", "9007199254740993"],
  ...["9223372036854775807", "-9223372036854775808", "1e300", "-0.5", "NULL", "x'00ff'"],
  ...["'x'", "''", "'12'", "'../../victim.txt'", "'../victim.txt'", "'{}'"],
  ...["'null'", "'[]'", "'[1e9]'", "'2x99'", "'0x0'", "char(27,91,50,74)", "zeroblob(100000)"],
  "hex(zeroblob(100000))",
];

/** Changes a column of one row or of all, or deletes the rows. */
function changeRows(file: string, { random, pick }: FaultRun): Change {
  const table = pick(tablesIn(file));
  const column = pick(columnsIn(file, table));
  const which =
    random() < 0.5 ? "" : ` WHERE "${column}" = (SELECT max("${column}") FROM "${table}")`;
  const change = `UPDATE OR REPLACE "${table}" SET "${column}" = ${pick(VALUES)}${which}`;
  const deletion = `DELETE FROM "${table}"`;
  const sql = random() < 0.1 ? deletion : change;
  try {
    falsify(file, sql);
    return { change: sql };
  } catch {
    falsify(file, deletion); // the column cannot have the value
    return { change: deletion };
  }
}

/** Changes the tables themselves. */
function changeSchema(file: string, { pick }: FaultRun): Change {
  const table = pick(tablesIn(file));
  const columns = columnsIn(file, table);
  const endless = `CREATE VIEW "${table}" AS WITH RECURSIVE n(i) AS
    (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT ${columns.map((name) => `i AS "${name}"`)} FROM n`;
  const sql = pick([
    `DROP TABLE "${table}"; ${endless}`,
    `DROP TABLE "${table}"`,
    `DROP TABLE "${table}"; CREATE TABLE "${table}" (x)`,
    `DROP TABLE "${table}"; CREATE TABLE "${table}" (${columns.map((name) => `"${name}"`)})`,
    `CREATE TRIGGER t AFTER INSERT ON "${table}" BEGIN DELETE FROM "${table}"; END`,
    `ALTER TABLE "${table}" ADD COLUMN more AS (1)`,
    `PRAGMA user_version = ${pick([-1, 0, 1, 99])}`,
    `PRAGMA application_id = ${pick([-1, 0, 1])}`,
    `UPDATE sqlite_schema SET sql = 'x' WHERE name = '${table}'`,
    `UPDATE sqlite_schema SET rootpage = ${pick([1, 2, 1000000])} WHERE name = '${table}'`,
  ]);
  falsify(file, sql);
  return { change: sql };
}

/** Changes bytes, numbers or texts; then the checksums may be right again. */
function changeBytes(
  file: string,
  { random, pick }: FaultRun,
  reseal?: (bytes: Buffer) => void,
): Change {
  const bytes = readFileSync(file);
  const at = Math.floor(random() * Math.max(1, bytes.length - 8));
  const text = bytes.subarray(0, 20_000).toString("latin1");
  const numbers = [...text.matchAll(/\d+/g)];
  const isText = /^[\x20-\x7e\n]{40}/.test(text) && numbers.length > 0;
  let fresh = Buffer.from(bytes);
  let change: string;
  if (isText && random() < 0.7) {
    const { index, 0: number } = pick(numbers);
    const value = pick([
      ...["-1", "1e308", "0", "99999999999999999999", '"x"', "null", "[]", "{}", "3x3", ""],
      "[".repeat(100_000),
    ]);
    const rest = bytes.subarray(index + number.length);
    fresh = Buffer.concat([bytes.subarray(0, index), Buffer.from(value), rest]);
    change = `with ${value.slice(0, 30)} at ${index}`;
  } else if (bytes.length >= 8 && random() < 0.8) {
    const value = pick([0, 1, 0x7f, 0xff, 0xffff, 0x7fffffff, 0xffffffff]);
    const width = pick([1, 2, 4]);
    // Heads are small, and are changed as often as all the rest.
    const place = random() < 0.5 ? Math.min(at, Math.floor(random() * 80)) : at;
    fresh.writeUIntLE(value % 2 ** (8 * width), place, width);
    change = `with ${width} bytes of ${value} at ${place}`;
  } else {
    fresh = Buffer.concat([bytes.subarray(0, at), Buffer.alloc(pick([0, 1, 4096]), 0x5a)]);
    change = `cut at ${at}, ${fresh.length - at} added`;
  }
  const isSealed = reseal !== undefined && random() < 0.7;
  if (isSealed) reseal(fresh);
  writeFileSync(file, fresh);
  return { change: isSealed ? `${change}, resealed` : change, isSealed };
}

/** Replaces a file by something else. */
function replaceFile(file: string, { folder, pick }: FaultRun): Change {
  const whole = readFileSync(file);
  const fill = (contents: string | Buffer, length: number) => {
    writeFileSync(file, contents);
    truncateSync(file, length);
  };
  const kinds: Readonly<Record<string, () => void>> = {
    "is a folder": () => mkdirSync(file),
    "is a named pipe": () => void execFileSync("mkfifo", [file]),
    "is a link to another file": () => symlinkSync(join(folder, "victim.txt"), file),
    "is a link to nothing": () => symlinkSync(join(folder, "nothing"), file),
    "is a link to itself": () => symlinkSync(file, file),
    "is a device": () => symlinkSync("/dev/zero", file),
    "is empty": () => fill("", 0),
    "is a text": () => writeFileSync(file, "Hello, world.\n".repeat(1000)),
    "is huge": () => fill("", 2 ** 36),
    "is lengthened": () => fill(whole, 2 ** 36),
    "is missing": () => {},
  };
  rmSync(file);
  const change = pick(Object.keys(kinds));
  kinds[change]?.();
  return { change };
}

function tablesIn(file: string): string[] {
  return queried(
    file,
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  );
}

function columnsIn(file: string, table: string): string[] {
  return queried(file, `SELECT name FROM pragma_table_info('${table}')`);
}

function queried(file: string, sql: string): string[] {
  const sqlite = new Sqlite(file, { readonly: true });
  try {
    return sqlite.prepare<[], string>(sql).pluck().all();
  } finally {
    sqlite.close();
  }
}

interface Solved {
  readonly starts: readonly { readonly value: number | null }[];
}
const has2x2 = ({ starts }: Solved) => String(starts.map(({ value }) => value)) === "12,12,8,8,8,8";
const has2x3 = ({ starts }: Solved) => starts.every(({ value }) => value === 40 || value === 44);
const isTwelve = ({ value }: { value: number }) => value === 12;

const SMALL = "--workers 1 --memory 64M";
const SOLVED = "solve 2x2 --quiet; prove 2x2";
const VERIFY: Reader = {
  command: "verify 2x2 --workers 1 --json",
  isRight: has2x2,
  isChecker: true,
};
const QUERY: Reader = { command: "query 2_2/0_0 --json", isRight: isTwelve };
const STATUS: Reader = { command: "status --json" };
const CLEAN: Reader = { command: "clean --yes" };

/** Kinds of changes of files, by name. */
export const CHANGED_FILES: Readonly<Record<string, FaultKind>> = {
  "changed-database": changed("a database", /\.db$/, SOLVED, [
    ...[VERIFY, QUERY, STATUS, CLEAN],
    { command: `solve 2x2 ${SMALL} --quiet --json`, isRight: has2x2 },
    { command: "export 2x2 --format csv" },
    { command: "prove 2x2" },
  ]),
  "changed-certificate": changed(
    "a certificate",
    /\.certificate$/,
    SOLVED,
    [
      ...[VERIFY, STATUS],
      { command: "query 2_2/0_0 --verified --json", isRight: isTwelve },
      {
        ...VERIFY,
        command: "verify --certificate results/gridlock.2x2.certificate --workers 1 --json",
      },
    ],
    resealCertificate,
  ),
  "changed-snapshot": changed("a snapshot", /\.snapshot$/, makeSnapshot, [
    { command: `solve 2x3 ${SMALL} --quiet --json`, isRight: has2x3 },
    ...[STATUS, CLEAN],
  ]),
  "changed-tabulation": changed(
    "a file of a tabulation",
    /\.(positions|minimax|expected)$/,
    "solve 2x2 --quiet; tabulate 2x2 --quiet",
    [
      { command: `tabulate 2x2 ${SMALL} --quiet --json` },
      { command: "analyze 2x2 --workers 1 --quiet" },
      ...[QUERY, STATUS, CLEAN],
    ],
    resealColumn,
  ),
  "changed-weights": changed(
    "a file of weights",
    /\.weights$/,
    "train 2x2 --games 20 --output w.weights --quiet",
    [
      { command: "play 2x2 --player ntuple:w.weights --games 2 --workers 1 --json" },
      { command: "train 2x2 --games 22 --output w.weights --quiet --json" },
    ],
    resealWeights,
  ),
};

/** Begins to solve 2×3, and leaves a snapshot. */
async function makeSnapshot(folder: string): Promise<void> {
  const game = { shape: parseShape("2x3"), tiles: [2, 4] } as const;
  const databaseFile = join(folder, "results/gridlock.db");
  const snapshotFile = snapshotFileOf(databaseFile, game);
  using database = Database.open(databaseFile);
  const memory = defaultMemory(game, poolThreads(1), 2 ** 26);
  await using pool = new LocalPool(game, { workers: 1, memory });
  await warmTable(pool, game, database);
  const snapshots = pool.keep({ databaseFile, snapshotFile, every: 3600, effort: 1 });
  const [board] = starts(game.shape).map(packBoard);
  if (board !== undefined) await pool.ask({ turn: "slider", board, threshold: 40 });
  await snapshots.finish({ boundsOnly: false });
  if (!existsSync(snapshotFile)) throw new Error("there is no snapshot");
}
