import { describe, expect, it } from "vitest";
import { csvTable, formatTable, markdownTable } from "../src/index.js";

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
    expect(formatTable(["start", "value"], [["2 2/0 0", "12"]], [1]).split("\n")).toEqual([
      "start    value",
      "2 2/0 0     12",
    ]);
  });
});

it("a line end in a cell breaks no row of either table", () => {
  for (const table of [markdownTable, formatTable]) {
    const lines = table(["a", "b"], [["one\ntwo", "3"]]).split("\n");
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
