import {
  type Board,
  isEnd,
  packBoard,
  parseBoard,
  seededRandom,
  slides,
  starts,
  type Tiles,
} from "@gridlock/game";
import { likelyStarts, tabulate, valueOfNode } from "@gridlock/tablebase";
import { Oracle, ordinary, positionsIn, positionsOfLayer } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { BLOCK_POSITIONS } from "../src/block.js";
import { files, game, opened, options } from "./setup.js";

/** Number of canonical positions and afterstates; the counts of the game are published. */
const COUNTS: [shape: string, tiles: Tiles, positions: number, afterstates: number][] = [
  ["1x2", [2, 4], 5, 2],
  ["1x6", [2, 4], 10_830, 4760],
  ["2x2", [2, 4], 110, 67],
  ["2x2", [2], 36, 30],
  ["3x2", [2, 4], 21_752, 14_883],
  ["2x3", [2], 4421, 4531],
];

/** Tolerance of values against chance: each of about a hundred steps rounds. */
const POINTS_OFF = 0.002;
const CHANCE_OFF = 1e-6;

describe("a tabulation", () => {
  it.each(COUNTS)(
    "of %s, tiles %j, has %i positions and %i afterstates",
    async (shape, tiles, positions, afterstates) => {
      const of = game(shape, tiles);
      const { db } = files(of);
      expect(await tabulate(of, undefined, options(db))).toBe(true);
      expect(opened(of, [], db).counts()).toMatchObject({ positions, afterstates });
    },
  );

  it.each([
    ["2x2", [2, 4], 16],
    ["2x2", [2], 8],
    ["1x5", [2, 4], 16],
    ["2x3", [2, 4], 64],
    ["2x3", [2], 16],
  ] as [string, Tiles, number][])(
    "of %s, tiles %j, has the values of plain search, for each position",
    async (shape, tiles, reach) => {
      const of = game(shape, tiles);
      const { db } = files(of);
      await tabulate(of, reach, options(db));
      const tabulation = opened(of, ["minimax", "expected", { reach }], db);
      const minimax = new Oracle(of);
      const expected = new Oracle(of, { objective: ordinary() });
      const chance = new Oracle(of, { objective: ordinary(reach) });
      for (const start of starts(of.shape)) {
        minimax.position(start);
        expected.position(start);
        chance.position(start);
      }
      const wrong: string[] = [];
      let met = 0;
      let terminal = 0;
      for (const board of positionsIn(tabulation)) {
        const key = packBoard(board);
        met++;
        if (isEnd(board)) terminal++;
        const same =
          tabulation.value("minimax", board) === minimax.positions.get(key) &&
          Math.abs(tabulation.value("expected", board) - (expected.positions.get(key) ?? -9)) <
            POINTS_OFF &&
          Math.abs(tabulation.value({ reach }, board) - (chance.positions.get(key) ?? -9)) <
            CHANCE_OFF;
        if (!same) wrong.push(board.cells.join());
      }
      expect(wrong).toEqual([]);
      expect(met).toBe(minimax.positions.size);
      expect(tabulation.counts()).toEqual({
        positions: met,
        terminal,
        afterstates: minimax.afterstates.size,
      });
    },
  );

  it("gives the values of the ordinary game from a random start", async () => {
    const of = game("2x2", [2, 4]);
    const { db } = files(of);
    await tabulate(of, undefined, options(db));
    const tabulation = opened(of, ["expected"], db);
    const oracle = new Oracle(of, { objective: ordinary() });
    let certain = 0;
    for (const { board, chance } of likelyStarts(of)) {
      expect(tabulation.value("expected", board)).toBeCloseTo(oracle.position(board), 2);
      certain += chance;
    }
    expect(certain).toBeCloseTo(1, 12);
  });

  const finds =
    "of 2x4, tiles %j, has the published counts, and finds positions in all blocks of a layer, each worth its best slide";
  it.each([[[2], 764_954, 768_143] as const])(finds, findsAll);
  it.each([[[2, 4], 4_980_767, 3_406_686] as const])(finds, { tags: ["long"] }, findsAll);

  async function findsAll(tiles: Tiles, positions: number, afterstates: number): Promise<void> {
    const of = game("2x4", tiles);
    const { db } = files(of);
    await tabulate(of, undefined, options(db, { threads: 2 }));
    const tabulation = opened(of, ["minimax"], db);
    expect(tabulation.counts()).toMatchObject({ positions, afterstates });
    const random = seededRandom(4);
    const wrong: Board[] = [];
    let beyondFirst = 0;
    for (const layer of tabulation.layers.filter(({ positions }) => positions > 0)) {
      let number = 0;
      const picks = () => {
        number++;
        return random() < 10 / layer.positions;
      };
      for (const board of positionsOfLayer(tabulation, layer, picks)) {
        if (number > BLOCK_POSITIONS) beyondFirst++;
        const worths = slides(board).map(
          ({ board: after, score }) =>
            score +
            (valueOfNode(tabulation, "minimax", { board: after, turn: "placer" }) as number),
        );
        if (tabulation.value("minimax", board) !== Math.max(0, ...worths)) wrong.push(board);
      }
    }
    expect(wrong).toEqual([]);
    expect(beyondFirst).toBeGreaterThan(1000);
  }

  it("finds every image of a position, and no board that play cannot reach", async () => {
    const of = game("2x3", [2, 4]);
    const { db } = files(of);
    await tabulate(of, undefined, options(db));
    const tabulation = opened(of, ["minimax"], db);
    const at = (text: string) => tabulation.entryOf(parseBoard(text).board);
    const entry = at("2 4 0/0 0 0");
    expect(entry).toBeGreaterThanOrEqual(0);
    for (const image of ["0 4 2/0 0 0", "0 0 0/2 4 0", "2 0/4 0/0 0", "0 0/0 4/0 2"]) {
      expect(at(image)).toBe(entry);
    }
    expect(at("64 64 64/0 0 0")).toBe(-1);
    expect(at("0 0 0/0 0 2")).toBe(-1);
    expect(at("128 64 32/4 8 16")).toBeGreaterThanOrEqual(0);
    expect(at("128 64 32/8 4 16")).toBe(-1);
  });
});
