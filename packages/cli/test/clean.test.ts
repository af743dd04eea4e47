import { copyFileSync, cpSync, existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packedFromBits } from "@gridlock/game";
import { Database, snapshotFileOf } from "@gridlock/store";
import { GRIDLOCK, gridlock, json, Process, temporaryFolder, until } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const SOLVE = ["solve", "3x4", "--memory", "256M", "--workers", "1"];
const SNAPSHOT = "results/gridlock.3x4.snapshot";

/** Results of a solved shape with a snapshot, an unfinished one, a worker, and a tabulation. */
let prepared: string;

beforeAll(async () => {
  prepared = temporaryFolder(afterAll);
  const results = join(prepared, "results");
  await json(prepared, ["solve", "2x2", "--json"]);
  await json(prepared, ["tabulate", "2x2", "--reach", "16", "--json"]);
  await using solve = new Process(GRIDLOCK, [...SOLVE, "--snapshot-every", "0.1"], {
    cwd: prepared,
  });
  await until("it has a snapshot", () => existsSync(join(prepared, SNAPSHOT)));
  await solve.kill("SIGINT");
  copyFileSync(join(prepared, SNAPSHOT), join(results, "gridlock.2x2.snapshot"));
  copyFileSync(join(prepared, SNAPSHOT), join(results, "worker-1.3x4.claims"));
  using worker = Database.open(join(results, "worker-1.db"));
  const afterstate = { turn: "placer", board: packedFromBits(1n), lo: 0, hi: 4 } as const;
  worker.bounds({ shape: { rows: 3, cols: 4 }, tiles: [2, 4] }).merge([afterstate]);
  // None of a worker, though they are named like it.
  copyFileSync(join(results, "gridlock.db"), join(results, "workers-solved.db"));
  writeFileSync(join(results, "worker-notes.db"), "no database");
});

function copied(): string {
  const folder = temporaryFolder();
  cpSync(prepared, folder, { recursive: true });
  return folder;
}

const namesIn = (folder: string) => readdirSync(join(folder, "results")).sort();
const kept = [
  ...["gridlock.2x2.lock", "gridlock.2x2.positions.lock", "gridlock.3x4.lock", "gridlock.db"],
  ...["worker-notes.db", "workers-solved.db"],
];

describe("gridlock clean", () => {
  it("lists removable files and the space that they free, and removes nothing without consent", async () => {
    const folder = copied();
    const before = namesIn(folder);
    const { code, stdout, stderr } = await gridlock(folder, ["clean"]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    for (const line of [
      /^snapshots +2x2 +[\d.]+ [kKMi]*B +removable +results\/gridlock\.2x2\.snapshot +all starts are solved$/m,
      /^snapshots +3x4 +.* unfinished +results\/gridlock\.3x4\.snapshot +0 of 80 starts are solved$/m,
      /^workers +.* removable +results\/worker-1\.db and 1 more /m,
      /^tabulations +2x2 .* results\/gridlock\.2x2\.positions and 3 more +110 positions; gridlock tabulate 2x2 /m,
      /^Removing the removable files frees .*B\. .*--unfinished removes them too\.\nnothing was removed; add --yes/m,
    ]) {
      expect(stdout).toMatch(line);
    }
    expect(namesIn(folder)).toEqual(before);
    const { bytes, files } = await json(folder, ["clean", "--json"]);
    expect(files.map(({ kind }: { kind: string }) => kind)).toEqual([
      ...["snapshots", "snapshots", "workers", "tabulations"],
    ]);
    const removable = files.filter(({ state }: { state: string }) => state === "removable");
    const sizes = removable.flatMap(({ files: names }: { files: string[] }) =>
      names.map((name) => statSync(join(folder, name)).size),
    );
    expect(bytes).toBe(sizes.reduce((sum: number, size: number) => sum + size, 0));
    expect(namesIn(folder)).toEqual(before);
  });

  it("removes the named kinds, and no value with them", async () => {
    const folder = copied();
    const values = await json(folder, ["export", "2x2", "--format", "json"]);
    const free = (await json(folder, ["clean", "snapshots", "--json"])).bytes;
    const { bytes, files } = await json(folder, ["clean", "snapshots", "--yes", "--json"]);
    expect(bytes).toBe(free);
    expect(files.map(({ state }: { state: string }) => state)).toEqual(["removed", "unfinished"]);
    expect(existsSync(join(folder, SNAPSHOT))).toBe(true);
    expect(existsSync(join(folder, "results/gridlock.2x2.positions"))).toBe(true);
    const all = await gridlock(folder, ["clean", "--yes", "--unfinished"]);
    expect(all.stdout).toMatch(/^Removing them frees (.*)\.\nfreed \1\n$/m);
    expect(namesIn(folder)).toEqual(kept);
    expect(await json(folder, ["export", "2x2", "--format", "json"])).toEqual(values);
    expect((await gridlock(folder, ["clean"])).stdout).toBe(
      "there is nothing to remove beside results/gridlock.db\n",
    );
  });

  it("never removes files that a running process uses", async () => {
    const folder = copied();
    await using solve = new Process(GRIDLOCK, SOLVE, { cwd: folder });
    await until("it searches", () => solve.stderr.includes("0/80 starts"));
    solve.child.kill("SIGSTOP"); // it has its files open all the while
    using _worker = Database.open(join(folder, "results/worker-1.db"));
    const states = async () => {
      const { files } = await json(folder, ["clean", "--yes", "--unfinished", "--json"]);
      return files.map(({ kind, state }: { kind: string; state: string }) => `${kind} ${state}`);
    };
    expect(await states()).toEqual([
      ...["snapshots in use", "snapshots in use", "workers in use", "tabulations removed"],
    ]);
    const game = { shape: { rows: 3, cols: 4 }, tiles: [2, 4] } as const;
    expect(existsSync(snapshotFileOf(join(folder, "results/gridlock.db"), game))).toBe(true);
    await solve.kill();
    expect(await states()).toEqual([
      ...["snapshots removed", "snapshots removed", "workers in use"],
    ]);
  });

  it("keeps a tabulation that is being made", async () => {
    const folder = temporaryFolder();
    await using tabulate = new Process(GRIDLOCK, ["tabulate", "2x4"], { cwd: folder });
    const minimax = join(folder, "results/gridlock.2x4.minimax");
    await until("it has found some", () => existsSync(minimax));
    tabulate.child.kill("SIGSTOP");
    const { files, bytes } = await json(folder, ["clean", "--yes", "--json"]);
    expect(files).toMatchObject([{ kind: "tabulations", state: "in use" }]);
    expect(bytes).toBe(0);
    expect(existsSync(minimax)).toBe(true);
  });

  it("has nothing to do in a folder without a database, and refuses other kinds", async () => {
    const folder = temporaryFolder();
    expect(await json(folder, ["clean", "--json", "--yes"])).toEqual({ bytes: 0, files: [] });
    const { code, stderr } = await gridlock(folder, ["clean", "values"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/expected snapshots, workers, tabulations, not/);
  });
});
