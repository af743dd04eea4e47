import type { ChildProcess } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { formatBoard, parseShape, slides, starts } from "@gridlock/game";
import { kernelVersion } from "@gridlock/kernel";
import { Database } from "@gridlock/store";
import { gridlock, json, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

/** Sends a signal once the command has said something on standard error. */
function interruptAt(words: string, signal: NodeJS.Signals = "SIGINT") {
  return (child: ChildProcess) => {
    let sent = false;
    child.stderr?.on("data", (data) => {
      if (sent || !String(data).includes(words)) return;
      sent = true;
      child.kill(signal);
    });
  };
}

describe("gridlock solve", () => {
  it("prints a table of starts, values and ends, and stores them in results/gridlock.db", async () => {
    const folder = temporaryFolder();
    const { code, stdout, stderr } = await gridlock(folder, ["solve", "2x2"]);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^start +value +end of a line of best play$/);
    expect(lines).toHaveLength(7);
    expect(lines[1]).toMatch(/^2 2\/0 0 +12 +\d \d\/\d \d$/);
    expect(stderr).toContain("6 of 6 starts solved");
    expect(existsSync(join(folder, "results/gridlock.db"))).toBe(true);
    // At rest the database is one file.
    expect(existsSync(join(folder, "results/gridlock.db-wal"))).toBe(false);
  });

  it("stores the value of each slide from a start, and the verdicts on all replies", async () => {
    const folder = temporaryFolder();
    await json(folder, ["solve", "2x3", "--json"]);
    const openings = starts({ rows: 2, cols: 3 }).flatMap((start) => [
      formatBoard(start, "slider"),
      ...slides(start).map(({ board }) => formatBoard(board, "placer")),
    ]);
    const args = ["query", "--json", "--budget", "0", "--no-published"];
    const { stdout } = await gridlock(folder, args, { input: openings.join("\n") });
    const answers = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers).toHaveLength(openings.length);
    for (const { board, value, moves } of answers) {
      expect(value, board).not.toBeNull();
      for (const { verdict } of moves) expect(verdict, board).not.toBe("open");
    }
  });

  it("prints one JSON object, and only that, with --json", async () => {
    const result = await json(temporaryFolder(), ["solve", "2x3", "--tiles", "2", "--json"]);
    expect(result).toMatchObject({ shape: "2x3", tiles: [2] });
    expect(result.starts).toHaveLength(20);
    expect(result.starts[0]).toMatchObject({ board: "2 2 0/0 0 0", value: 516, lo: 516, hi: 516 });
    expect(result.starts[0].end.split(/[ /]/).sort()).toEqual(["16", "2", "32", "4", "64", "8"]);
    expect(result.nodes.positions).toBeGreaterThan(0);
    expect(result.nodes.afterstates).toBeGreaterThan(0);
    expect(result.seconds).toBeGreaterThan(0);
  });

  it("removes its snapshot once all is solved, and the snapshot of an earlier run", async () => {
    const folder = temporaryFolder();
    const snapshot = join(folder, "results/gridlock.2x3.snapshot");
    const args = ["solve", "2x3", "--workers", "1", "--snapshot-every", "0.02", "--json"];
    let wasThere = false;
    await gridlock(folder, args, {
      slowed: 20,
      during: (child) => {
        const timer = setInterval(() => {
          wasThere ||= existsSync(snapshot);
        }, 5);
        child.on("exit", () => clearInterval(timer));
      },
    });
    expect(wasThere).toBe(true);
    const names = () => readdirSync(join(folder, "results"));
    expect(names()).toEqual(["gridlock.2x3.lock", "gridlock.db"]);
    writeFileSync(snapshot, "");
    await json(folder, args);
    expect(names()).toEqual(["gridlock.2x3.lock", "gridlock.db"]);
  });

  it("keeps the costliest entries of the table, but not of a shape that takes a moment", async () => {
    const folder = temporaryFolder();
    for (const shape of ["2x3", "2x5"]) await json(folder, ["solve", shape, "--json"]);
    using database = Database.open(join(folder, "results/gridlock.db"), { readOnly: true });
    const kept = ["2x3", "2x5"].map((name) => {
      const shape = parseShape(name);
      const batches = database.entries({ shape, tiles: [2, 4] }).batches(kernelVersion(shape));
      return [...batches].some(({ length }) => length > 0);
    });
    expect(kept).toEqual([false, true]);
  });

  it("answers from the database when all is solved, transposed as well", async () => {
    const folder = temporaryFolder();
    const first = await json(folder, ["solve", "2x3", "--json"]);
    const again = await json(folder, ["solve", "2x3", "--json"]);
    expect(again).toEqual({ ...first, nodes: { positions: 0, afterstates: 0 }, seconds: 0 });
    const turned = await json(folder, ["solve", "3x2", "--json"]);
    expect(turned.nodes).toEqual({ positions: 0, afterstates: 0 });
    expect(turned.starts[0]).toMatchObject({ board: "2 0/2 0/0 0", value: 44 });
  });

  it.each([
    [["solve", "3", "3"], /^error: 3 3 is not a shape; did you mean gridlock solve 3x3\?$/m],
    [["solve", "3x3x3"], /"3x3x3" is not a shape; expected rows x columns, such as 3x3/],
    [
      ["play", "3x3"],
      /expected --player NAME.*To play 3x3 yourself in a browser, run gridlock serve/,
    ],
  ])("says what to type instead of %j", async (args, message) => {
    const { code, stderr } = await gridlock(temporaryFolder(), args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it("says that a tabulation is faster than a search of 2x5 with 2s only", async () => {
    const args = ["solve", "2x5", "--tiles", "2", "--for", "0.1s"];
    const { stderr } = await gridlock(temporaryFolder(), args);
    expect(stderr).toMatch(/gridlock tabulate 2x5 --tiles 2 finds all values in about 3 minutes/);
  });

  it("reports progress in plain lines in a pipe, stops on Ctrl-C, saves, and resumes", async () => {
    const folder = temporaryFolder();
    const args = ["solve", "2x3", "--workers", "1", "--snapshot-every", "0.1", "--json"];
    const stopped = await gridlock(folder, args, {
      slowed: 60_000,
      during: interruptAt(" nodes, "),
    });
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toMatch(
      /2x3: 0\/20 starts, [\d.]+ m?s, .* nodes, .*\/s, .*values of (at least )?\d+/,
    );
    expect(stopped.stderr).toContain("stopping after saving what is proven");
    expect(stopped.stderr).not.toContain("\u001b");
    const { starts } = JSON.parse(stopped.stdout);
    expect(starts).toHaveLength(20);
    expect(starts[0].value).toBeNull();
    expect(starts[0].lo).toBeLessThan(starts[0].hi);

    const resumed = await gridlock(folder, args, {
      slowed: 60_000,
      during: interruptAt("resuming from", "SIGTERM"),
    });
    expect(resumed.code).toBe(130);
    expect(resumed.stderr).toMatch(/resuming from 0 values, .*[\d,]+ entries/);
  });

  it("stops at once on the second Ctrl-C", async () => {
    const { code, stdout, stderr } = await gridlock(temporaryFolder(), ["solve", "2x3", "--json"], {
      interrupt: { again: 250 },
    });
    expect(code).toBe(130);
    expect(stderr).toContain("stopping");
    expect(stdout).toBe(""); // the first Ctrl-C alone has the starts printed
  });

  it("takes a signal that comes twice at once, as GNU timeout sends it, for one", async () => {
    const { code, stdout, stderr } = await gridlock(temporaryFolder(), ["solve", "2x3", "--json"], {
      interrupt: { again: 0 },
    });
    expect(code).toBe(130);
    expect(stderr).toContain("stopping");
    expect(JSON.parse(stdout).starts).toHaveLength(20);
  });

  it("finds the same values with other threads, memory and order of starts", async () => {
    const options = ["--workers", "3", "--memory", "20M", "--seed", "5", "--quiet"];
    const folder = temporaryFolder();
    const { code, stdout, stderr } = await gridlock(folder, ["solve", "3x3", "--json", ...options]);
    expect(code).toBe(0);
    expect(stderr).toBe("");
    const values = JSON.parse(stdout).starts.map(({ value }: { value: number }) => value);
    expect(values).toEqual([
      ...new Array(8).fill(184),
      ...new Array(12).fill(180),
      ...new Array(8).fill(164),
    ]);
  });

  it.each([
    [["solve", "3x"], /"3x" is not a shape; expected rows x columns/],
    [["solve", "9x9"], /9x9 has 81 cells; a shape has 2 to 16/],
    [["solve", "0x3"], /0x3 has 0 cells/],
    [["solve"], /missing required argument 'shape'/],
    [["solve", "2x2", "--tiles", "3"], /"3" is not a tile set; expected 2,4/],
    [["solve", "2x2", "--tiles", "1"], /"1" is not a tile set/],
    [["solve", "2x2", "--tiles", "1e9"], /"1e9" is not a tile set/],
    [["solve", "2x2", "--workers", "0"], /expected a whole number from 1 to 256, not "0"/],
    [["solve", "2x2", "--memory", "lots"], /expected a size such as 512M or 2G, not "lots"/],
    [["solve", "2x2", "--memory", "1"], /of 1 bytes is too little; expected at least [\d,]+/],
    [["solve", "3x3", "--memory", "1100K", "--workers", "1"], /is too little/],
    [["solve", "2x2", "--memory", ""], /^error: --memory: expected a size .*, not ""$/m],
    [
      ["solve", "2x2", "--redis", ""],
      /^error: --redis is empty; expected a value: --redis <url>$/m,
    ],
    [["solve", "2x2", "--redis", "x"], /^error: x is not the URL of a Redis server/],
    [["serve", "--memory", "1"], /--memory of 1 bytes is too little; expected at least [\d,]+/],
    [["help", "slove"], /^error: unknown command 'slove'\n\(Did you mean solve\?\)/],
    [["solve", "2x2", "--db", ""], /^error: --db: expected the name of a file, not ""$/m],
    [["solve", "2x2", "--seed", "-1"], /expected a whole number/],
    [["solve", "2x2", "--guess", "0"], /expected a whole number from 4/],
    [["solve", "2x2", "--wrong"], /unknown option '--wrong'/],
    [
      ["solve", "4x4", "--force", "--memory", "900000G"],
      /a table of [\d.]+ GiB is too large: [\d.]+ GiB of memory is available; expected a --memory of/,
    ],
    [["solve", "4x4"], /4x4 would take some .* of table. It needs --force$/m],
    [["solve", "1x13", "--force"], /goes up to 16 cells, 12 in a single row/],
    [["solve", "4x4", "--tiles", "2", "--force"], /with 2s alone 4x4 cannot be searched/],
    [["solve", "2x2", "--for", "soon"], /expected a time such as 90s, 30m or 2h, not "soon"/],
    [["solve", "2x2", "--goal", "64"], /expected tile: and a tile, such as tile:64, not "64"/],
    [
      ["solve", "2x2", "--goal", "tile:12"],
      /expected a tile, a power of two from 8 to 32768, not "12"/,
    ],
    [
      ["solve", "2x2", "--goal", "tile:8192"],
      /no play on 2x2 makes a tile of 8192; expected at most 32/,
    ],
    [["solve", "2x2", "--goal", "tile:8", "--fresh"], /--goal cannot be combined with --fresh/],
    [
      ["solve", "2x2", "--lower-bounds", "--redis", "redis://x"],
      /--redis cannot be combined with --lower-bounds/,
    ],
    [["sovle", "2x2"], /unknown command 'sovle'/],
  ])("refuses %j with a sentence", async (args, message) => {
    const folder = temporaryFolder();
    const { code, stdout, stderr } = await gridlock(folder, args);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n +at /); // no stack
    expect(existsSync(join(folder, "results"))).toBe(false);
  });

  it.each([
    ["2x2", 8],
    ["3x2", 16],
    ["3x3", 32],
  ])(
    "finds that %s has a tile of %i that can be forced, and none twice as large",
    async (shape, tile) => {
      const folder = temporaryFolder();
      for (const [goal, forced] of [
        [tile, true],
        [2 * tile, false],
      ] as const) {
        const answer = await json(folder, ["solve", shape, "--goal", `tile:${goal}`, "--json"]);
        expect(answer).toMatchObject({ shape, tiles: [2, 4], goal: { tile: goal } });
        expect(new Set(answer.starts.map((start: { forced: boolean }) => start.forced))).toEqual(
          new Set([forced]),
        );
      }
      const { stdout } = await gridlock(folder, ["solve", shape, "--goal", `tile:${2 * tile}`]);
      expect(stdout).toMatch(new RegExp(`\n\nNo start can force a ${2 * tile}\\.\n$`));
      expect(existsSync(join(folder, "results"))).toBe(false); // those are no scores
    },
  );

  it("sums up a goal that all starts or some of them reach", async () => {
    const folder = temporaryFolder();
    const all = await gridlock(folder, ["solve", "2x2", "--goal", "tile:8"]);
    expect(all.stdout).toMatch(/\n\nAll 6 starts can force an 8\.\n$/);
    const goal = ["solve", "2x3", "--tiles", "2", "--goal", "tile:64"];
    const { starts } = await json(folder, [...goal, "--json"]);
    const forced = starts.filter((start: { forced: boolean }) => start.forced).length;
    expect((await gridlock(folder, goal)).stdout).toContain(
      forced === 20 ? "All 20 starts can force a 64." : `${forced} of 20 starts can force a 64.`,
    );
  });

  it("raises lower bounds for a time, and resumes from them", async () => {
    const folder = temporaryFolder();
    const args = ["solve", "2x6", "--lower-bounds", "--json", "--workers", "1", "--memory", "128M"];
    let seconds = 0.5;
    const bounds = async () => {
      seconds *= 2; // a slow machine may need most of a short time to begin
      const { code, stdout } = await gridlock(folder, [...args, "--for", `${seconds}s`]);
      expect(code).toBe(3);
      return JSON.parse(stdout).starts.map(({ lo }: { lo: number }) => lo) as number[];
    };
    // A slow machine may need more runs to raise all bounds, or to raise one again.
    let first = await bounds();
    while (Math.min(...first) === 0) first = await bounds();
    const second = await bounds();
    first.forEach((lo, i) => {
      expect(second[i]).toBeGreaterThanOrEqual(lo);
    });
    const table = (await gridlock(folder, ["export", "2x6"])).stdout.replaceAll("\n", " ");
    const run = "gridlock solve 2x6 --lower-bounds --workers \\d+ --memory \\d+M --for \\S+";
    // Of the runs that searched.
    expect(table).toMatch(new RegExp(`Made by \`(${run} && )+gridlock export 2x6\``));
    expect(table).toMatch(/ (\d+ runs|One run): [\d,]+ positions and [\d,]+ afterstates in \d/);
    for (let last = second; isDeepStrictEqual(last, first); ) last = await bounds();
  });

  it("raises the lower bounds of all starts to a score, and says what that takes", async () => {
    const folder = temporaryFolder();
    const args = ["solve", "3x3", "--lower-bounds", "--workers", "1"];
    const first = await gridlock(folder, [...args, "--guess", "98"]);
    expect(first.code).toBe(0);
    expect(first.stdout.match(/^.* 100 … \d+ +–$/gm)?.length).toBeGreaterThan(20);
    expect(first.stderr).toMatch(
      /asking whether 2 2 0\/0 0 0\/0 0 0 is worth at least 100 points; then the 27 other starts/,
    );
    expect(first.stderr).toMatch(
      /(all|of) 28 starts are worth at least 10\d.*: [\d,]+ positions and/,
    );
    const again = await gridlock(folder, [...args, "--guess", "98", "--json"]);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout).nodes).toEqual({ positions: 0, afterstates: 0 });
    const above = await json(folder, [...args, "--guess", "184", "--json"]);
    for (const { lo, hi, value } of above.starts)
      expect(value ?? lo).toBe(value === null ? 184 : hi);
    const made = (await gridlock(folder, ["export", "3x3"])).stdout.replaceAll("\n", " ");
    expect(made).toContain("--guess 98");
  });

  it("finds the same values without static bounds and in another order", async () => {
    const folder = temporaryFolder();
    const solve = ["solve", "3x3", "--json", "--workers", "1"];
    const usual = await json(folder, [...solve, "--db", "usual.db"]);
    const other = await json(folder, [
      ...solve,
      "--db",
      "other.db",
      "--without-bound",
      "--other-order",
    ]);
    const values = ({ starts }: { starts: { value: number }[] }) =>
      starts.map(({ value }) => value);
    expect(values(other)).toEqual(values(usual));
    expect(other.nodes.positions).not.toBe(usual.nodes.positions);
    const again = await gridlock(folder, [...solve, "--db", "usual.db", "--other-order"]);
    expect(again.code).toBe(2);
    expect(again.stderr).toMatch(/already has results of 3x3, so nothing would be confirmed/);
  });

  it("solves a single start, in any orientation, and later the others", async () => {
    const folder = temporaryFolder();
    const only = ["solve", "2x3", "--json", "--start"];
    const { starts } = await json(folder, [...only, "0 2 2\n0 0 0"]);
    expect(starts).toMatchObject([{ board: "2 2 0/0 0 0", value: 44 }]);
    const again = await json(folder, [...only, "- - -/2 2 -"]);
    expect(again).toMatchObject({ starts, nodes: { positions: 0, afterstates: 0 } });
    const [game] = (await json(folder, ["status", "--json"])).games;
    expect(game.solved).toBeLessThan(game.starts);
    expect((await json(folder, ["solve", "2x3", "--json"])).starts).toHaveLength(20);
    for (const [args, message] of [
      [["2 2 2/0 0 0"], /2 2 2\/0 0 0 is not a start; expected a board of 2x3 with two tiles/],
      [["2 2 0/0 0 0 placer"], /placer is not a start/],
      [["2 2/0 0"], /a board of 2x2; expected one of 2x3/],
      [["2 2 0/0 0 0", "--goal", "tile:8"], /--goal cannot be combined with --start/],
    ] as const) {
      const refused = await gridlock(folder, ["solve", "2x3", "--start", ...args]);
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(refused.stderr).toMatch(message);
    }
  });

  it("finds room for the table beside many workers", async () => {
    const { nodes, starts } = await json(temporaryFolder(), [
      ...["solve", "2x4", "--json", "--workers", "16"],
    ]);
    expect(starts).toHaveLength(34);
    expect(nodes.positions).toBeLessThan(200_000);
  });

  it("prints a line of best play that is longer than the stack is deep", async () => {
    const { starts } = await json(temporaryFolder(), ["solve", "1x10", "--tiles", "2", "--json"]);
    for (const { value, line } of starts) {
      expect(value).toBeGreaterThan(0);
      expect(line.length).toBeGreaterThan(0);
    }
  });

  it("prints its options and examples with --help", async () => {
    const { code, stdout } = await gridlock(temporaryFolder(), ["solve", "--help"]);
    expect(code).toBe(0);
    for (const word of ["--tiles", "--db", "--workers", "--memory", "--json", "Examples:"]) {
      expect(stdout).toContain(word);
    }
    // Indented lines, of options and examples, are not wrapped.
    const prose = stdout.split("\n").filter((line) => /^\S/.test(line));
    expect(Math.max(...prose.map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});
