import { type Board, formatBoard, slides, starts } from "@gridlock/game";
import { compareMoves, HeldSearch, type Score, searchStarts } from "@gridlock/lab";
import { CellRules, type Cells, type Player } from "@gridlock/players";
import { Oracle, ordinary, positionsIn } from "@gridlock/testbed";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { makePlayer } from "./made.js";
import { erratic, gameOf, imagesOf, PlainScores } from "./plain.js";
import { tabulated, tabulationOf } from "./tabulated.js";

/** Counts a player's best slides and their costs in positions, in all images or only the boards. */
function plainMoves(
  player: Player,
  positions: readonly Board[],
  optima: Readonly<Record<"againstPlacer" | "againstChance", Oracle>>,
  allImages: boolean,
) {
  const { game } = optima.againstPlacer;
  const cellRules = new CellRules(game.shape);
  const counts = {
    againstPlacer: { best: 0, meanCost: 0, maxCost: 0 },
    againstChance: { best: 0, meanCost: 0, maxCost: 0 },
  };
  for (const board of positions) {
    const images = allImages ? imagesOf(board, game) : [board];
    const part = 1 / images.length / positions.length;
    for (const image of images) {
      const moves = slides(image);
      const choices = player.choose(cellRules.cells(image));
      for (const of of ["againstPlacer", "againstChance"] as const) {
        const worth = new Map(
          moves.map(({ direction, score, board: after }) => [
            direction,
            score + optima[of].afterstate(after),
          ]),
        );
        const best = Math.max(...worth.values());
        for (const { direction, probability } of choices) {
          const cost = best - (worth.get(direction) as number);
          if (cost < 1e-6) counts[of].best += probability * part;
          counts[of].meanCost += probability * cost * part;
          counts[of].maxCost = Math.max(counts[of].maxCost, cost);
        }
      }
    }
  }
  return counts;
}

/** The database beside which small shapes are tabulated, for the players that look values up. */
let db: string;

beforeAll(async () => {
  db = await tabulated(["2x2", "2x3", "1x4"]);
});

describe("compareMoves", () => {
  it.each([
    ["2x2", ["emr", "perfect", "perfect-ordinary"]],
    ["1x4", ["emr", "perfect", "perfect-ordinary"]],
    ["2x3", ["emr"]],
  ])("equals a plain count over all positions of %s", async (shape, names) => {
    const game = gameOf(shape);
    using tabulation = tabulationOf(game, db);
    const setting = { shape: game.shape, db };
    const positions = [...positionsIn(tabulation)].filter((board) => slides(board).length > 0);
    const againstChance = new Oracle(game, { objective: ordinary() });
    const optima = { againstPlacer: new Oracle(game), againstChance };
    const players = await Promise.all(names.map((name) => makePlayer(name, setting)));
    const cases = [erratic(game.shape), ...players].flatMap((player) => [
      { player, allImages: true },
      { player, allImages: false },
    ]);
    for (const { player, allImages } of cases) {
      const [found] = await compareMoves([player], tabulation, { allImages });
      const plain = plainMoves(player, positions, optima, allImages);
      expect(found?.positions).toBe(positions.length);
      for (const of of ["againstPlacer", "againstChance"] as const) {
        expect(found?.[of].best).toBeCloseTo(plain[of].best, 9);
        expect(found?.[of].meanCost).toBeCloseTo(plain[of].meanCost, 6);
        expect(found?.[of].maxCost).toBeCloseTo(plain[of].maxCost, 6);
      }
      if (player.name !== "perfect") continue;
      expect(found?.againstPlacer.best).toBeCloseTo(1, 9);
      expect(found?.againstPlacer.maxCost).toBe(0);
    }
  });
});

describe("HeldSearch", () => {
  const limits = { seconds: 60, positions: 1e6 };

  it.each(["2x2", "2x3", "1x4"])("finds what assess finds on %s", async (shape) => {
    const game = gameOf(shape);
    for (const name of ["greedy", "emr", "random", "perfect"]) {
      const player = await makePlayer(name, { shape: game.shape, db });
      const search = new HeldSearch(player, game, limits);
      const plain = new PlainScores([player], game);
      for (const start of starts(game.shape)) {
        const [{ heldTo, heldToWorstTie }] = plain.position(start) as [Score];
        const found = await search.from(start);
        expect(found.heldToWorstTie).toEqual({ lo: heldToWorstTie, hi: heldToWorstTie });
        expect(found.heldTo.lo).toBe(heldToWorstTie);
        if (name === "greedy") expect(found.heldTo.hi).toBe(heldTo);
        else expect(found.heldTo.hi).toBeGreaterThanOrEqual(heldTo);
      }
    }
  });

  it("begins on a shape's own boards, though starts are those of the normal shape", async () => {
    const game = gameOf("4x2", [2]);
    const player = await makePlayer("emr", { ...game, db });
    const asked: string[] = [];
    const choose = (cells: Cells) => {
      asked.push(cells.join(" "));
      return player.choose(cells);
    };
    const found = await searchStarts({ ...player, choose }, game, limits);
    expect(formatBoard(starts(game.shape)[0] as Board)).toBe("2 2 0 0/0 0 0 0");
    expect(asked[0]).toBe("0 0 0 0 0 1 0 1"); // an image of 2 0/2 0/0 0/0 0
    const across = await makePlayer("emr", { ...gameOf("2x4", [2]), db });
    expect(found).toEqual(await searchStarts(across, gameOf("2x4", [2]), limits));
  });

  const held = "finds that the perfect slider is held to the value of each start of %s";
  it.each([["2x3", [40, 44]] as const])(held, isHeld);
  it.each([["2x4", [112, 116, 120, 124]] as const])(held, { tags: ["long"] }, isHeld);

  async function isHeld(shape: string, values: readonly number[]): Promise<void> {
    const game = gameOf(shape);
    const tables = shape === "2x3" ? db : await tabulated([shape], game.tiles, onTestFinished);
    using tabulation = tabulationOf(game, tables);
    const player = await makePlayer("perfect", { shape: game.shape, db: tables });
    const search = new HeldSearch(player, game, limits);
    for (const start of starts(game.shape)) {
      const value = tabulation.value("minimax", start);
      expect(values).toContain(value);
      const { heldTo, heldToWorstTie } = await search.from(start);
      expect(heldToWorstTie, formatBoard(start)).toEqual({ lo: value, hi: value });
      expect(heldTo.lo).toBe(value);
    }
  }

  it("searches shapes that are too large to enumerate", async () => {
    const game = gameOf("3x4");
    const player = await makePlayer("greedy", { shape: game.shape, db });
    const [start] = starts(game.shape) as [Board, ...Board[]];
    const { heldTo, heldToWorstTie } = await new HeldSearch(player, game, limits).from(start);
    expect(heldTo).toEqual(heldToWorstTie);
    expect(heldTo.lo).toBe(heldTo.hi);
  });

  it("gives a lower bound when its limits are too low, and stops when its signal is aborted", async () => {
    const game = gameOf("3x4");
    const player = await makePlayer("umr", { shape: game.shape, db });
    const [start] = starts(game.shape) as [Board, ...Board[]];
    const { heldTo } = await new HeldSearch(player, game, { ...limits, positions: 1 }).from(start);
    expect(heldTo).toEqual({ lo: 0, hi: Number.POSITIVE_INFINITY });
    const stop = new AbortController();
    stop.abort();
    const stopped = new HeldSearch(player, game, { ...limits, signal: stop.signal }).from(start);
    await expect(stopped).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  });
});
