import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Board,
  cellCount,
  type Direction,
  formatBoard,
  parseBoard,
  parseShape,
  placements,
  slides,
} from "@gridlock/game";
import { gridlock, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

async function variants(...args: string[]) {
  return await gridlock(temporaryFolder(), ["variants", ...args]);
}

async function json(...args: string[]) {
  const { stdout, stderr, code } = await variants(...args, "--json", "--quiet");
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

describe("gridlock variants", () => {
  it("agrees with a solve on the game itself", async () => {
    const { boards, variants: found } = await json("2x3", "game");
    const solved = await gridlock(temporaryFolder(), ["solve", "2x3", "--json", "--quiet"]);
    const { starts } = JSON.parse(solved.stdout);
    expect(boards).toEqual(starts.map(({ board }: { board: string }) => board));
    expect(found[0].series[0].values).toEqual(starts.map(({ value }: { value: number }) => value));
  });

  it("prints a table for each variant, without rows that repeat the last", async () => {
    const { code, stdout, stderr } = await variants("2x3", "4s=20", "alternate");
    expect(code).toBe(0);
    expect(stderr).toMatch(/^22 k positions in 125 layers, found in /);
    expect(stdout).toMatch(/^The placer has at most K 4s:\n *2 2 0\/0 0 0 {2}least of all starts/);
    expect(stdout).toMatch(/^7 4s or more +44 +40 +44$/m);
    expect(stdout).not.toMatch(/^8 4s/m);
    expect(stdout).toMatch(/^a 4 first +840 +428 +840$/m);
  });

  it("reports boards in their own orientation", async () => {
    const board = ["--board", "2 2 0/0 0 0"];
    const [up, down] = (await json("2x3", "without=up", "without=down", ...board)).variants;
    const turned = (await json("3x2", "without=left", "without=right", "--board", "2 0/2 0/0 0"))
      .variants;
    expect([up, down].map(({ series }) => series[0].values)).toEqual([[20], [4]]);
    const values = turned.map(
      ({ series }: { series: { values: number[] }[] }) => series[0]?.values,
    );
    expect(values).toEqual([[20], [4]]);
  });

  // 2x3 without up: a start with two tiles in the bottom row may be worth nothing.
  it.each([
    ["2x2", ["up"]],
    ["2x2", ["right", "down"]],
    ["2x3", ["up"]],
    ["3x2", ["up"]],
  ] as const)("values every image of each start of %s without %j", async (shape, forbidden) => {
    const name = `without=${forbidden.join()}`;
    const { boards, variants: found } = await json(shape, name, "game");
    const [without, game] = found;
    const values = new Map<string, number>();
    const worthOf = (board: Board): number => {
      const key = formatBoard(board);
      let value = values.get(key);
      if (value === undefined) {
        const allowed = slides(board).filter(
          ({ direction }) => !(forbidden as readonly Direction[]).includes(direction),
        );
        const totals = allowed.map(({ board: after, score }) => {
          const placed = placements(after, [2, 4]).map((placement) => worthOf(placement.board));
          return score + Math.min(...placed);
        });
        value = Math.max(0, ...totals);
        values.set(key, value);
      }
      return value;
    };
    const all = without.boards.map((board: string) => parseBoard(board).board);
    const cells = cellCount(parseShape(shape));
    expect(new Set(without.boards).size).toBe(2 * cells * (cells - 1)); // 2 and 2, 2 and 4, 4 and 2, 4 and 4
    expect(without.series[0].values).toEqual(all.map(worthOf));
    expect(game).not.toHaveProperty("boards");
    expect(game.series[0].values).toHaveLength(boards.length);
    const expected: number[] = all.map(worthOf);
    const { stdout } = await variants(shape, name);
    const printed = stdout.trimEnd().split("\n").at(-1)?.match(/\d+/g)?.map(Number);
    expect(printed).toEqual([expected[0], Math.min(...expected), Math.max(...expected)]);
  });

  it("solves the usual variants that make sense with the tiles", async () => {
    const { variants: found } = await json("2x2", "--tiles", "2");
    expect(found.map(({ variant }: { variant: string }) => variant)).toEqual([
      ...["game", "chance", "tile-only", "cell-only", "slider-cell", "slider-tile"],
      ...["mixed=1,10,20,50,90,99", "without", "passes=6"],
    ]);
  });

  it("writes a report with charts, after each variant", async () => {
    const folder = temporaryFolder();
    const args = ["variants", "2x2", "game", "mixed=0,1,5,50,100", "--out", "made"];
    expect(await gridlock(folder, args)).toMatchObject({ code: 0 });
    const page = readFileSync(join(folder, "made/2x2.md"), "utf8");
    expect(page).toContain("`gridlock variants 2x2 game mixed=0,1,5,50,100 --out");
    expect(page).toContain("(2x2-mixed.svg)");
    expect(existsSync(join(folder, "made/2x2-mixed.svg"))).toBe(true);
    const data = JSON.parse(readFileSync(join(folder, "made/2x2.json"), "utf8"));
    expect(data.variants).toHaveLength(2);
  });

  it("keeps the variants that are solved when it is stopped", async () => {
    const folder = temporaryFolder();
    const args = [
      ...["variants", "2x4", "--tiles", "2", "game", "passes=60", "passes=59"],
      ...["--json", "--out", "."],
    ];
    const { code, stdout, stderr } = await gridlock(folder, args, {
      during: (child) => {
        const timer = setInterval(() => {
          if (!existsSync(join(folder, "2x4-tiles-2.json"))) return;
          clearInterval(timer);
          child.kill("SIGINT");
        }, 5);
      },
    });
    expect(stderr).toMatch(/stopping after this layer.*\nstopped; [12] of 3 variants are solved/);
    expect(code).toBe(130);
    expect(JSON.parse(stdout).variants[0]).toMatchObject({ variant: "game" });
  });

  it.each([
    [["3x4"], /3x4 has 12 cells and some 2\.5 T positions.*expected a shape of at most 9 cells/],
    [["2x2", "fewer"], /"fewer" is not a variant; expected game, 4s=K/],
    [["2x2", "4s=1", "--tiles", "2"], /4s=1: the placer has no 4s; its tiles are 2/],
    [["2x2", "--tiles", "2,6"], /"2,6" are no tiles of a placer; expected some of 2, 4, 8, 16/],
    [["2x2", "game", "--board", "2 2 0/0 0 0"], /a board of 2x3; expected one of 2x2/],
    [["2x2", "game", "--board", "2 2/0 0 placer"], /has the placer to move; expected the slider/],
    [["2x2", "game", "--board", "2 0/0 0"], /play from the starts cannot reach 2 0\/0 0/],
  ])("refuses %j", async (args, message) => {
    const { code, stderr, stdout } = await variants(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });

  it("says how much memory it needs", async () => {
    const { code, stderr } = await variants("2x4", "game", "--memory", "8M");
    expect(code).toBe(1);
    expect(stderr).toMatch(/need \d+ MiB of memory or more, but the limit is 8 MiB; use --memory/);
  });
});
