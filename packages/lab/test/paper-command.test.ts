import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gridlock, json, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

describe("gridlock paper", () => {
  it("prints the paper's Table 2 and writes it as Markdown, JSON and a chart", async () => {
    const folder = temporaryFolder();
    const { code, stdout, stderr } = await gridlock(folder, ["paper", "table2"]);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("Table 2");
    const out = join(folder, "results/paper");
    expect(readdirSync(out).sort()).toEqual(["table2.json", "table2.md", "table2.svg"]);
    const markdown = readFileSync(join(out, "table2.md"), "utf8");
    expect(markdown).toContain("Made by `npx gridlock paper table2`");
    expect(markdown).toContain("![2×2 to the end of the game](table2.svg)");
    const { rows } = JSON.parse(readFileSync(join(out, "table2.json"), "utf8"));
    expect(rows.map((row: { ours: { value: number } }) => row.ours.value)).toEqual([
      12, 8, 8, 12, 8, 8,
    ]);
    for (const { ours, paper } of rows) {
      const nodes = ours.nodes.positions + ours.nodes.afterstates;
      expect(nodes / paper.nodes).toBeGreaterThan(0.5);
      expect(nodes / paper.nodes).toBeLessThan(2);
    }
  });

  it("prints only JSON with --json, and agrees with all values of the paper's Figure 9", async () => {
    const folder = temporaryFolder();
    const { rows } = await json(folder, ["paper", "figure9", "--json", "--out", "here"]);
    expect(existsSync(join(folder, "here/figure9.svg"))).toBe(true);
    expect(rows).toHaveLength(20);
    for (const { both, twos } of rows) {
      for (const { board, ours, paper } of [both, twos]) {
        expect(ours.value, board).toBe(paper.value);
        const nodes = ours.nodes.positions + ours.nodes.afterstates;
        expect(nodes / paper.nodes).toBeGreaterThan(0.5);
        expect(nodes / paper.nodes).toBeLessThan(2);
      }
    }
  });

  it("stops cleanly when it is interrupted", async () => {
    const folder = temporaryFolder();
    const args = ["paper", "solution", "--workers", "1"];
    const { code, stderr } = await gridlock(folder, args, { interrupt: true });
    expect(stderr).toContain("stopping");
    expect(code).toBe(130);
    expect(readdirSync(join(folder, "results/paper"))).toEqual([]);
  });

  it.each([
    [["paper", "table5"], /unknown command 'table5'/],
    [["paper", "lower-bound", "--seed", "-1"], /expected a whole number/],
    [["paper", "solution", "--most-nodes", "0"], /expected a whole number from 1/],
    [["paper", "table1", "--out", "/dev/null/x"], /--out \/dev\/null\/x cannot be used/],
  ])("refuses %j", async (args, message) => {
    const { code, stdout, stderr } = await gridlock(temporaryFolder(), args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stdout).toBe("");
  });
});
