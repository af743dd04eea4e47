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
      expect(svg).toMatch(/^<svg[^>]* role="img" aria-label="A &lt; B &amp; C"><title>A &lt; B/);
      expect(svg).toMatch(
        /<desc>[^<]* nodes by depth, on a logarithmic scale. Series: ours; theirs/,
      );
      expect(svg).toContain("<style>@media (prefers-color-scheme:dark)");
    },
  );
});

describe("series that meet", () => {
  const chart = { name: "chart", title: "chart", x: { name: "depth" }, y: { name: "nodes" } };
  const points = [
    [0, 100],
    [1, 200],
  ] as const;

  it("are dashed where one line runs over another", async () => {
    const dashes = async (other: number) => {
      const above = { name: "above", points: points.map(([x, y]) => [x, y + other] as const) };
      const series = [{ name: "below", points }, above];
      const { svg } = await drawChart({ ...chart, series });
      return svg.match(/stroke-dasharray="7,5"/g)?.length;
    };
    expect(await dashes(50)).toBeUndefined();
    expect(await dashes(1)).toBe(2); // the line, and its sample in the legend
  });

  it("share their places if one of them is hatched", async () => {
    const series = [
      { name: "solved", points: [[0, 10] as const] },
      { name: "given up", points: [[1, 20] as const], hatched: true },
    ];
    const x = { name: "search", categories: ["a", "b"] };
    const { svg } = await drawChart({ ...chart, kind: "rows", x, series });
    expect(svg).toContain("<pattern");
    expect(
      (await drawChart({ ...chart, kind: "rows", x, series: series.slice(0, 1) })).svg,
    ).not.toContain("<pattern");
  });
});

describe("a category's name", () => {
  it("may have several lines", async () => {
    const { svg } = await drawChart({
      name: "chart",
      title: "chart",
      kind: "bars",
      x: { name: "start", categories: ["2 4\n· 8"] },
      y: { name: "nodes" },
      series: [{ name: "ours", points: [[0, 1]] }],
    });
    for (const line of ["2 4", "· 8"]) expect(svg).toContain(`>${line}</text>`);
  });
});

describe("drawStrips", () => {
  it("draws every tile, and escapes texts", () => {
    const { board } = parseBoard("2 0 4/0 16 8");
    const { svg } = drawStrips("line", "a < b", [
      { heading: "one & two", frames: [{ board, caption: "up" }] },
    ]);
    expect(svg).toContain("<title>a &lt; b</title>");
    expect(svg).toContain("one &amp; two");
    expect(svg.match(/class="number"/g)).toHaveLength(4);
  });
});
