import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gridlock, json, temporaryFolder } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

describe("gridlock status and export", () => {
  let folder: string;
  beforeAll(async () => {
    folder = temporaryFolder(afterAll);
    await gridlock(folder, ["solve", "2x2"]);
    await gridlock(folder, ["solve", "2x3", "--tiles", "2"]);
  });

  it("show the database's contents", async () => {
    const { code, stdout } = await gridlock(folder, ["status"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^2x2 +6 +6 +8 … 12 /m);
    expect(stdout).toMatch(/^2x3 with 2s only +20 +20 +508 … 516 /m);
    const status = await json(folder, ["status", "--json"]);
    expect(status.games).toHaveLength(2);
    expect(status.games[0]).toMatchObject({ shape: "2x2", tiles: [2, 4], starts: 6, solved: 6 });
    expect(status.runs).toHaveLength(2);
    expect(status.runs[0]).toMatchObject({ shape: "2x3", outcome: "solved" });
  });

  it("list the published values that the database lacks", async () => {
    const { stdout } = await gridlock(folder, ["status"]);
    const [, listed] = stdout.split(/^(?=published )/m) as [string, string];
    expect(listed).toMatch(/^2x3 +20 +20 +40 … 44 +results\/2x3\.json$/m);
    expect(listed).toMatch(/^4x4 +75 +0 +at least 488 +results\/4x4\.json$/m);
    expect(listed).not.toMatch(/^2x2 |2s only +20/m); // they are solved here
    const { published } = await json(folder, ["status", "--json"]);
    expect(published[0]).toMatchObject({ shape: "2x3", tiles: [2, 4], lo: 40, hi: 44 });
    const without = await json(folder, ["status", "--json", "--no-published"]);
    expect(without.published).toEqual([]);
  });

  it("reports tabulations beside the database, for games that it lacks too, and their faults", async () => {
    const own = temporaryFolder();
    await gridlock(own, ["solve", "2x2"]);
    await gridlock(own, ["tabulate", "2x2", "--reach", "16"]);
    await gridlock(own, ["tabulate", "2x3", "--tiles", "2"]);
    const bytes = (names: string[]) =>
      names.reduce((sum, name) => sum + statSync(join(own, `results/gridlock.${name}`)).size, 0);
    const status = async () => (await json(own, ["status", "--json"])).games;
    const columns = ["positions", "minimax", "expected", "reach-16"];
    const [solved, unsolved, ...rest] = await status();
    expect(rest).toEqual([]);
    expect(solved).toMatchObject({
      shape: "2x2",
      starts: 6,
      solved: 6,
      tabulation: {
        columns,
        positions: 110,
        complete: true,
        file: "results/gridlock.2x2.positions",
        bytes: bytes(columns.map((column) => `2x2.${column}`)),
      },
    });
    expect(solved.tabulation).not.toHaveProperty("error");
    expect(unsolved).toMatchObject({
      shape: "2x3",
      tiles: [2],
      starts: 0,
      solved: 0,
      certificate: null,
      tabulation: { columns: columns.slice(0, 3), positions: 4421, complete: true },
    });
    const { stdout } = await gridlock(own, ["status"]);
    expect(stdout).toMatch(/^2x2 +positions, minimax, expected, reach-16 +110 +yes .*B +results/m);
    expect(stdout).toMatch(/^2x3 with 2s only +positions, minimax, expected +4,421 +yes /m);

    truncateSync(join(own, "results/gridlock.2x2.reach-16"), 1000);
    const minimax = join(own, "results/gridlock.2x3-tiles-2.minimax");
    const head = readFileSync(minimax);
    head[7] = 2; // another version of the format
    writeFileSync(minimax, head);
    rmSync(join(own, "results/gridlock.2x3-tiles-2.expected"));
    const [torn, other] = await status();
    expect(torn.tabulation).toMatchObject({ columns, positions: 110, complete: false });
    expect(torn.tabulation).not.toHaveProperty("error");
    expect(other.tabulation).toMatchObject({
      columns: columns.slice(0, 2),
      positions: 4421,
      complete: false,
      error: expect.stringContaining(
        "2x3-tiles-2.minimax is not the minimax column of 2x3 with 2s only",
      ),
    });
    const damaged = await gridlock(own, ["status"]);
    expect(damaged.code).toBe(0);
    expect(damaged.stdout).toMatch(
      /^2x3 with 2s only .* 4,421 +no .* is not the minimax column of 2x3/m,
    );
  });

  it("write a table of starts in three formats; Markdown and JSON name the command that made it", async () => {
    const markdown = (await gridlock(folder, ["export", "2x2"])).stdout;
    expect(markdown).toMatch(/^# Adversarial 2048 on 2x2\n/);
    expect(markdown).toContain("Made by `gridlock solve 2x2 && gridlock export 2x2`.");
    expect(markdown).toMatch(/^\| +1 \| `2 2\/0 0` \| +12 \| `\d \d\/\d \d` \| +8 \| /m);

    const table = await json(folder, ["export", "2x3", "--tiles", "2", "--format", "json"]);
    expect(table.madeBy).toContain("gridlock export 2x3 --tiles 2 --format json");
    expect(table.starts).toHaveLength(20);

    const csv = (await gridlock(folder, ["export", "2x2", "--format", "csv"])).stdout.split("\n");
    expect(csv[0]).toBe("start,value,lo,hi,end,line");
    expect(csv[1]).toMatch(/^2 2\/0 0,12,12,12,\d \d\/\d \d,"[a-z]+ \d@/);
  });

  it("write to a file", async () => {
    const { code, stdout } = await gridlock(folder, ["export", "2x2", "--output", "2x2.md"]);
    expect(code).toBe(0);
    expect(stdout).toBe("");
    expect(readFileSync(join(folder, "2x2.md"), "utf8")).toMatch(/\| +12 \|/);
  });

  it("say that nothing is saved yet in a database whose writer was killed at once", async () => {
    const own = temporaryFolder();
    writeFileSync(join(own, "new.db"), "");
    const db = ["--db", "new.db"];
    expect(await gridlock(own, ["status", "--no-published", ...db])).toMatchObject({
      code: 0,
      stdout: "new.db: nothing is saved yet\n",
    });
    expect(await json(own, ["status", "--json", ...db])).toMatchObject({
      bytes: 0,
      games: [],
      runs: [],
    });
    const verified = await gridlock(own, ["verify", ...db]);
    expect(verified.code).toBe(2);
    expect(verified.stderr).toBe("error: new.db has no results yet; run gridlock solve first\n");
    const game = await gridlock(own, ["verify", "2x2", ...db]);
    expect(game.code).toBe(2);
    expect(game.stderr).toMatch(/has no results of 2x2; run gridlock solve 2x2 first/);
    expect(statSync(join(own, "new.db")).size).toBe(0);
    expect((await gridlock(own, ["solve", "2x2", ...db])).code).toBe(0);
    expect((await gridlock(own, ["status", ...db])).stdout).toMatch(/^2x2 +6 +6 /m);
  });

  it.each([["status"], ["verify"], ["export", "2x2"], ["prove", "2x2"], ["solve", "2x2"]])(
    "refuse a named pipe as --db at once: %s",
    async (...args) => {
      const own = temporaryFolder();
      execFileSync("mkfifo", [join(own, "pipe.db")]);
      const { code, stderr } = await gridlock(own, [...args, "--db", "pipe.db"]);
      expect(code).toBe(1);
      expect(stderr).toBe(
        "error: cannot open pipe.db: it is a named pipe; expected a regular file\n",
      );
    },
  );

  it("say so when there is nothing to show", async () => {
    const missing = await gridlock(folder, ["status", "--db", "nothing.db"]);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toMatch(
      /there is no solution database nothing.db; gridlock solve makes one/,
    );
    const unsolved = await gridlock(folder, ["export", "3x3"]);
    expect(unsolved.code).toBe(2);
    expect(unsolved.stderr).toMatch(/has no results of 3x3; run gridlock solve 3x3 first/);
  });
});
