import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gridlock, json, temporaryFolder } from "./run.js";

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

  it("answers from the database when all is solved, transposed as well", async () => {
    const folder = temporaryFolder();
    const first = await json(folder, ["solve", "2x3", "--json"]);
    const again = await json(folder, ["solve", "2x3", "--json"]);
    expect(again).toEqual({ ...first, nodes: { positions: 0, afterstates: 0 }, seconds: 0 });
    const turned = await json(folder, ["solve", "3x2", "--json"]);
    expect(turned.nodes).toEqual({ positions: 0, afterstates: 0 });
    expect(turned.starts[0]).toMatchObject({ board: "2 0/2 0/0 0", value: 44 });
  });

  it("says where it stands in plain lines in a pipe, stops on Ctrl-C, saves, and goes on", async () => {
    const folder = temporaryFolder();
    const args = ["solve", "3x4", "--memory", "256M", "--json"];
    const stopped = await gridlock(folder, args, {
      during: (child) => setTimeout(() => child.kill("SIGINT"), 3000),
    });
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toMatch(/3x4: 0\/80 starts, \d+ questions, .* nodes, .*\/s/);
    expect(stopped.stderr).toContain("stopping after saving what is proven");
    expect(stopped.stderr).not.toContain("\u001b");
    const { starts } = JSON.parse(stopped.stdout);
    expect(starts).toHaveLength(80);
    expect(starts[0].value).toBeNull();
    expect(starts[0].lo).toBeLessThan(starts[0].hi);

    const resumed = await gridlock(folder, args, {
      during: (child) => setTimeout(() => child.kill("SIGTERM"), 2000),
    });
    expect(resumed.code).toBe(130);
    expect(resumed.stderr).toMatch(/going on from 0 values and [\d,]+ bounds/);
  });

  it("stops at once on the second Ctrl-C", async () => {
    const began = performance.now();
    const { code } = await gridlock(temporaryFolder(), ["solve", "3x4", "--memory", "256M"], {
      during: (child) => {
        child.stderr?.on("data", (data) => {
          if (String(data).includes("stopping")) child.kill("SIGINT");
        });
        setTimeout(() => child.kill("SIGINT"), 1500);
      },
    });
    expect(code).toBe(130);
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  it("solves with the options it is given, to the same values", async () => {
    const options = ["--workers", "3", "--memory", "6M", "--seed", "5", "--quiet"];
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
    [["solve", "2x2", "--memory", "1"], /too little for 2x2.*expected at least/],
    [["solve", "2x2", "--seed", "-1"], /expected a whole number/],
    [["solve", "2x2", "--wrong"], /unknown option '--wrong'/],
    [["solve", "4x4"], /4x4 would take some .* of table. Say --force/],
    [["solve", "4x4", "--force"], /boards of 16 cells cannot be searched yet/],
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

  it("tells its options and examples with --help", async () => {
    const { code, stdout } = await gridlock(temporaryFolder(), ["solve", "--help"]);
    expect(code).toBe(0);
    for (const word of ["--tiles", "--db", "--workers", "--memory", "--json", "Examples:"]) {
      expect(stdout).toContain(word);
    }
  });
});
