import { parseBoard } from "@gridlock/game";
import { describe, expect, it } from "vitest";
import { drawChart, drawStrips } from "../src/index.js";

describe("a chart", () => {
  it.each(["lines", "points", "bars", "rows"] as const)(
    "of %s names its axes and series, in colours for light and dark",
    async (kind) => {
      const banded = kind === "bars" || kind === "rows";
      const { svg } = await drawChart({
        name: "chart",
        title: "A < B & C",
        kind,
        x: { name: "depth", ...(banded ? { categories: ["six", "seven"] } : {}) },
        y: { name: "nodes", log: true },
        series: [
          {
            name: "ours",
            points: [
              [0, 181],
              [1, 233],
            ],
          },
          { name: "theirs", points: [[0, 3838]], dashed: true },
        ],
      });
      for (const text of ["A &lt; B &amp; C", "nodes", "ours", "theirs"]) {
        expect(svg).toContain(text);
      }
      expect(svg).toContain(kind === "rows" ? "seven" : "depth");
      expect(svg).toMatch(/^<svg[^>]*><style>@media \(prefers-color-scheme:dark\)/);
    },
  );
});

describe("drawStrips", () => {
  it("draws every tile, and escapes what is written", () => {
    const { board } = parseBoard("2 0 4/0 16 8");
    const { svg } = drawStrips("line", "a < b", [
      { heading: "one & two", frames: [{ board, caption: "up", placed: 2, unknown: true }] },
    ]);
    expect(svg).toContain("<title>a &lt; b</title>");
    expect(svg).toContain("one &amp; two");
    for (const label of ["2", "4", "8", "16", "?"]) expect(svg).toContain(`>${label}</text>`);
  });
});
