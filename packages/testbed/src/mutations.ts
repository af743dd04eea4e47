import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
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
import { seededRandom } from "@gridlock/game";
import Sqlite from "better-sqlite3";
import { endHosts, type Outcome, runHosted } from "./command-host.js";
import { falsify } from "./falsify.js";
import { filesIn, TemporaryFolder } from "./folder.js";
import { FORMATS, type Format, type Reader } from "./mutated-formats.js";

/*
 * Changes the files of every format at random, as damage or somebody who wants harm would: names,
 * counts, types, sizes, checksums that are right again, links and pipes. Then runs commands that read
 * them. Each must end soon, with the right values or a sentence, in little memory, and leave all
 * other files alone.
 */

/** The most bytes of memory of a process that runs commands on changed files. */
export const MOST_MEMORY = 512 * 2 ** 20;
/** Milliseconds after which a command counts as hanging; it takes a fraction of a second. */
const PATIENCE_MS = 60_000;
/** Exit codes: done, failed, invalid input, done in part. */
const CODES: readonly (number | null)[] = [0, 1, 2, 3];
/** Texts of libraries and of the runtime that no user should see. */
const RAW =
  /\n +at |\b(Sqlite|Type|Range|Reference|Syntax|Runtime|Zod)Error\b|Cannot (destructure|read prop|convert|mix|set prop)|\bE[A-Z]{3,}:|ERR_[A-Z]|is not (a function|iterable)|\bundefined\b|\bNaN\b|\[object|Invalid (array|typed)|unreachable|out of bounds|Unexpected (token|end)/;

/** Options of a series of changed files. */
export interface MutationOptions {
  /** Number of changes to each format. */
  readonly count: number;
  readonly seed: number;
  /** The only format to change (default: all). */
  readonly only?: string | undefined;
  /** Called with each change and what a command said of it. */
  readonly log?: ((line: string) => void) | undefined;
}

/**
 * Changes files of all formats at random, one change at a time; see above.
 *
 * @returns the number of commands by format and outcome, descriptions of changes after which a command
 *   did wrong, and the most bytes of memory of a process
 */
export async function mutateFiles({ count, seed, only, log }: MutationOptions) {
  const outcomes = new Map<string, number>();
  const faults: string[] = [];
  let memory = 0;
  endHosts();
  for (const [name, format] of Object.entries(FORMATS)) {
    if (only !== undefined && only !== name) continue;
    using root = new TemporaryFolder();
    const whole = join(root.path, "whole");
    mkdirSync(whole);
    await format.make(whole);
    const mutator = new Mutator(format, root.path, seed);
    for (const { command } of format.readers) {
      const { stderr } = await runHosted(mutator.fresh(), command.split(" "), PATIENCE_MS);
      if (stderr.includes("error:")) throw new Error(`${name}: ${command}: ${stderr}`);
    }
    for (let i = 0; i < count; i++) {
      const { change, isSealed, reader } = mutator.next(i);
      const outside = treeOf(root.path, mutator.work);
      const args = reader.command.split(" ");
      const outcome = await runHosted(mutator.work, args, PATIENCE_MS);
      memory = Math.max(memory, outcome.memory ?? 0);
      const fault =
        treeOf(root.path, mutator.work) === outside
          ? faultOf(outcome, reader, isSealed)
          : "files outside were changed";
      const told = `${reader.command} ${outcome.code}`;
      const line = `${name}: ${change}: ${told}: ${outcome.stderr.slice(0, 300)}`;
      log?.(line);
      if (fault) faults.push(`${fault}: ${line}`);
      const key = `${name}: ${args[0]} ${outcome.code}`;
      outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
    }
  }
  return { outcomes, faults, memory };
}

/** Returns what a command did wrong, or undefined. */
function faultOf(
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

/** Lists the files in a folder with their sizes, times and contents, except those in `without`. */
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

/** A change, and the command to run after it. */
interface Change {
  readonly change: string;
  /** True if checksums do not show it. */
  readonly isSealed: boolean;
  readonly reader: Reader;
}

/** Changes the files of a format in a fresh copy each time. */
class Mutator {
  /** The folder of the copy. Files that somebody may want to reach lie above it. */
  readonly work: string;
  readonly #format: Format;
  readonly #root: string;
  readonly #random: () => number;

  constructor(format: Format, root: string, seed: number) {
    this.#format = format;
    this.#root = root;
    this.#random = seededRandom(seed);
    this.work = join(root, "a", "b");
    mkdirSync(join(root, "a"));
    for (const name of ["victim.txt", "victim.letters", "1.1.block", "run", "a/victim.txt"]) {
      writeFileSync(join(root, name), "precious");
    }
  }

  /** Makes a fresh copy of the files; returns its folder. */
  fresh(): string {
    rmSync(this.work, { recursive: true, force: true });
    cpSync(join(this.#root, "whole"), this.work, { recursive: true });
    return this.work;
  }

  /** Makes the next change. */
  next(number: number): Change {
    this.fresh();
    const reader = this.#pick(this.#format.readers);
    const file = this.#pick(filesIn(this.work, this.#format.files));
    const isSqlite = readFileSync(file).subarray(0, 6).toString() === "SQLite";
    const kinds = isSqlite ? [this.#row, this.#row, this.#schema, this.#bytes] : [this.#bytes];
    const kind = number % 4 === 3 ? this.#replace : this.#pick(kinds);
    const { change, isSealed = false } = kind.call(this, file);
    return { change: `${file.slice(this.work.length + 1)} ${change}`, isSealed, reader };
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }

  /** A value that somebody may put into a column or a field. */
  readonly #values = [
    ...["-1", "0", "1", "7", "255", "65536", "1000000000", "4294967296", "9007199254740993"],
    ...["9223372036854775807", "-9223372036854775808", "1e300", "-0.5", "NULL", "x'00ff'"],
    ...["'x'", "''", "'12'", "'../../victim.txt'", "'../victim.letters'", "'run'", "'{}'"],
    ...["'null'", "'[]'", "'[1e9]'", "'2x99'", "'0x0'", "char(27,91,50,74)", "zeroblob(100000)"],
    "hex(zeroblob(100000))",
  ];

  /** Changes a column of one row or of all. */
  #row(file: string): { change: string; isSealed: boolean } {
    const tables = this.#format.tables ?? tablesIn(file);
    const table = this.#pick(tables);
    const column = this.#pick(columnsIn(file, table));
    const which =
      this.#random() < 0.5 ? "" : ` WHERE "${column}" = (SELECT max("${column}") FROM "${table}")`;
    const change = `UPDATE OR REPLACE "${table}" SET "${column}" = ${this.#pick(this.#values)}${which}`;
    const deletion = `DELETE FROM "${table}"`;
    const sql = this.#random() < 0.1 ? deletion : change;
    try {
      falsify(file, sql);
      return { change: sql, isSealed: false };
    } catch {
      falsify(file, deletion); // the column cannot have the value
      return { change: deletion, isSealed: false };
    }
  }

  /** Changes the tables themselves. */
  #schema(file: string): { change: string; isSealed?: boolean } {
    const table = this.#pick(tablesIn(file));
    const columns = columnsIn(file, table);
    const endless = `CREATE VIEW "${table}" AS WITH RECURSIVE n(i) AS
      (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT ${columns.map((name) => `i AS "${name}"`)} FROM n`;
    const sql = this.#pick([
      `DROP TABLE "${table}"; ${endless}`,
      `DROP TABLE "${table}"`,
      `DROP TABLE "${table}"; CREATE TABLE "${table}" (x)`,
      `DROP TABLE "${table}"; CREATE TABLE "${table}" (${columns.map((name) => `"${name}"`)})`,
      `CREATE TRIGGER t AFTER INSERT ON "${table}" BEGIN DELETE FROM "${table}"; END`,
      `ALTER TABLE "${table}" ADD COLUMN more AS (1)`,
      `PRAGMA user_version = ${this.#pick([-1, 0, 1, 99])}`,
      `PRAGMA application_id = ${this.#pick([-1, 0, 1])}`,
      `UPDATE sqlite_schema SET sql = 'x' WHERE name = '${table}'`,
      `UPDATE sqlite_schema SET rootpage = ${this.#pick([1, 2, 1000000])} WHERE name = '${table}'`,
    ]);
    falsify(file, sql);
    return { change: sql };
  }

  /** Changes bytes, numbers or texts; then the checksums may be right again. */
  #bytes(file: string): { change: string; isSealed: boolean } {
    const bytes = readFileSync(file);
    const at = Math.floor(this.#random() * Math.max(1, bytes.length - 8));
    const text = bytes.subarray(0, 20_000).toString("latin1");
    const numbers = [...text.matchAll(/\d+/g)];
    const isText = /^[\x20-\x7e\n]{40}/.test(text) && numbers.length > 0;
    let changed = Buffer.from(bytes);
    let change: string;
    if (isText && this.#random() < 0.7) {
      const { index, 0: number } = this.#pick(numbers);
      const value = this.#pick([
        ...["-1", "1e308", "0", "99999999999999999999", '"x"', "null", "[]", "{}", "3x3", ""],
        "[".repeat(100_000),
      ]);
      const rest = bytes.subarray(index + number.length);
      changed = Buffer.concat([bytes.subarray(0, index), Buffer.from(value), rest]);
      change = `with ${value.slice(0, 30)} at ${index}`;
    } else if (bytes.length >= 8 && this.#random() < 0.8) {
      const value = this.#pick([0, 1, 0x7f, 0xff, 0xffff, 0x7fffffff, 0xffffffff]);
      const width = this.#pick([1, 2, 4]);
      // Heads are small, and are changed as often as all the rest.
      const place = this.#random() < 0.5 ? Math.min(at, Math.floor(this.#random() * 80)) : at;
      changed.writeUIntLE(value % 2 ** (8 * width), place, width);
      change = `with ${width} bytes of ${value} at ${place}`;
    } else {
      changed = Buffer.concat([
        bytes.subarray(0, at),
        Buffer.alloc(this.#pick([0, 1, 4096]), 0x5a),
      ]);
      change = `cut at ${at}, ${changed.length - at} added`;
    }
    const isSealed = this.#format.reseal !== undefined && this.#random() < 0.7;
    if (isSealed) this.#format.reseal?.(changed);
    writeFileSync(file, changed);
    return { change: isSealed ? `${change}, resealed` : change, isSealed };
  }

  /** Replaces the file by something else. */
  #replace(file: string): { change: string; isSealed?: boolean } {
    const victim = join(this.#root, "victim.txt");
    const kinds: Record<string, () => void> = {
      "is a folder": () => mkdirSync(file),
      "is a named pipe": () => void execFileSync("mkfifo", [file]),
      "is a link to another file": () => symlinkSync(victim, file),
      "is a link to nothing": () => symlinkSync(join(this.#root, "nothing"), file),
      "is a link to itself": () => symlinkSync(file, file),
      "is a device": () => symlinkSync("/dev/zero", file),
      "is empty": () => writeFileSync(file, ""),
      "is a text": () => writeFileSync(file, "Hello, world.\n".repeat(1000)),
      "is huge": () => {
        writeFileSync(file, "");
        truncateSync(file, 2 ** 36);
      },
      "is lengthened": () => {
        writeFileSync(file, whole);
        truncateSync(file, 2 ** 36);
      },
      "is missing": () => {},
    };
    const whole = readFileSync(file);
    rmSync(file);
    const change = this.#pick(Object.keys(kinds));
    kinds[change]?.();
    return { change };
  }
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
