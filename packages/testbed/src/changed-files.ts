import { execFileSync } from "node:child_process";
import {
  cpSync,
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
import Sqlite from "better-sqlite3";
import { gridlock } from "./command.js";
import { endHosts, type Outcome, runHosted } from "./command-host.js";
import { falsify } from "./falsify.js";
import { type Choices, choicesOf } from "./fault-runs.js";
import { filesIn } from "./folder.js";
import { resealCertificate, resealColumn, resealWeights } from "./reseal.js";

/*
 * A file of some format is changed at random, as damage or somebody who wants harm would: names,
 * counts, types, sizes, checksums that are right again, links and pipes. Then a command that reads
 * it runs. It must end soon, with the right values or a sentence, in little memory, and leave all
 * other files alone.
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

/** A change of a file; `isSealed` if checksums do not show it. */
interface Change {
  readonly change: string;
  readonly isSealed?: boolean;
}

/** The parts of a command's JSON that say what boards are worth. */
interface Worth {
  readonly value?: number | null;
  readonly starts?: readonly { readonly value: number | null }[];
}

/** Returns the values in what a command prints, if it prints JSON. */
function valuesIn(command: string, stdout: string): string {
  if (!command.includes("--json") || stdout === "") return "";
  const { value, starts } = JSON.parse(stdout) as Worth;
  return JSON.stringify(starts?.map((start) => start.value) ?? value ?? "");
}

/** Runs commands, which must succeed, in a folder; returns the values that the last one prints. */
async function runAll(folder: string, commands: string): Promise<string> {
  let values = "";
  for (const command of commands.split("; ")) {
    const { code, stdout, stderr } = await runHosted(folder, command.split(" "), PATIENCE_MS);
    if (code !== 0 || stderr.includes("error:")) throw new Error(`${command} failed: ${stderr}`);
    values = valuesIn(command, stdout);
  }
  return values;
}

/** Files of a format, and the commands that make and read them. */
interface Files {
  /** The names of the files to change. */
  readonly names: RegExp;
  /** Commands that make them, or a function. */
  readonly make: string | ((folder: string) => Promise<void>);
  /** Commands of which one reads them after each change. */
  readonly readers: readonly string[];
  /** Computes the checksums of a file anew. */
  readonly reseal?: (bytes: Buffer) => void;
}

/**
 * Changes files of a format again and again. The values that a reader then prints are those of the
 * unchanged files, unless checksums hide the change; a checker (`verify`) prints them even then.
 *
 * @param folder an empty folder
 * @param runs number of changes, each of the files as they were made
 * @returns how the readers have ended, each in two words
 * @throws {Error} saying what was wrong
 */
export async function readChanged(
  format: keyof typeof CHANGED_FILES,
  folder: string,
  runs: number,
): Promise<Set<string>> {
  const { names, make, readers, reseal }: Files = CHANGED_FILES[format];
  const whole = join(folder, "whole");
  mkdirSync(whole);
  endHosts();
  if (typeof make === "string") await runAll(whole, make);
  else await make(whole);
  const values = new Map<string, string>();
  for (const reader of readers) {
    const tried = join(folder, "tried");
    cpSync(whole, tried, { recursive: true });
    values.set(reader, await runAll(tried, reader));
    rmSync(tried, { recursive: true });
  }
  const ends = new Set<string>();
  for (let run = 1; run <= runs; run++) {
    const choices = choicesOf(`1 changed-${format} ${run}`);
    // Files that somebody may want to reach lie above the changed one.
    const outer = join(folder, `${run}`);
    const work = join(outer, "a", "b");
    cpSync(whole, work, { recursive: true });
    for (const name of ["victim.txt", "a/victim.txt"]) writeFileSync(join(outer, name), "precious");
    const reader = choices.pick(readers);
    const file = choices.pick(filesIn(work, names));
    // A quarter of the changes replace the file.
    const { change, isSealed = false } =
      run % 4 === 0 ? replaceFile(file, outer, choices) : changeFile(file, choices, reseal);
    const outside = filesOutside(outer, work);
    const outcome = await runHosted(work, reader.split(" "), PATIENCE_MS);
    const isExact = !isSealed || reader.startsWith("verify");
    const wrong =
      filesOutside(outer, work) === outside
        ? failureOf(outcome, reader, isExact ? values.get(reader) : undefined)
        : "files outside were changed";
    if (wrong !== undefined) {
      const told = `run ${run}: ${file.slice(work.length + 1)} ${change}: ${reader} ${outcome.code}`;
      throw new Error(`${wrong}: ${told}: ${outcome.stderr.slice(0, 300)}`);
    }
    rmSync(outer, { recursive: true });
    ends.add(`${reader.split(" ")[0]} ${outcome.code}`);
  }
  return ends;
}

/** Returns what a command did wrong, or undefined. */
function failureOf(
  { code, signal, stdout, stderr, memory = 0 }: Outcome,
  command: string,
  values: string | undefined,
): string | undefined {
  if (signal !== null) return `it was ended by ${signal}`;
  if (!CODES.includes(code)) return `its exit code is ${code}`;
  const raw = RAW.exec(stderr)?.[0];
  if (raw !== undefined) return `it says ${JSON.stringify(raw)}`;
  if (memory > MOST_MEMORY) return `its process has had ${memory} bytes`;
  if (code !== 0)
    return stdout === "" && !/^error: .+$/m.test(stderr) ? "it gives no reason" : undefined;
  if (values === undefined || valuesIn(command, stdout) === values) return undefined;
  return `it printed ${stdout.slice(0, 200)}`;
}

/** Lists what is in a folder, except in the folder `work`, with what changes when it is written. */
function filesOutside(folder: string, work: string): string {
  const lines = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => !`${file}/`.startsWith(`${work}/`))
    .map((file) => [file, lstatSync(file)] as const)
    .map(([file, { ino, mode, size, mtimeMs }]) => [file, ino, mode, size, mtimeMs].join(" "));
  return lines.join("\n");
}

