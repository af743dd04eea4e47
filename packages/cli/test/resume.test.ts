import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonical, packBoard, parseShape } from "@gridlock/game";
import { openStarts } from "@gridlock/solver";
import { Database, patiently, SnapshotFile } from "@gridlock/store";
import {
  choicesOf,
  FAULT_RUNS,
  GRIDLOCK,
  gridlock,
  json,
  killAndResume,
  Process,
  temporaryFolder,
  until,
} from "@gridlock/testbed";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const DATABASE = "results/gridlock.db";
const SNAPSHOT = "results/gridlock.2x3.snapshot";
const SOLVE = ["solve", "2x3", "--snapshot-every", "0.1", "--workers", "1"];
/** The values of the starts of 2×3. */
const VALUES = [...new Array(9).fill(44), 40, 44, 44, ...new Array(8).fill(40)];
/** A folder in which a solve of 2×3 has been killed after it had saved something. */
let killed: string;
/** The outcomes of that run according to `status`: while it was alive, and after it was killed. */
const outcomes: string[] = [];

async function noteOutcome(): Promise<void> {
  const { runs } = await json(killed, ["status", "--json"]);
  outcomes.push(runs[0].outcome);
}

beforeAll(async () => {
  killed = temporaryFolder(afterAll);
  await using solve = new Process(GRIDLOCK, SOLVE, {
    cwd: killed,
    slowed: 500,
  });
  await until(
    "something is saved",
    () =>
      rowsIn(join(killed, SNAPSHOT), "batch") > 0 && rowsIn(join(killed, DATABASE), "bound") > 0,
  );
  await noteOutcome();
  expect((await solve.kill()).signal).toBe("SIGKILL");
  await noteOutcome();
});

it("a second solve of a game into a database is refused, with the process that solves it, until that is killed", async () => {
  const folder = temporaryFolder();
  await using first = new Process(GRIDLOCK, SOLVE, { cwd: folder, slowed: 60_000 });
  await until("it searches", () => first.stderr.includes("0/20 starts") || !first.isRunning);
  const { pid } = first.child;
  const stderr = `error: process ${pid} is solving 2x3, and holds results/gridlock.2x3.lock; wait until it has finished\n`;
  for (const more of [["--fresh", "--yes"], []]) {
    const second = await gridlock(folder, ["solve", "3x2", "--quiet", ...more]);
    expect(second).toMatchObject({ code: 1, stdout: "", stderr });
  }
  for (const other of [["2x2"], ["2x3", "--tiles", "2"], ["2x3", "--db", "other.db"]]) {
    expect((await json(folder, ["solve", ...other, "--json"])).starts[0].value).not.toBeNull();
  }
  expect(rowsIn(join(folder, DATABASE), "bound")).toBeGreaterThan(0);
  await first.kill();
  expect((await json(folder, [...SOLVE, "--json"])).starts[0].value).toBe(44);
});

/** A copy of that folder, with all files that the killed process left. */
function killedFolder(): string {
  const folder = temporaryFolder();
  cpSync(killed, folder, { recursive: true });
  return folder;
}

/** Rows in a table of a file that another process may be writing, as far as they can be read. */
function rowsIn(file: string, table: string): number {
  if (!existsSync(file)) return 0;
  const sqlite = new Sqlite(file, { readonly: true });
  try {
    return sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
  } catch {
    return 0; // the file is locked or has no table yet
  } finally {
    sqlite.close();
  }
}

/** Runs a command and stops it as soon as it has begun to search. */
function stopped(folder: string, args: readonly string[]) {
  return gridlock(folder, args, {
    slowed: 60_000, // unless it is stopped
    during: (child) => {
      let sent = false;
      child.stderr?.on("data", (data) => {
        if (sent || !/resuming from|0\/20 starts/.test(String(data))) return;
        sent = true;
        child.kill("SIGINT");
      });
    },
  });
}

