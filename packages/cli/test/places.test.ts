import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import type { Game } from "@gridlock/game";
import { Database } from "@gridlock/store";
import {
  beginSolves,
  GRIDLOCK,
  gridlock,
  json,
  Process,
  temporaryFolder,
  until,
} from "@gridlock/testbed";
import Sqlite from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";

/**
 * Starts a solve of 2×3 that takes some seconds, in a folder of its own; returns once it has saved
 * something.
 */
async function slowSolve() {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "x"));
  const given = ["solve", "2x3", "--db", "x/x.db", "--workers", "1"];
  const solve = new Process(GRIDLOCK, given, {
    cwd: folder,
    slowed: 500,
  });
  const place = join(folder, "x");
  const saved = join(place, "x.2x3.snapshot");
  const isUnderWay = () => solve.stderr.includes("20 starts") && existsSync(saved);
  await until("it has saved", () => isUnderWay() || !solve.isRunning);
  return { solve, place, [Symbol.asyncDispose]: () => solve[Symbol.asyncDispose]() };
}

describe("a solve whose files are moved", () => {
  const replaced = (file: string) =>
    new RegExp(`^error: x/${file} was removed or replaced; results`, "m");

  it.each<[string, (place: string) => void, RegExp]>([
    ["database is removed", (place) => rmSync(join(place, "x.db")), replaced("x.db")],
    [
      "database is replaced",
      (place) => {
        Database.open(join(place, "y.db")).close();
        renameSync(join(place, "y.db"), join(place, "x.db"));
      },
      replaced("x.db"),
    ],
    ["folder is moved", (place) => renameSync(place, `${place}2`), replaced("\\S+")],
  ])("fails with a sentence if its %s", async (_, move, sentence) => {
    await using run = await slowSolve();
    move(run.place);
    const { code, stdout, stderr } = await run.solve.ended;
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/results are not saved\. Leave .* run the command again$/m);
    expect(stderr).not.toMatch(/permission|damaged/);
    expect([code, stdout]).toEqual([1, ""]);
  });

  it("saves nothing in memory, and says so", async () => {
    const folder = temporaryFolder();
    const { code, stdout, stderr } = await gridlock(folder, ["solve", "2x2", "--db", ":memory:"]);
    expect(stderr).toMatch(/^--db :memory: is not a file: nothing is saved$/m);
    expect(stdout).toMatch(/^2 2\/0 0 +12 /m);
    expect([code, readdirSync(folder)]).toEqual([0, []]);
    const reason = expect.stringMatching(/expected a --db that is a file/);
    for (const args of ["tabulate 2x2", "worker --redis redis://x"]) {
      const refused = await gridlock(folder, [...args.split(" "), "--db", ":memory:"]);
      expect([args, refused]).toMatchObject([args, { code: 2, stderr: reason }]);
    }
  });
});

describe("a database that another process has locked", () => {
  it("is awaited by a solve, until Ctrl-C", async () => {
    await using run = await slowSolve();
    await using stopped = await slowSolve();
    const waiting = `waiting for x/x.db, which another process has locked`;
    const lines = ({ solve }: typeof run) =>
      solve.stderr.split("\n").filter((line) => /locked/.test(line));
    const others = [run, stopped].map(({ place }) => new Sqlite(join(place, "x.db")));
    onTestFinished(() => others.forEach((other) => void other.close()));
    for (const other of others) other.exec("BEGIN IMMEDIATE");
    for (const { solve } of [run, stopped]) {
      await until("it waits", () => solve.stderr.includes(waiting) || !solve.isRunning);
    }
    others[0]?.exec("COMMIT");
    const continuing = "x/x.db is no longer locked; continuing";
    await until(
      "it continues",
      () => run.solve.stderr.includes(continuing) || !run.solve.isRunning,
    );
    expect(lines(run)).toEqual([waiting, continuing]);
    const { code, stderr } = await stopped.solve.kill("SIGINT");
    expect(stderr).toMatch(/another process had locked x\/.*is not saved$/m);
    expect(code).toBe(1);
  });
});

it("the lines that prove finds while another process has locked the database are saved later", async () => {
  const folder = temporaryFolder();
  await json(folder, ["solve", "2x2", "--db", "x.db", "--json"]);
  const other = new Sqlite(join(folder, "x.db"));
  onTestFinished(() => void other.close());
  other.exec("DELETE FROM bound WHERE turn = 1 OR board NOT IN (SELECT board FROM start)");
  other.exec("BEGIN IMMEDIATE");
  await using prove = new Process(GRIDLOCK, ["prove", "2x2", "--db", "x.db"], { cwd: folder });
  const waiting = "waiting for x.db, which another process has locked\n";
  await until("it waits", () => prove.stderr.includes(waiting) || !prove.isRunning);
  other.exec("COMMIT");
  const { code, stdout, stderr } = await prove.ended;
  // After two seconds there is a line of progress in between.
  const continuing = "x.db is no longer locked; continuing\n";
  expect(stderr.split(waiting)[1]).toContain(continuing);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^2x2: a certificate of /)]);
});