/** Changes a file's rows or bytes. */
function changeFile(file: string, choices: Choices, reseal?: (bytes: Buffer) => void): Change {
  const isSqlite = readFileSync(file).subarray(0, 6).toString() === "SQLite";
  return isSqlite && choices.random() < 0.75
    ? changeRows(file, choices)
    : changeBytes(file, choices, reseal);
}

/** Values that somebody may put into a column. */
const VALUES = [
  ...["-1", "0", "1", "7", "255", "65536", "1000000000", "4294967296", "9007199254740993"],
  ...["9223372036854775807", "-9223372036854775808", "1e300", "-0.5", "NULL", "x'00ff'"],
  ...["'x'", "''", "'12'", "'../../victim.txt'", "'../victim.txt'", "'{}'"],
  ...["'null'", "'[]'", "'[1e9]'", "'2x99'", "'0x0'", "char(27,91,50,74)", "zeroblob(100000)"],
  "hex(zeroblob(100000))",
];

/**
 * Changes a column of one row or of all, deletes the rows, or puts another table in their place.
 * Other schemas are refused in one place, which `store/test/strangers.test.ts` tests.
 */
function changeRows(file: string, { random, pick }: Choices): Change {
  const tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
  const table = pick(queried(file, `${tables} ORDER BY name`));
  const column = pick(queried(file, `SELECT name FROM pragma_table_info('${table}')`));
  const which =
    random() < 0.5 ? "" : ` WHERE "${column}" = (SELECT max("${column}") FROM "${table}")`;
  const change = `UPDATE OR REPLACE "${table}" SET "${column}" = ${pick(VALUES)}${which}`;
  const deletion = `DELETE FROM "${table}"`;
  const page = `UPDATE sqlite_schema SET rootpage = 2 WHERE name = '${table}'`;
  const chance = random();
  const sql = chance < 0.1 ? deletion : chance < 0.2 ? page : change;
  try {
    falsify(file, sql);
    return { change: sql };
  } catch {
    falsify(file, deletion); // the column cannot have the value
    return { change: deletion };
  }
}

/** Changes bytes, numbers or texts; then the checksums may be right again. */
function changeBytes(
  file: string,
  { random, pick }: Choices,
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

/** Replaces a file by something else, such as a link to a file of `folder`. */
function replaceFile(file: string, folder: string, { pick }: Choices): Change {
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

function queried(file: string, sql: string): string[] {
  const sqlite = new Sqlite(file);
  try {
    return sqlite.prepare<[], string>(sql).pluck().all();
  } finally {
    sqlite.close();
  }
}

const SMALL = "--workers 1 --memory 64M";
const SOLVED = "solve 2x2 --quiet; prove 2x2";
const VERIFY = "verify 2x2 --workers 1 --json";
const QUERY = "query 2_2/0_0 --json";
const STATUS = "status --json";

/** Files that are changed, by format. */
export const CHANGED_FILES = {
  database: {
    names: /\.db$/,
    make: SOLVED,
    readers: [
      ...[VERIFY, QUERY, STATUS, "export 2x2 --format csv", "prove 2x2"],
      `solve 2x2 ${SMALL} --quiet --json`,
    ],
  },
  certificate: {
    names: /\.certificate$/,
    make: SOLVED,
    readers: [
      ...[VERIFY, "status --json", "query 2_2/0_0 --verified --json"],
      "verify --certificate results/gridlock.2x2.certificate --workers 1 --json",
    ],
    reseal: resealCertificate,
  },
  snapshot: {
    names: /\.snapshot$/,
    make: makeSnapshot,
    readers: [`solve 2x3 ${SMALL} --quiet --json`, STATUS],
  },
  tabulation: {
    names: /\.(positions|minimax|expected)$/,
    make: "solve 2x2 --quiet; tabulate 2x2 --quiet",
    readers: [
      `tabulate 2x2 ${SMALL} --quiet --json`,
      ...["analyze 2x2 --workers 1 --quiet", QUERY, STATUS],
    ],
    reseal: resealColumn,
  },
  weights: {
    names: /\.weights$/,
    make: "train 2x2 --games 20 --output w.weights --quiet",
    readers: [
      "play 2x2 --player ntuple:w.weights --games 2 --workers 1 --json",
      "train 2x2 --games 22 --output w.weights --quiet --json",
    ],
    reseal: resealWeights,
  },
} as const satisfies Readonly<Record<string, Files>>;

/** Begins to solve 2×3, and stops in the first search, which leaves a snapshot. */
async function makeSnapshot(folder: string): Promise<void> {
  for (let seconds = 1; filesIn(folder, /\.snapshot$/).length === 0; seconds *= 2) {
    const solve = ["solve", "2x3", "--workers", "1", "--memory", "64M", "--for", `${seconds}s`];
    const { code, stderr } = await gridlock(folder, solve, { slowed: PATIENCE_MS });
    if (code !== 3) throw new Error(`${solve.join(" ")} ended with ${code}: ${stderr}`);
  }
}
