import { parseBoard, readBoard } from "@gridlock/game";
import { describe, expect, it } from "vitest";
import { boardPng, boardSvg } from "../src/index.js";

const { board } = parseBoard("2 0 0/0 4 0/0 0 0");

describe("the SVG of a board", () => {
  it("names the board, and needs no fonts", () => {
    const svg = boardSvg(board, "slider");
    expect(svg).toContain("<title>2 0 0/0 4 0/0 0 0, slider to move</title>");
    expect(svg).not.toContain("<text");
    expect(svg.match(/class="cell"/g)).toHaveLength(9);
    expect(svg.match(/class="number"/g)).toHaveLength(2);
    expect(svg).not.toContain('class="plus"');
  });

  it("marks where the placer can place", () => {
    const svg = boardSvg(board, "placer");
    expect(svg.match(/class="plus"/g)).toHaveLength(7);
    expect(svg).toContain("<title>2 0 0/0 4 0/0 0 0, placer to move</title>");
  });

  it("keeps each number inside its tile", () => {
    const all = readBoard("0 1 2 3/4 5 6 7/8 9 10 11/12 13 14 15", { exponents: true }).board;
    const numbers = [
      ...boardSvg(all, "slider").matchAll(
        /translate\(([\d.]+) [\d.]+\) scale\(([\d.]+)\)">(.*?)<\/g>/g,
      ),
    ];
    expect(numbers).toHaveLength(15);
    for (const [, left, scale, paths = ""] of numbers) {
      const offset = Number(/translate\(([\d.]+) 0\)"\/>$/.exec(paths)?.[1] ?? 0);
      const width = (offset + 10) * Number(scale);
      expect(width).toBeLessThanOrEqual(50.1);
      const column = (Number(left) + width / 2 - 48) / 70;
      expect(column).toBeCloseTo(Math.round(column), 2);
    }
  });
});

describe("the PNG of a board", () => {
  it.each(["2 4/", "2 0 0/0 4 0/0 0 0", "2 0 0 16 128 0 4/0 4 0 8 0 32 0"])(
    "%s has the size of previews of links",
    async (text) => {
      const png = Buffer.from(await boardPng(readBoard(text).board, "slider"));
      expect(png.subarray(1, 4).toString()).toBe("PNG");
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
    },
  );

  it("shows whose turn it is, and is the same each time", async () => {
    const [first, second, placer] = await Promise.all([
      boardPng(board, "slider"),
      boardPng(board, "slider"),
      boardPng(board, "placer"),
    ]);
    expect(Buffer.compare(first, second)).toBe(0);
    expect(Buffer.compare(first, placer)).not.toBe(0);
  });
});