describe("a solve that is killed", () => {
  it("was running while it was alive", () => {
    expect(outcomes).toEqual(["running", "unfinished"]);
  });

  const again = "again and again, anywhere, finds the same values of %s in the end";
  it.each(["3x3"])(again, findsTheSame);
  it.each(["2x5"])(again, { timeout: 600_000, tags: ["long"] }, findsTheSame);

  async function findsTheSame(shape: string): Promise<void> {
    const choices = choicesOf("86 solve-killed 1");
    // The first kill by these choices comes at once.
    expect(await killAndResume(shape, temporaryFolder(), choices)).toMatch(/^[1-9]\d* kills, /);
  }

  it.runIf(FAULT_RUNS > 0)(
    "many times over, finds the values of 3x3 each time",
    { timeout: 3_600_000, tags: ["fault"] },
    async () => {
      for (let run = 1; run <= 20 * FAULT_RUNS; run++) {
        await killAndResume("3x3", temporaryFolder(), choicesOf(`solve-killed ${run}`));
      }
    },
  );

  it("resumes from its bounds, and reports them", async () => {
    const folder = killedFolder();
    const status = await gridlock(folder, ["status"]);
    expect(status.stdout).toMatch(
      /2x3 +[\d,]+ +[\d.]+ [KM]iB .* ago +results\/gridlock.2x3.snapshot/,
    );
    const { code, stderr } = await stopped(folder, SOLVE);
    expect(code).toBe(130);
    expect(stderr).toMatch(
      /resuming from \d+ values, .*[\d,]+ bounds in results\/gridlock.db; [\d,]+ entries \([\d.]+ [KM]iB\) in results\/gridlock.2x3.snapshot, saved [\w. ]+ ago/,
    );
    expect(stderr).toMatch(
      /saved [\d,]+ bounds and [\d,]+ entries; run the same command to resume/,
    );
    // At rest each file is one.
    expect(existsSync(join(folder, `${SNAPSHOT}-wal`))).toBe(false);
  });

  it.each([
    [
      "another kernel",
      "UPDATE identity SET kernel = '0123456789ab'",
      /written by kernel "0123456789ab"/,
      2,
    ],
    ["another shape", "UPDATE identity SET shape = '2x6'", /is a snapshot of "2x6"/, 2],
    ["another tile set", "UPDATE identity SET tiles = '2'", /with the tiles "2"; expected/, 2],
    ["another format", "PRAGMA user_version = 9", /newer version \(schema 9; /, 2],
    ["a damaged batch", "UPDATE batch SET data = zeroblob(16)", /damaged: its batch \d+/, 1],
  ])("does not use a snapshot of %s, and says so", async (_, sql, sentence, exit) => {
    const folder = killedFolder();
    const sqlite = new Sqlite(join(folder, SNAPSHOT));
    sqlite.exec(sql);
    sqlite.close();
    const { code, stderr } = await gridlock(folder, SOLVE);
    expect(code).toBe(exit);
    expect(stderr).toMatch(sentence);
    expect(stderr).toContain("delete it to continue without it");
  });

  it("rejects a snapshot that is truncated or has bits flipped", async () => {
    const folder = killedFolder();
    await stopped(folder, SOLVE);
    const whole = readFileSync(join(folder, SNAPSHOT));
    for (const damage of [
      (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2)),
      (bytes: Buffer) => {
        for (let at = 5000; at < bytes.length; at += 97) bytes[at] = (bytes[at] as number) ^ 4;
        return bytes;
      },
    ]) {
      writeFileSync(join(folder, SNAPSHOT), damage(Buffer.from(whole)));
      const { code, stderr } = await gridlock(folder, SOLVE);
      expect(code).toBe(1);
      expect(stderr).toContain("gridlock.2x3.snapshot is damaged");
    }
  });
});

describe("a solve that is killed before it has lines of best play", () => {
  it("answers at once, without them, until prove has found them by its snapshot", async () => {
    const folder = killedFolder();
    for (const suffix of ["", "-wal", "-shm"])
      rmSync(join(folder, DATABASE + suffix), { force: true });
    {
      using database = Database.open(join(folder, DATABASE));
      const game = { shape: parseShape("2x3"), tiles: [2, 4] } as const;
      const solved = openStarts(game, database).map(({ board }, i) => ({
        turn: "slider" as const,
        board: packBoard(canonical(board)),
        lo: VALUES[i],
        hi: VALUES[i],
      }));
      database.bounds(game).merge(solved);
    }
    const hint =
      "no line of best play is known yet from 20 starts; to find them: gridlock prove 2x3";
    const table = await gridlock(folder, SOLVE);
    expect(table).toMatchObject({ code: 0 });
    expect(table.stdout.match(/^\d.* –$/gm)).toHaveLength(20);
    expect(table.stderr).toBe(`all 20 values of 2x3 are already in ${DATABASE}\n${hint}\n`);
    const { starts, ...effort } = await json(folder, [...SOLVE, "--json"]);
    expect(effort).toMatchObject({ nodes: { positions: 0, afterstates: 0 }, seconds: 0 });
    for (const start of starts) expect(start).toMatchObject({ line: [], end: null });
    const csv = await gridlock(folder, ["export", "2x3", "--format", "csv"]);
    expect(csv).toMatchObject({ code: 0, stderr: `note: ${hint}\n` });
    const svg = await gridlock(folder, ["export", "2x3", "--format", "svg"]);
    expect(svg).toMatchObject({ code: 2, stdout: "", stderr: `error: ${hint}\n` });
    expect(existsSync(join(folder, SNAPSHOT))).toBe(true);

    expect((await gridlock(folder, ["prove", "2x3"])).code).toBe(0);
    const { code, stdout, stderr } = await gridlock(folder, [...SOLVE, "--json"]);
    expect(code).toBe(0);
    expect(stderr).not.toContain("no line");
    for (const { line, end } of JSON.parse(stdout).starts) {
      expect(line.length).toBeGreaterThan(0);
      expect(end).not.toBeNull();
    }
    expect(existsSync(join(folder, SNAPSHOT))).toBe(false);
  });
});

