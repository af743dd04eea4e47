import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { type Game, packedFromBits, starts } from "@gridlock/game";
import { temporaryFolder } from "@gridlock/testbed";
import Sqlite from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { Database, SCHEMA_VERSION } from "../src/index.js";
import { damage, errorOf } from "./damage.js";

const GAME: Game = { shape: { rows: 2, cols: 2 }, tiles: [2, 4] };
const ENTRY = { turn: "slider", board: packedFromBits(7n), lo: 4, hi: 8 } as const;

const DIST = new URL("../dist/index.js", import.meta.url).href;

/** Listens on a socket at a path until the test ends. */
async function listen(path: string): Promise<void> {
  const server = createServer().listen(path);
  onTestFinished(() => void server.close());
  await once(server, "listening");
}

function freshFile(): string {
  return join(temporaryFolder(), "test.db");
}

/** A database with one bound, closed. */
function filledFile(): string {
  const file = freshFile();
  const database = Database.open(file);
  database.bounds(GAME).merge([ENTRY]);
  database.close();
  return file;
}

describe("a database file", () => {
  it("is created with its folder, and keeps its contents", () => {
    const file = join(temporaryFolder(), "some", "where", "test.db");
    Database.open(file).bounds(GAME).merge([ENTRY]);
    const again = Database.open(file, { readOnly: true });
    expect(again.bounds(GAME).get(ENTRY)).toEqual({ lo: 4, hi: 8 });
    expect(again.size()).toBeGreaterThan(0);
  });

  it("that is missing is not created by a reader", () => {
    const file = freshFile();
    expect(errorOf(() => Database.open(file, { readOnly: true })).code).toBe("missing");
    expect(errorOf(() => Database.open(file, { readOnly: true })).code).toBe("missing");
  });

  it.each([
    ["is not a database", (file: string) => writeFileSync(file, "What is this?\n".repeat(100))],
    [
      "is another program's",
      (file: string) => void new Sqlite(file).exec("CREATE TABLE t (x); INSERT INTO t VALUES (1)"),
    ],
  ])("that %s is rejected and not changed", (_, make) => {
    const file = freshFile();
    make(file);
    const before = readFileSync(file);
    for (const readOnly of [true, false]) {
      const error = errorOf(() => Database.open(file, { readOnly }));
      expect(error.code).toBe("not-a-database");
      expect(error.message).toContain(file);
    }
    expect(readFileSync(file)).toEqual(before);
  });

  it("of a newer version is rejected, for reading and for writing, and not changed", () => {
    const file = filledFile();
    const sqlite = new Sqlite(file);
    sqlite.pragma(`user_version = ${SCHEMA_VERSION + 1}`);
    sqlite.close();
    const before = readFileSync(file);
    for (const readOnly of [true, false]) {
      const error = errorOf(() => Database.open(file, { readOnly }));
      expect(error.code).toBe("other-version");
      expect(error.message).toContain(`${SCHEMA_VERSION + 1}`);
    }
    expect(readFileSync(file)).toEqual(before);
  });

  it.each([
    ["game", "tiles"],
    ["run", "options"],
    ["run", "board"],
  ])("whose table %s has a forged column %s is quoted in one line", (table, column) => {
    const file = filledFile();
    using database = Database.open(file);
    database.runs.begin({ game: GAME, version: "1", machine: "one", options: {} });
    const sqlite = new Sqlite(file);
    sqlite.prepare(`UPDATE ${table} SET ${column} = ?`).run("1\n2");
    sqlite.close();
    const { message } = errorOf(() => database.runs.all());
    expect(message).toMatch(/^.* is damaged: it holds .* "1\\n2"; .*$/);
  });

  it("without tables is an empty database, which a reader does not change", () => {
    const file = freshFile();
    writeFileSync(file, "");
    using reader = Database.open(file, { readOnly: true });
    expect(reader.games()).toEqual([]);
    expect(reader.runs.all()).toEqual([]);
    expect(reader.starts(GAME)).toEqual([]);
    expect(reader.bounds(GAME).get(ENTRY)).toBeUndefined();
    expect(reader.faults()).toEqual([]);
    expect(reader.size()).toBe(0);
    expect(readFileSync(file)).toHaveLength(0);
    using writer = Database.open(file);
    writer.bounds(GAME).merge([ENTRY]);
    expect(writer.size()).toBeGreaterThan(0);
  });

  it.each([
    ["a folder", (file: string) => mkdirSync(file)],
    ["a named pipe", (file: string) => void execFileSync("mkfifo", [file])],
    ["a device", (file: string) => symlinkSync("/dev/zero", file)],
    ["a socket", listen],
  ])("that is %s is rejected at once, for reading and for writing", async (kind, make) => {
    const file = freshFile();
    await make(file);
    // In a separate process: opening a pipe would block this one for ever.
    const script = `
      import { Database } from ${JSON.stringify(DIST)};
      for (const readOnly of [true, false]) {
        try { Database.open(${JSON.stringify(file)}, { readOnly }); }
        catch ({ code, message }) { console.log(code, message); }
      }`;
    const node = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
      timeout: 60_000,
    });
    const line = `unusable cannot open ${file}: it is ${kind}; expected a regular file\n`;
    expect(node.stdout).toBe(line + line);
  });

  it("in a folder that is a file cannot be opened", () => {
    const file = freshFile();
    writeFileSync(file, "");
    for (const readOnly of [true, false]) {
      expect(errorOf(() => Database.open(join(file, "x.db"), { readOnly })).code).toBe("unusable");
    }
  });

  it.runIf(existsSync("/proc"))("in a folder that accepts no others cannot be opened", () => {
    // In a separate process: it would never end if Node.js made the folder.
    const script = `
      import { Database } from ${JSON.stringify(DIST)};
      try { Database.open("/proc/none/x.db"); } catch ({ name }) { console.log(name); }`;
    const options = { encoding: "utf8", timeout: 60_000 } as const;
    const node = spawnSync(process.execPath, ["--input-type=module", "-e", script], options);
    expect(node.stdout).toBe("StoreError\n");
  });

  it("that another process is writing is reported as locked, without disturbing the writer", () => {
    const file = filledFile();
    const other = new Sqlite(file);
    onTestFinished(() => void other.close());
    const database = Database.open(file, { patience: 50 });
    other.exec("BEGIN IMMEDIATE");
    const error = errorOf(() => database.bounds(GAME).merge([{ ...ENTRY, lo: 8 }]));
    expect(error.code).toBe("locked");
    expect(database.bounds(GAME).get(ENTRY)).toEqual({ lo: 4, hi: 8 });
    other.exec("COMMIT");
    database.bounds(GAME).merge([{ ...ENTRY, lo: 8 }]);
    expect(database.bounds(GAME).get(ENTRY)).toEqual({ lo: 8, hi: 8 });
  });

  it("that another process is reading can still be opened and written", () => {
    const file = filledFile();
    const reader = new Sqlite(file, { readonly: true });
    onTestFinished(() => void reader.close());
    reader.exec("BEGIN");
    reader.prepare("SELECT * FROM bound").all();
    expect(Database.open(file, { patience: 50 }).bounds(GAME).get(ENTRY)).toEqual({ lo: 4, hi: 8 });
  });

  it("with a bit flipped or truncated is reported as damaged, or returns what was proven", () => {
    const file = freshFile();
    const entries = Array.from({ length: 60 }, (_, i) => ({
      turn: i % 2 === 0 ? ("slider" as const) : ("placer" as const),
      board: packedFromBits(BigInt(i) * 0x1234n),
      lo: 4 * (i % 7),
      hi: 400,
    }));
    const database = Database.open(file);
    database.addStarts(GAME, starts(GAME.shape));
    database.bounds(GAME).merge(entries);
    database.runs.begin({ game: GAME, version: "1", machine: "one", options: { workers: 1 } });
    database.close();
    const known = new Map(entries.map((entry) => [`${entry.turn} ${entry.board}`, entry]));
    damage(file, { flips: 500, shortest: 1 }, () => {
      const read = Database.open(file, { readOnly: true });
      onTestFinished(() => read.close());
      for (const game of read.games()) {
        read.runs.all();
        read.starts(game);
        const wrong = [...read.bounds(game).all()].filter(({ turn, board, lo, hi }) => {
          const entry = known.get(`${turn} ${board}`);
          return entry?.lo !== lo || entry.hi !== hi;
        });
        expect(wrong).toEqual([]);
      }
    });
  });

  it("that a process left half-written when it was killed can be read", () => {
    const file = filledFile();
    const script = `
      import Sqlite from "better-sqlite3";
      const sqlite = new Sqlite(${JSON.stringify(file)});
      sqlite.pragma("cache_size = 1");
      sqlite.exec("BEGIN IMMEDIATE; UPDATE bound SET lo = 8");
      const insert = sqlite.prepare("INSERT INTO start VALUES (1, ?, 7)");
      for (let i = 0; i < 10_000; i++) insert.run(i);
      process.kill(process.pid, "SIGKILL");`;
    const node = spawnSync(process.execPath, ["--input-type=module", "-e", script]);
    expect(node.signal).toBe("SIGKILL");
    expect(existsSync(`${file}-journal`)).toBe(true);
    const database = Database.open(file, { readOnly: true });
    expect(database.bounds(GAME).get(ENTRY)).toEqual({ lo: 4, hi: 8 });
    expect(database.faults()).toEqual([]);
  });

  it("that is damaged is reported as damaged", () => {
    const file = filledFile();
    const bytes = readFileSync(file);
    bytes.fill(0xa5, 100, 4096);
    writeFileSync(file, bytes);
    expect(errorOf(() => Database.open(file)).code).toBe("damaged");
  });

  // Root ignores permissions; a process without capabilities does not.
  const asUser = spawnSync("setpriv", ["--version"]).status === 0 && process.getuid?.() === 0;
  it.runIf(asUser || process.getuid?.() !== 0)("that is read-only is read, not written", () => {
    const file = filledFile();
    chmodSync(file, 0o444);
    chmodSync(join(file, ".."), 0o555);
    onTestFinished(() => chmodSync(join(file, ".."), 0o755));
    const script = `
      import { Database } from ${JSON.stringify(DIST)};
      const file = ${JSON.stringify(file)};
      const game = ${JSON.stringify(GAME)};
      try { Database.open(file); } catch (error) { console.log(error.code); }
      const database = Database.open(file, { readOnly: true });
      console.log(JSON.stringify(database.bounds(game).get({ turn: "slider", board: 7n })));`;
    const node = [process.execPath, "--input-type=module", "-e", script];
    const user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    const [command, ...args] = asUser ? [...user, ...node] : node;
    const output = execFileSync(command as string, args, { encoding: "utf8" });
    expect(output).toBe('read-only\n{"lo":4,"hi":8}\n');
  });

  /** Mounts a file system of one megabyte; returns `undefined` if that is not allowed. */
  function mountSmall(): string | undefined {
    const folder = temporaryFolder();
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]);
    if (mounted.status !== 0) return undefined;
    onTestFinished(() => void spawnSync("umount", ["-l", folder]));
    return folder;
  }

  it("on a full disk reports that, keeps what was saved, and resumes when there is space", (context) => {
    const folder = mountSmall();
    if (folder === undefined) return context.skip("mounting a small file system is not allowed");
    const database = Database.open(join(folder, "test.db"));
    const bounds = database.bounds(GAME);
    bounds.merge([ENTRY]);
    const filler = join(folder, "filler");
    spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=64k"]);
    const many = Array.from({ length: 20_000 }, (_, i) => ({
      ...ENTRY,
      board: packedFromBits(BigInt(100 + i)),
    }));
    const error = errorOf(() => bounds.merge(many));
    expect(error.code).toBe("full");
    expect(error.message).toMatch(/disk is full.*safe/);
    expect(bounds.count()).toEqual({ bounds: 1, exact: 0 });
    writeFileSync(filler, "");
    bounds.merge(many.slice(0, 1000));
    expect(bounds.count().bounds).toBe(1001);
    database.close();
  });
});
