import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { seededRandom } from "@gridlock/game";
import {
  GRIDLOCK,
  gridlock,
  json,
  type Outcome,
  Process,
  temporaryFolder,
  until,
} from "@gridlock/testbed";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Bytes of all files of a tabulation, however far it has come. */
function bytesIn(folder: string): number {
  const results = join(folder, "results");
  if (!existsSync(results)) return 0;
  const sizes = readdirSync(results).map(
    (file) => statSync(join(results, file), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

const LOCK = "results/gridlock.2x3.positions.lock";
const MINIMAX = "results/gridlock.2x3.minimax";
/** Milliseconds that slow each part of a layer, so that a tabulation to interrupt takes seconds. */
const SLOW_MS = 10;

/** Returns whether a process holds the lock that a file stands for. */
function isLocked(file: string): boolean {
  const sqlite = new Sqlite(file, { readonly: true, timeout: 0 });
  try {
    sqlite.pragma("schema_version");
    return false;
  } catch {
    return true;
  } finally {
    sqlite.close();
  }
}

/** Name and digest of each file of a tabulation. */
function filesIn(folder: string): string[] {
  return readdirSync(join(folder, "results"))
    .sort()
    .map((file) => {
      const bytes = readFileSync(join(folder, "results", file));
      return `${file} ${createHash("sha256").update(bytes).digest("hex")}`;
    });
}

/** Folders with undisturbed tabulations, and what `gridlock tabulate` has printed of 2×3. */
let whole: { readonly "2x2": string; readonly "2x3": string };
let printed: { starts: { board: string; value: number; expected: number }[] };

beforeAll(async () => {
  whole = { "2x2": temporaryFolder(afterAll), "2x3": temporaryFolder(afterAll) };
  await json(whole["2x2"], ["tabulate", "2x2", "--json"]);
  printed = await json(whole["2x3"], ["tabulate", "2x3", "--json"]);
});

/** Returns a new folder with the tabulation of a shape. */
function tabulated(shape: "2x2" | "2x3"): string {
  const folder = temporaryFolder();
  cpSync(whole[shape], folder, { recursive: true });
  return folder;
}

describe("gridlock tabulate", () => {
  it("prints the counts of a shape, and the values of its starts", async () => {
    const folder = tabulated("2x3");
    const found = await json(folder, ["tabulate", "2x3", "--json", "--reach", "64"]);
    const { starts } = printed;
    expect(printed).toMatchObject({ positions: 21_752, afterstates: 14_883 });
    expect(found).toMatchObject({
      shape: "2x3",
      tiles: [2, 4],
      positions: 21_752,
      afterstates: 14_883,
      starts,
    });
    expect(found.terminal).toBeGreaterThan(0);
    expect(found.starts).toHaveLength(20);
    const solved = await json(folder, ["solve", "2x3", "--json", "--quiet"]);
    for (const [i, { board, value }] of solved.starts.entries()) {
      expect(found.starts[i]).toMatchObject({ board, value });
      expect(found.starts[i].expected).toBeGreaterThan(value);
    }
    const sizes = ["positions", "minimax", "expected", "reach-64"].map(
      (column) => statSync(join(folder, `results/gridlock.2x3.${column}`)).size,
    );
    expect(found.bytes).toBe(sizes.reduce((sum, size) => sum + size, 0));
    expect(found.reach.chance).toBeGreaterThan(0.9);
  });

  it("prints starts in the orientation of the given shape", async () => {
    const { stdout } = await gridlock(temporaryFolder(), ["tabulate", "3x2", "--tiles", "2"]);
    expect(stdout).toContain("2 0/2 0/0 0");
    expect(stdout).toMatch(/ordinary game.* points expected/);
  });

  it("prints lines in a pipe, and only the result with --quiet", async () => {
    const { stdout, stderr } = await gridlock(temporaryFolder(), ["tabulate", "2x2", "--quiet"]);
    expect(stdout).toContain("value");
    expect(stderr).toBe("");
  });

  it.each([
    [["3x4"], /3x4 has 12 cells and some 2\.5 T positions .*expected a shape of at most 10 cells/],
    [["2x3", "--reach", "256"], /no play on 2x3 makes a tile of 256; expected at most 128/],
    [["2x3", "--reach", "100"], /expected a tile, a power of two from 8 to 32768, not "100"/],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await gridlock(temporaryFolder(), ["tabulate", ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it("resumes after Ctrl-C, and locks its files: a second run is refused until the first is killed", async () => {
    const folder = temporaryFolder();
    const tabulate = ["tabulate", "2x3", "--workers", "1"];
    const { code, stderr } = await gridlock(folder, tabulate, {
      slowed: SLOW_MS,
      during: (child) => {
        const timer = setInterval(() => {
          if (!existsSync(join(folder, MINIMAX))) return;
          clearInterval(timer);
          child.kill("SIGINT");
        }, 5);
      },
    });
    expect(code).toBe(130);
    expect(stderr).toContain("run the same command to resume");

    let second: Outcome | undefined;
    const first = await gridlock(folder, tabulate, {
      slowed: SLOW_MS,
      during: async (child) => {
        await until("it holds the lock", () => isLocked(join(folder, LOCK)));
        child.kill("SIGSTOP"); // and holds it all the while
        second = await gridlock(folder, tabulate);
        child.kill("SIGKILL");
      },
    });
    expect(first.code).toBe(null);
    expect(second).toMatchObject({
      code: 1,
      stdout: "",
      stderr:
        "error: another process is tabulating 2x3, and holds results/gridlock.2x3.positions.lock; wait until it has finished\n",
    });
    await json(folder, [...tabulate, "--json"]);
    expect(filesIn(folder)).toEqual(filesIn(whole["2x3"]));
  });

  it("makes the same files when it is killed three times, and after damage", async () => {
    const folder = temporaryFolder();
    const random = seededRandom(3);
    let killed = 0;
    for (let run = 0; run < 3; run++) {
      await using tabulate = new Process(GRIDLOCK, ["tabulate", "2x3"], {
        cwd: folder,
        slowed: SLOW_MS,
      });
      const enough = (bytesIn(whole["2x3"]) * (run + random())) / 4;
      await until("enough is written", () => bytesIn(folder) >= enough || !tabulate.isRunning);
      const { signal } = await tabulate.kill();
      if (signal === "SIGKILL") killed++;
    }
    expect(killed).toBeGreaterThan(0); // all three, unless this process was slower than the other
    await json(folder, ["tabulate", "2x3", "--json"]);
    expect(filesIn(folder)).toEqual(filesIn(whole["2x3"]));

    const file = join(folder, MINIMAX);
    const bytes = readFileSync(file);
    const at = Math.floor(bytes.length / 2) + 100; // in a block: before it are the head and directory of its layer
    bytes[at] = (bytes[at] as number) ^ 1;
    writeFileSync(file, bytes);
    const { code, stderr } = await gridlock(folder, ["tabulate", "2x3"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /block \d+ of \d+ of the layer of tile sum \d+ in results\/gridlock\.2x3\.minimax is damaged/,
    );
    expect(filesIn(folder)).toEqual(filesIn(whole["2x3"]));
  });
});

describe("gridlock query beside a tabulation", () => {
  it("prints both values of a board and of its moves, without search", async () => {
    const folder = tabulated("2x3");
    const { starts } = printed;
    const query = (board: string) => json(folder, ["query", board, "--json", "--budget", "0"]);
    for (const { board, value, expected } of starts.slice(0, 4)) {
      expect(await query(board)).toMatchObject({ reachable: true, value, expected });
    }
    const found = await query("2 4 0/0 0 0");
    const best = (of: (move: (typeof found.moves)[number]) => number) =>
      Math.max(...found.moves.map(of));
    expect(best(({ score, value }) => score + value)).toBe(found.value);
    expect(best(({ score, expected }) => score + expected)).toBeCloseTo(found.expected, 3);
    expect(found.line.length).toBeGreaterThan(5);
    const text = await gridlock(folder, ["query", "2 0 0/4 0 0", "--budget", "0"]);
    expect(text.stdout).toMatch(/can force \d+ points; against chance \d+\.\d\d are expected/);
    const placing = await query("4 0 0/2 0 0 placer");
    expect(placing.value).toBe(
      Math.min(...placing.moves.map(({ value }: { value: number }) => value)),
    );
  });

  it("prints only the values of many boards", async () => {
    const folder = tabulated("2x3");
    const { starts } = printed;
    const boards = ["2 4 0/0 0 0 placer", "64 64 0/0 0 0", "no board"];
    const input = [...starts.map(({ board }: { board: string }) => board), ...boards].join("\n");
    const { code, stdout } = await gridlock(folder, ["query", "--values", "--json"], { input });
    expect(code).toBe(2);
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers).toHaveLength(starts.length + 3);
    starts.forEach((start: { value: number }, i: number) => {
      const { value } = start;
      const known = { turn: "slider", reachable: true, lo: value, hi: value };
      expect(answers[i]).toEqual({ ...start, ...known, source: "tabulation" });
    });
    for (const [i, board] of boards.slice(0, 2).entries()) {
      const alone = await json(folder, ["query", board, "--json"]);
      expect(alone).toMatchObject(answers[starts.length + i]);
    }
    expect(answers.at(-1)).toMatchObject({ board: "no board" });
    const text = await gridlock(folder, ["query", "--values", "2 2 0/0 0 0"]);
    expect(text.stdout).toMatch(/^2 2 0\/0 0 0: \d+, \d+\.\d\d against chance\n$/);
  });

  it("searches boards that no play from the starts reaches, and says so", async () => {
    const folder = tabulated("2x3");
    const board = "64 64 0/0 0 0";
    const searched = await json(temporaryFolder(), ["query", board, "--json"]);
    const found = await json(folder, ["query", board, "--json"]);
    expect(found).toMatchObject({ reachable: false, value: searched.value, expected: null });
    const { stdout } = await gridlock(folder, ["query", board]);
    expect(stdout).toContain("not reachable from a start");
  });

  it("searches instead when the tabulation is incomplete", async () => {
    const folder = tabulated("2x2");
    const file = join(folder, "results/gridlock.2x2.expected");
    writeFileSync(file, readFileSync(file).subarray(0, 1000));
    const { code, stdout, stderr } = await gridlock(folder, ["query", "2 2/0 0", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ value: 12 });
    expect(JSON.parse(stdout)).not.toHaveProperty("expected");
    expect(stderr).toMatch(
      /searching instead: .*2x2\.expected is incomplete; run gridlock tabulate/,
    );
  });
});

describe("gridlock analyze", () => {
  it("writes tables and charts of a tabulation", async () => {
    const folder = tabulated("2x2");
    const { code, stdout, stderr } = await gridlock(folder, ["analyze", "2x2"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^wrote results\/positions\/2x2\.md and 3 charts in /);
    const counts = "110 positions, 36 of them without a slide (32.7 %), and 67 afterstates";
    expect(stdout).toMatch(
      /^2x2: .*\.\nFrom any position the slider can force at most \d+ points; .*\n$/,
    );
    expect(stdout).toContain(counts);
    const page = readFileSync(join(folder, "results/positions/2x2.md"), "utf8");
    expect(page).toContain(counts);
    const [head = ""] = page.split("## ");
    const byTile = [...head.matchAll(/^\| *(\d+) *\| *(\d+) *\|$/gm)].map(([, , count]) =>
      Number(count),
    );
    expect(byTile.reduce((sum, count) => sum + count, 0)).toBe(110);
    for (const picture of ["layers", "values", "expected"]) {
      const svg = readFileSync(join(folder, `results/positions/2x2-${picture}.svg`), "utf8");
      expect(svg).toMatch(/^<svg/);
    }
  });

  it("prints its counts as JSON", async () => {
    const folder = tabulated("2x2");
    const found = await json(folder, ["analyze", "2x2", "--json"]);
    expect(found).toMatchObject({
      positions: 110,
      terminal: 36,
      afterstates: 67,
      perfect: { positions: 19, ends: 2, endsBy: { corner: 2, edge: 0, centre: 0 } },
      habits: { either: 37, zugzwangs: 5 },
      zugzwang: { smallest: { board: "2 8/2 0", sliderFirst: 4, placerFirst: 28 } },
      removals: { valued: 243, lower: 75 },
    });
  });

  it.each([
    ["in the tabulation", true],
    ["by search", false],
  ])("follows perfect play from a board, with values %s", async (_, isTabulated) => {
    const folder = isTabulated ? tabulated("2x3") : temporaryFolder();
    const board = "2 2 0/0 0 0";
    const found = await json(folder, ["analyze", "2x3", "--board", board, "--json"]);
    const endsBy = { corner: 10, edge: 9, centre: 0 };
    const counts = { positions: 224, afterstates: 192, ends: 19, endsBy };
    const endsByTile = [{ tile: 16, ...endsBy }];
    expect(found).toEqual({ shape: "2x3", tiles: [2, 4], board, ...counts, endsByTile });
  });

  it("refuses to follow perfect play from a board of another shape or turn", async () => {
    for (const board of ["2 2 0/0 0 0/0 0 0", "2 2 0/0 0 0 placer"]) {
      const { code, stderr } = await gridlock(temporaryFolder(), [
        "analyze",
        "2x3",
        "--board",
        board,
      ]);
      expect(code).toBe(2);
      expect(stderr).toMatch(/expected (one of 2x3|the slider to move)/);
    }
  });

  it("refuses options that following perfect play from a board does not use", async () => {
    const args = ["analyze", "2x3", "--board", "2 2 0/0 0 0", "--out", "."];
    const { code, stderr } = await gridlock(temporaryFolder(), args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: --board cannot be combined with --out/);
  });

  it("writes beside the database, or to --out", async () => {
    const folder = temporaryFolder();
    const db = ["--tiles", "2", "--db", "own/x.db"];
    mkdirSync(join(folder, "own"));
    await json(folder, ["tabulate", "2x2", ...db, "--json"]);
    await gridlock(folder, ["analyze", "2x2", ...db]);
    await gridlock(folder, ["analyze", "2x2", ...db, "--out", "elsewhere"]);
    const written = readdirSync(join(folder, "elsewhere")).sort();
    expect(written).toHaveLength(4);
    expect(written).toContain("2x2-tiles-2.md");
    expect(readdirSync(join(folder, "own/positions")).sort()).toEqual(written);
    expect(existsSync(join(folder, "results"))).toBe(false);
  });

  it("stops on Ctrl-C, and writes nothing", async () => {
    const folder = tabulated("2x3");
    const args = ["analyze", "2x3"];
    const { code, stdout, stderr } = await gridlock(folder, args, { interrupt: true });
    expect(code).toBe(130);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^stopped; nothing was written$/m);
    expect(readdirSync(join(folder, "results/positions"))).toEqual([]);
  });

  it("names the command that makes the missing tabulation", async () => {
    const { code, stderr } = await gridlock(temporaryFolder(), ["analyze", "2x2"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/there is no results\/gridlock\.2x2\.positions; run gridlock tabulate/);
  });
});