describe("a search for lower bounds that is killed in mid-question", () => {
  const goesOn = "goes on with it from where it was killed: %s";
  it.each([["3x4", 192]])(goesOn, { timeout: 120_000 }, losesLittle);
  it.each([["2x6", 352]])(goesOn, { timeout: 600_000, tags: ["long"] }, losesLittle);

  /** Kills a search at half a question's nodes, and expects the next one to need only the rest. */
  async function losesLittle(shape: string, threshold: number): Promise<void> {
    const folder = temporaryFolder();
    const start = shape === "3x4" ? "2 2 0 0/0 0 0 0/0 0 0 0" : "2 2 0 0 0 0/0 0 0 0 0 0";
    const args = (db: string) => [
      ...["solve", shape, "--lower-bounds", "--guess", `${threshold}`, "--start", start],
      ...["--workers", "1", "--memory", "512M", "--db", db],
      ...(shape === "3x4" ? ["--snapshot-every", "0.2"] : []), // half of it takes about a second
    ];
    const nodesOf = ({ nodes }: { nodes: { positions: number; afterstates: number } }) =>
      nodes.positions + nodes.afterstates;
    const whole = nodesOf(await json(folder, [...args("whole.db"), "--json"]));
    // A fast machine may have searched all of it between two records of its cost.
    const how = { cwd: folder, slowed: 60_000 };
    await using search = new Process(GRIDLOCK, args("killed.db"), how);
    const killed = join(folder, "killed.db");
    const spent = () => askedOf(killed);
    // A slow disk may be far behind; of ten nodes, six are entries.
    const snapshotFile = join(folder, `killed.${shape}.snapshot`);
    const isHalf = async () => {
      const cost = await patiently(killed, spent, {});
      const saved = await patiently(snapshotFile, () => savedOf(snapshotFile), {});
      return cost > whole / 2 && saved > 0.4 * cost;
    };
    await until(
      "half of it is searched and saved",
      async () => (await isHalf()) || !search.isRunning,
    );
    expect((await search.kill()).signal).toBe("SIGKILL");
    const done = spent();
    const { code, stdout, stderr } = await gridlock(folder, [...args("killed.db"), "--json"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/asking whether .* of them done/);
    expect(nodesOf(JSON.parse(stdout))).toBeLessThan(whole - 0.5 * done);
    expect(JSON.parse(stdout).starts[0].lo).toBeGreaterThanOrEqual(threshold);
  }

  /** The entries of a snapshot. */
  function savedOf(file: string): number {
    if (!existsSync(file)) return 0;
    using snapshot = SnapshotFile.open(file, { readOnly: true });
    return snapshot.summary()?.entries ?? 0;
  }

  /** The nodes that the question under way has cost. */
  function askedOf(file: string): number {
    if (rowsIn(file, "asked") === 0) return 0;
    using database = Database.open(file, { readOnly: true });
    const [game] = database.games();
    return game
      ? Math.max(
          0,
          ...database
            .asked(game)
            .all()
            .map(({ nodes }) => nodes),
        )
      : 0;
  }
});

describe("gridlock solve --fresh", () => {
  it("asks first, and deletes nothing without a terminal to ask on", async () => {
    const folder = killedFolder();
    const { code, stderr } = await gridlock(folder, [...SOLVE, "--fresh"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /deletes [\d,]+ bounds, the snapshot results\/gridlock.2x3.snapshot of 2x3; there is no terminal to ask on, so add --yes/,
    );
    const before = await json(folder, ["status", "--json"]);
    expect(before.games[0].snapshot.entries).toBeGreaterThan(0);
    const fresh = await stopped(folder, [...SOLVE, "--fresh", "--yes"]);
    expect(fresh.code).toBe(130);
    expect(fresh.stderr).not.toContain("resuming from");
  });

  it("removes a file that is not a snapshot", async () => {
    const folder = killedFolder();
    for (const suffix of ["-wal", "-shm"]) rmSync(join(folder, SNAPSHOT + suffix), { force: true });
    writeFileSync(join(folder, SNAPSHOT), "What is this?\n".repeat(1000));
    expect((await gridlock(folder, SOLVE)).code).toBe(2);
    expect((await stopped(folder, [...SOLVE, "--fresh", "--yes"])).code).toBe(130);
  });

  it("solves a solved shape again", async () => {
    const folder = temporaryFolder();
    const first = await json(folder, ["solve", "2x3", "--json", "--workers", "1"]);
    const again = await json(folder, [
      "solve",
      "2x3",
      "--json",
      "--workers",
      "1",
      "--fresh",
      "--yes",
    ]);
    expect(again.nodes).toEqual(first.nodes);
    expect(again.nodes.positions).toBeGreaterThan(0);
  });
});
