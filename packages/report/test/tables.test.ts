import { describe, expect, it } from "vitest";
import { csvTable, formatTable, markdownTable, tableOf } from "../src/index.js";

describe("markdownTable", () => {
  it("aligns numbers and requested columns to the right", () => {
    const table = markdownTable(
      ["start", "value", "nodes"],
      [
        ["`2 2/0 0`", "12", 1234567],
        ["–", "8 … 12", undefined],
      ],
      [1],
    );
    expect(table.split("\n")).toEqual([
      "| start     |  value |     nodes |",
      "| --------- | -----: | --------: |",
      "| `2 2/0 0` |     12 | 1,234,567 |",
      "| –         | 8 … 12 |           |",
    ]);
  });
});

describe("formatTable", () => {
  it("pads columns and ends no line with spaces", () => {
    const table = formatTable(
      [{ start: "2 2/0 0", value: 12, nodes: "9" }],
      [
        ["start", ({ start }) => start],
        ["value", ({ value }) => value],
        undefined,
        ["nodes", ({ nodes }) => nodes, "right"],
      ],
    );
    expect(table.split("\n")).toEqual(["start    value  nodes", "2 2/0 0     12      9"]);
  });
});

it("a line end in a cell breaks no row of either table", () => {
  for (const table of [tableOf, formatTable]) {
    const lines = table(
      [["one\ntwo", "3"]],
      [
        ["a", ([a]) => a],
        ["b", ([, b]) => b],
      ],
    ).split("\n");
    expect(lines.at(-1)).toMatch(/one\\ntwo.* 3/);
  }
});

describe("csvTable", () => {
  it("quotes cells with a comma, a quote or a line break", () => {
    expect(
      csvTable(
        ["a", "b"],
        [
          ['say "hi"', "up 2@1,2"],
          ["two\nlines", 1234],
          [undefined, ""],
        ],
      ),
    ).toBe('a,b\n"say ""hi""","up 2@1,2"\n"two\nlines",1234\n,\n');
  });
});
