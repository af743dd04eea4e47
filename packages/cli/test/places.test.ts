import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Database } from "@gridlock/store";
import { GRIDLOCK, gridlock, Process, SLOW_HOOK, temporaryFolder, until } from "@gridlock/testbed";
import Sqlite from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";

/**
 * Starts a solve of 2×3 that takes some seconds, in a folder of its own; returns once it has saved
 * something.
 */
async function slowSolve(...args: string[]) {
  const folder = temporaryFolder();
  const given = ["solve", "2x3", "--db", "x/x.db", "--workers", "1", ...args];
  const solve = new Process(GRIDLOCK, given, {
    cwd: folder,
    node: ["--import", SLOW_HOOK],
    env: { ...process.env, SLOW_MS: "500" },
  });
  const place = join(folder, "x");
  const saved = join(place, args.includes("layers") ? LAYERS : "x.2x3.snapshot");
  const isUnderWay = () => solve.stderr.includes("20 starts") && existsSync(saved);
  await until("it has saved", () => isUnderWay() || !solve.isRunning);
  return { solve, place, [Symbol.asyncDispose]: () => solve[Symbol.asyncDispose]() };
}

const LAYERS = "x.2x3.layers/progress.db";

describe("a solve whose files are moved", () => {
  const replaced = (file: string) =>
    new RegExp(`^error: x/${file} was removed or replaced; results`, "m");
  const moved = (file: string) =>
    new RegExp(`^error: the folder of x/${file} was moved or removed; results`, "m");

  it.each<[string, string[], (place: string) => void, RegExp]>([
    ["database is removed", [], (place) => rmSync(join(place, "x.db")), replaced("x.db")],
    [
      "database is replaced",
      [],
      (place) => {
        Database.open(join(place, "y.db")).close();
        renameSync(join(place, "y.db"), join(place, "x.db"));
      },
      replaced("x.db"),
    ],
    ["folder is moved", [], (place) => renameSync(place, `${place}2`), moved("\\S+")],
    [
      "proof by layers is moved",
      ["--method", "layers"],
      (place) => renameSync(join(place, "x.2x3.layers"), join(place, "moved")),
      moved("x.2x3.layers/\\S+"),
    ],
    [
      "progress of a proof by layers is removed",
      ["--method", "layers"],
      (place) => rmSync(join(place, LAYERS)),
      replaced(LAYERS),
    ],
  ])("fails with a sentence if its %s", async (_, args, move, sentence) => {
    await using run = await slowSolve(...args);
    move(run.place);
    const { code, stdout, stderr } = await run.solve.ended;
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/results are not saved\. Leave .* run the command again$/m);
    expect(stderr).not.toMatch(/permission|damaged/);
    expect([code, stdout]).toEqual([1, ""]);
    // SQLite would apply a log that was left behind to the next database.
    const left = existsSync(run.place) ? readdirSync(run.place) : [];
    expect(left.filter((name) => /-(wal|shm)$/.test(name))).toEqual([]);
  });

  it("saves nothing in memory, and says so", async () => {
    const folder = temporaryFolder();
    const { code, stdout, stderr } = await gridlock(folder, ["solve", "2x2", "--db", ":memory:"]);
    expect(stderr).toMatch(/^--db :memory: is not a file: nothing is saved$/m);
    expect(stdout).toMatch(/^2 2\/0 0 +12 /m);
    expect([code, readdirSync(folder)]).toEqual([0, []]);
    const layers = ["solve", "2x2", "--db", ":memory:", "--method", "layers"];
    expect(await gridlock(folder, layers)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/expected a --db that is a file/),
    });
  });
});

describe("a file that another process has locked", () => {
  it.each([
    ["x.db", []],
    [LAYERS, ["--method", "layers"]],
  ])("%s is awaited by a solve with %j, until Ctrl-C", async (name, args) => {
    await using run = await slowSolve(...args);
    await using stopped = await slowSolve(...args);
    const waiting = `waiting for x/${name}, which another process has locked`;
    const lines = ({ solve }: typeof run) =>
      solve.stderr.split("\n").filter((line) => /locked/.test(line));
    const others = [run, stopped].map(({ place }) => new Sqlite(join(place, name)));
    onTestFinished(() => others.forEach((other) => void other.close()));
    for (const other of others) other.exec("BEGIN IMMEDIATE");
    for (const { solve } of [run, stopped]) {
      await until("it waits", () => solve.stderr.includes(waiting) || !solve.isRunning);
    }
    others[0]?.exec("COMMIT");
    const continuing = `x/${name} is no longer locked; continuing`;
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