describe("a query of a database that another process has locked", () => {
  /** Locks a database with 2×2, in which a solve of 2×3 has begun, and returns its folder. */
  async function lockedBy(sql: string): Promise<string> {
    const folder = temporaryFolder();
    await json(folder, ["solve", "2x2", "--db", "x.db", "--json"]);
    beginSolves(join(folder, "x.db"), "2x3");
    const other = new Sqlite(join(folder, "x.db"));
    onTestFinished(() => void other.close());
    other.exec(sql);
    return folder;
  }

  it("is answered, with a warning that the answer is not saved", async () => {
    const folder = await lockedBy("BEGIN IMMEDIATE");
    const args = ["query", "--values", "--db", "x.db"];
    // At the same time, since both wait for the lock.
    const outcomes = await Promise.all([
      gridlock(folder, [...args, "2 2 0/0 0 0"]),
      gridlock(folder, args, { input: "2 2 0/0 0 0\n" }),
    ]);
    for (const { code, stdout, stderr } of outcomes) {
      expect([code, stdout]).toEqual([0, "2 2 0/0 0 0: 44\n"]);
      expect(stderr).toContain("x.db is locked by another process: search results are not saved\n");
    }
  });

  it("fails if the database cannot be read either", async () => {
    const folder = await lockedBy("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    const args = ["query", "2 2/0 0", "--values", "--db", "x.db"];
    const { code, stdout, stderr } = await gridlock(folder, args);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^error: x\.db is locked by another process; wait until it has finished/,
    );
  });
});

describe("a folder that cannot be written", () => {
  const MAIN = new URL("../dist/main.js", import.meta.url).href;
  /** Runs commands in turn in one process, and prints the exit code of each on both outputs. */
  const SCRIPT = `
    const { main } = await import("${MAIN}");
    for (const args of JSON.parse(process.argv[1])) {
      process.exitCode = 0;
      await main(["node", "gridlock", ...args]);
      for (const output of [console.log, console.error]) output("exit", process.exitCode);
    }
    process.exitCode = 0;`;
  /** Root runs them as another user, since permissions do not bind it. */
  const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

  /** Runs commands as a user whom permissions bind; returns their outputs. */
  function runAll(cwd: string, commands: readonly string[][]) {
    const args = ["--input-type=module", "-e", SCRIPT, JSON.stringify(commands)];
    const all = spawnSync(process.execPath, args, { cwd, ...user, encoding: "utf8" });
    if (all.status !== 0) throw new Error(all.stderr);
    const [stdout = [], stderr = []] = [all.stdout, all.stderr].map((text) =>
      text.split(/^(?=exit \d+\n)/m),
    );
    return commands.map((_, i) => {
      const code = Number(/^exit (\d+)/.exec(stdout[i + 1] ?? "")?.[1]);
      const own = (texts: string[]) => (texts[i] ?? "").replace(/^exit \d+\n/, "");
      return { code, stdout: own(stdout), stderr: own(stderr) };
    });
  }

  const GAME: Game = { shape: { rows: 2, cols: 2 }, tiles: [2, 4] };

  it("is read: tabulations and solved databases, but no database with a log", async (context) => {
    const { status: can } = spawnSync(process.execPath, [GRIDLOCK, "--version"], {
      cwd: "/",
      ...user,
    });
    if (can !== 0) return context.skip("another user may not read this program");
    const folder = temporaryFolder();
    for (const name of ["tabulated", "solved"]) mkdirSync(join(folder, name));
    await json(folder, ["tabulate", "2x3", "--db", "tabulated/x.db", "--json"]);
    await json(folder, ["solve", "2x2", "--db", "solved/x.db", "--json"]);
    // A database that was copied while it was open, with its log.
    copyFileSync(join(folder, "solved/x.db"), join(folder, "open.db"));
    const open = Database.open(join(folder, "open.db"));
    open.runs.begin({ game: GAME, version: "logged", machine: "", options: {} });
    mkdirSync(join(folder, "log"));
    for (const ending of ["", "-wal"]) {
      copyFileSync(`${open.file}${ending}`, join(folder, `log/x.db${ending}`));
    }
    open.close();
    const places = ["tabulated", "solved", "log"].map((name) => join(folder, name));
    for (const place of places) {
      for (const name of readdirSync(place)) chmodSync(join(place, name), 0o444);
      chmodSync(place, 0o555);
      onTestFinished(() => chmodSync(place, 0o755));
    }
    chmodSync(folder, 0o755);
    const before = places.map((place) => readdirSync(place));
    const [query, tabulate, exported, status, ...refused] = runAll(folder, [
      ["query", "2 4 0/0 2 0", "--values", "--db", "tabulated/x.db"],
      ["tabulate", "2x3", "--quiet", "--db", "tabulated/x.db"],
      ["export", "2x2", "--format", "csv", "--db", "solved/x.db"],
      ["status", "--db", "solved/x.db"],
      ["tabulate", "2x2", "--quiet", "--db", "tabulated/x.db"],
      ["solve", "2x3", "--db", "solved/x.db"],
      ["solve", "2x2", "--db", "solved/x.db"],
      ["solve", "2x2", "--db", "solved/new.db"],
      ["status", "--db", "log/x.db"],
    ]);
    const unsaved = (db: string) => `${db} cannot be written: search results will not be saved\n`;
    expect(query).toMatchObject({ code: 0, stderr: unsaved("tabulated/x.db") });
    expect(query?.stdout).toMatch(/^2 4 0\/0 2 0: 44, [\d.]+ against chance$/m);
    expect(tabulate?.stderr).toBe(
      "error: cannot open tabulated/x.2x3.positions (permission denied)\n",
    );
    expect(exported).toMatchObject({ code: 0, stderr: "" });
    expect(exported?.stdout).toMatch(/^2 2\/0 0,12,/m);
    expect(status).toMatchObject({ code: 0, stderr: "" });
    for (const { code, stderr } of refused) {
      expect(stderr).toMatch(
        /^error: (cannot create )?\S+(x\.|new\.)\S+ .*expected .*write permission/,
      );
      expect(code).toBe(1);
    }
    expect(refused).toHaveLength(5);
    expect(places.map((place) => readdirSync(place))).toEqual(before);
  });
});
