import { join } from "node:path";
import { formatBoard, type Game, placements } from "@gridlock/game";
import {
  CellRules,
  gameRandom,
  type Placer,
  PlayerError,
  playGame,
  randomPlacer,
} from "@gridlock/players";
import { tabulate } from "@gridlock/tablebase";
import { Oracle, temporaryFolder } from "@gridlock/testbed";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOST } from "../src/zaky.js";
import { fullBoardsOf, shapes } from "./boards.js";
import { zakyHeuristic } from "./heuristics.js";
import { makePlacer, makePlayer } from "./made.js";
import { minimaxOf } from "./recursions.js";

const setting = { shape: { rows: 2, cols: 3 }, db: join(temporaryFolder(afterAll), "test.db") };

describe("a name of a placer", () => {
  it.each([
    ["random", "random"],
    ["evil", "evil:4"],
    ["evil:2", "evil:2"],
  ])("%s stands for %s", async (name, full) => {
    expect((await makePlacer(name, setting)).name).toBe(full);
  });

  it.each([
    ["kind", /no placer "kind"; expected random, evil, perfect/],
    ["toString", /no placer "toString"/],
    ["random:2", /no placer "random:2"; expected random$/],
    ["evil:0", /no placer "evil:0"; expected evil:1 to evil:8/],
    ["evil:", /no placer "evil:"/],
    ["evil:2:2", /no placer "evil:2:2"/],
    ["perfect", /needs a tabulation of 2x4 beside none\.db; run gridlock tabulate 2x4 first/],
  ])("refuses %j", async (name, message) => {
    const other = { shape: { rows: 2, cols: 4 } };
    await expect(makePlacer(name, other)).rejects.toThrow(PlayerError);
    await expect(makePlacer(name, other)).rejects.toThrow(message);
  });

  it("refuses a perfect placer of a shape that is too large to be tabulated", async () => {
    const large = { shape: { rows: 3, cols: 4 } };
    await expect(makePlacer("perfect", large)).rejects.toThrow(/has at most 10 cells/);
  });
});

describe("the placer random", () => {
  it("places in each empty cell equally often, and a 4 in a tenth of the cases", () => {
    const random = gameRandom(7, 0);
    const counts = new Map<string, number>();
    for (let i = 0; i < 30_000; i++) {
      const cells = Uint8Array.of(0, 3, 0, 0);
      randomPlacer.place(cells, random);
      counts.set(cells.join(), (counts.get(cells.join()) ?? 0) + 1);
    }
    expect(counts.size).toBe(6);
    for (const [cells, count] of counts) {
      const expected = cells.includes("2") ? 1000 : 9000;
      expect(Math.abs(count - expected)).toBeLessThan(5 * Math.sqrt(expected));
    }
  });
});

describe("the placer evil", () => {
  const boards = shapes(4)
    .chain((shape) => fullBoardsOf(shape, 4))
    .filter((board) => board.cells.includes(0));

  it("takes the first placement that is worst by a plain minimax", async () => {
    await fc.assert(
      fc.asyncProperty(boards, fc.integer({ min: 1, max: 3 }), async (board, plies) => {
        const worths = placements(board, [2, 4]).map((placed) => {
          const rules = { lost: LOST, seesLossAtHorizon: true };
          const heuristic = (cells: Uint8Array) => zakyHeuristic(board, new Set(), cells);
          const worth = Math.max(LOST, ...minimaxOf(placed.board, plies, rules, heuristic));
          return { worth, board: placed.board };
        });
        const least = Math.min(...worths.map(({ worth }) => worth));
        const expected = worths.find(({ worth }) => worth === least);
        const placer = await makePlacer(`evil:${plies}`, { shape: board });
        const cellRules = new CellRules(board);
        const cells = cellRules.cells(board);
        placer.place(cells, Math.random);
        expect(cellRules.board(cells)).toEqual(expected?.board);
      }),
      { numRuns: 50 },
    );
  });
});

describe("the placer perfect", () => {
  const game: Game = { shape: setting.shape, tiles: [2, 4] };
  const cellRules = new CellRules(game.shape);

  beforeAll(async () => {
    await tabulate(game, undefined, { threads: 1, memory: 2 ** 26, db: setting.db });
  });

  it("leaves no more than the afterstate's value, in every position of its games", async () => {
    const placer = await makePlacer("perfect", setting);
    const oracle = new Oracle(game);
    let checked = 0;
    const checking: Placer = {
      name: "checking",
      place(cells, random) {
        const after = cellRules.board(cells);
        placer.place(cells, random);
        const value = oracle.afterstate(after);
        expect(oracle.position(cellRules.board(cells)), formatBoard(after)).toBe(value);
        checked++;
      },
    };
    for (const name of ["random", "emr"]) {
      const player = await makePlayer(name, setting);
      for (let i = 0; i < 100; i++) playGame(cellRules, player, checking, gameRandom(3, i));
    }
    expect(checked).toBeGreaterThan(1000);
  });
});
