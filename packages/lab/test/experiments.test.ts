import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { filesOf, picturesOf } from "../src/experiment.js";
import { examineBound } from "../src/paper/bound.js";
import { EXPERIMENTS } from "../src/paper/experiments/index.js";
import { tryFootnote } from "../src/paper/footnote.js";
import { findForced } from "../src/paper/forced.js";

describe("LBHSV on 2x3", () => {
  const report = examineBound({
    shape: { rows: 2, cols: 3 },
    sample: 500,
    seed: 7,
    mostNodes: 10_000,
  });

  it("claims too much for four afterstates as printed, and for none in its sound forms", () => {
    expect(report).toMatchObject({ positions: 21_752, afterstates: 14_883 });
    expect(
      report.forms.map(({ form, exceeds, mostExcess }) => [form, exceeds, mostExcess]),
    ).toEqual([
      ["printed", 4, 48],
      ["printed-runs", 4, 48],
      ["sound", 0, 0],
      ["sound-behind", 0, 0],
    ]);
    expect(report.violations[0]).toEqual({
      board: "8 2 4/16 2 0 placer",
      value: 12,
      claimed: 60,
    });
  });

  it("is sampled by the seed, with each board searched to the end", () => {
    expect(report.sample).toMatchObject({ every: 43, unfinished: 0 });
    expect(report.sample.boards).toBeGreaterThanOrEqual(500);
    expect(report.affected.boards).toBe(16);
    expect(report.starts).toMatchObject({ boards: 20, unfinished: 0, wrong: [] });
  });
});

describe("the paper's footnote 1 on 2x2", () => {
  it.each(["score", "sound"] as const)("holds with leaves worth %s", (value) => {
    const game = { shape: { rows: 2, cols: 2 }, tiles: [2, 4] } as const;
    expect(tryFootnote({ game, value, deepest: 4 })).toEqual({ value, pairs: 440, decreases: 0 });
  });
});

describe("what is forced", () => {
  it.each([
    ["2x2", [2, 4], { least: 8, most: 12 }, 8, 180],
    ["2x2", [2], { least: 60, most: 68 }, 16, 68],
    ["2x3", [2, 4], { least: 40, most: 44 }, 16, 1260],
    ["2x3", [2], { least: 508, most: 516 }, 64, 516],
  ] as const)("on %s with tiles %j", (name, tiles, score, tile, helped) => {
    const [rows = 0, cols = 0] = name.split("x").map(Number);
    const report = findForced({ game: { shape: { rows, cols }, tiles }, helped: true });
    expect(report.score).toEqual(score);
    expect(report.tile).toEqual({ least: tile, most: tile });
    expect(report.helpedScore?.most).toBe(helped);
  });
});

describe("a report", () => {
  it("is written as Markdown with its pictures, JSON and SVG", () => {
    const [experiment] = EXPERIMENTS;
    if (experiment === undefined) throw new Error("there are experiments");
    const files = filesOf(
      experiment,
      {
        text: "\nText.\n",
        pictures: [{ name: "one", title: "One", svg: "<svg/>" }],
        data: { rows: [1] },
      },
      { command: "the command", machine: "a machine", date: "2026-01-31" },
    );
    expect([...files.keys()]).toEqual(["table1.md", "table1.json", "one.svg"]);
    expect(files.get("table1.md")).toContain("Made by `the command` on 2026-01-31, on a machine.");
    expect(files.get("table1.md")).toMatch(/\n\nText\.\n\n!\[One\]\(one\.svg\)\n$/);
    expect(JSON.parse(files.get("table1.json") ?? "")).toMatchObject({
      experiment: "table1",
      command: "the command",
      rows: [1],
    });
  });
});

/** Returns the text of a file of results/paper. */
function result(name: string): string {
  const file = fileURLToPath(new URL(`../../../results/paper/${name}`, import.meta.url));
  return readFileSync(file, "utf8");
}

/** Leaves out names that ECharts numbers through all charts of a process. */
function withoutNumbers(svg: string): string {
  return svg.replaceAll(/zr\d+[-\w]*/g, "").trim();
}

describe.each(EXPERIMENTS)("the pictures of $name", (experiment) => {
  it("in results/ are those of its data, with titles; node scripts/release/charts.js draws them", async () => {
    const pictures = await picturesOf(experiment, JSON.parse(result(`${experiment.name}.json`)));
    expect(pictures.length).toBeGreaterThan(0);
    const page = result(`${experiment.name}.md`);
    for (const { name, title, svg } of pictures) {
      expect(page).toContain(`(${name}.svg)`);
      expect(svg).toContain(`<title>${title}</title>`);
      expect(withoutNumbers(svg)).toBe(withoutNumbers(result(`${name}.svg`)));
    }
  });
});
