import { gridlock, json, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

const SMALL = ["--every", "512", "--delay", "256", "--quiet"];

describe("gridlock simulate", () => {
  it("reports the efficiency of machines, the same each time", { tags: ["long"] }, async () => {
    const folder = temporaryFolder();
    const question = ["--board", "2 2 0/0 0 0", "--threshold", "48"];
    const machines = ["--machines", "1,2", "--seeds", "1,2,3"];
    const args = ["simulate", ...question, ...SMALL, ...machines];
    const { answer, alone, results, options } = await json(folder, [...args, "--json"]);
    expect(answer).toBe(false);
    expect(options).toMatchObject({ every: 512, delay: 256, rate: null });
    expect(results).toMatchObject([{ machines: 1, efficiency: 1 }, { machines: 2 }]);
    const { runs, efficiency } = results[1];
    expect(runs.map(({ seed }: { seed: number }) => seed)).toEqual([1, 2, 3]);
    for (const run of runs) expect(run.efficiency).toBeCloseTo(alone / (2 * run.time), 9);
    const sorted = runs.map((run: { efficiency: number }) => run.efficiency).sort();
    expect(efficiency).toBe(sorted[1]);
    const table = await gridlock(folder, args);
    expect(table.stdout).toMatch(/^h ≥ 48 of 2 2 0\/0 0 0\? no, by [\d,]+ nodes/);
    expect(table.stdout).toMatch(/^ +2 +1 .* %$/m);
    expect((await gridlock(folder, args)).stdout).toBe(table.stdout);
  });

  it("asks a given question about a given board", async () => {
    const question = ["--board", "0 2 2/0 0 0", "--threshold", "44", "--machines", "2"];
    const found = await json(temporaryFolder(), ["simulate", ...question, ...SMALL, "--json"]);
    expect(found).toMatchObject({ shape: "2x3", board: "2 2 0/0 0 0", threshold: 44 });
  });

  it("solves all starts", async () => {
    const args = ["simulate", "2x3", "--machines", "2", ...SMALL];
    const found = await json(temporaryFolder(), [...args, "--json"]);
    expect(found).toMatchObject({ board: null, threshold: null, answer: null });
    expect(found.results[0].runs[0].subtrees).toBeGreaterThan(0);
    const { stdout } = await gridlock(temporaryFolder(), args);
    expect(stdout).toMatch(/^all starts of 2x3, by [\d,]+ nodes of one thread alone/);
  });

  it.each([
    [[], /expected either a shape, such as 2x5, or --board with --threshold/],
    [["2x3", "--threshold", "44"], /expected either a shape/],
    [["--board", "2 2/0 0"], /expected either a shape/],
    [["2x3", "--machines", "1,,2"], /expected a whole number from 1 to 1024/],
    [["2x3", "--rate", "fast"], /expected a number from 0 to 1000000/],
  ])("refuses %o", async (args, words) => {
    const { code, stderr } = await gridlock(temporaryFolder(), ["simulate", ...args]);
    expect(stderr).toMatch(words);
    expect(code).toBe(2);
  });
});
