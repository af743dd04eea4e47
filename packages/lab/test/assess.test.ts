import { type Board, placements, type Slide, slide, slides, starts } from "@gridlock/game";
import { type Assessment, assess, type StartScore } from "@gridlock/lab";
import {
  CellRules,
  type Cells,
  gameRandom,
  makeStrategies,
  PLAYER_KINDS,
  PlayerMaker,
  playGame,
  randomPlacer,
  remembering,
  statisticsOf,
} from "@gridlock/players";
import { beforeAll, describe, expect, it } from "vitest";
import { makePlayer } from "./made.js";
import { erratic, expectPlain, gameOf, imagesOf } from "./plain.js";
import { tabulated, tabulationOf } from "./tabulated.js";

/** The database beside which small shapes are tabulated, for the players that look values up. */
let db: string;
/** The database of 2×3 with 2s only: a fifth of the positions, with the same symmetries. */
let twos: string;

beforeAll(async () => {
  db = await tabulated(["2x2", "2x3", "1x4"]);
  twos = await tabulated(["2x3"], [2]);
});

/** One player of each kind and variant, a few strategies, and no players that need a file. */
function namesOfAll(): string[] {
  return PLAYER_KINDS.filter(({ file }) => file === undefined).flatMap(
    ({ names, variants = {} }) => {
      const some = names.length > 5 ? ["umegr", "r", "emr", "gr"] : names;
      return [...some, ...Object.keys(variants).map((variant) => `${some[0]}:${variant}`)];
    },
  );
}

describe("assess", () => {
  it.each([
    ["2x2", namesOfAll()],
    ["1x4", namesOfAll()],
    ["2x3", ["emr", "umegr:empty"]],
    ["2x3", ["gradient:1", "zaky-minimax:2", "zaky-expectimax:1"]],
    ["3x2", ["emr", "greedy", "perfect"]],
  ])("equals plain recursion on %s for %s", async (shape, names) => {
    const hasTwosAlone = shape === "2x3";
    const game = gameOf(shape, hasTwosAlone ? [2] : [2, 4]);
    const setting = { ...game, db: hasTwosAlone ? twos : db };
    for (const name of names) {
      const player = remembering(await makePlayer(name, setting), game.shape);
      expectPlain(await assess([player], game), [player], game);
    }
  });

  it("equals plain recursion with unequal probabilities, and with a placer that has only 2s", async () => {
    for (const game of [gameOf("2x3"), gameOf("2x3", [2]), gameOf("3x2", [2])]) {
      const strange = erratic(game.shape);
      const emr = await makePlayer("emr", { shape: game.shape, db });
      for (const player of [strange, emr]) {
        expectPlain(await assess([player], game), [player], game);
      }
    }
  });

  it("finds the same with and without symmetry, and for several players at once", async () => {
    const game = gameOf("2x3", [2]);
    const names = ["emr", "random", "perfect"];
    const setting = { ...game, db: twos };
    const players = await Promise.all(names.map((name) => makePlayer(name, setting)));
    const together = await assess(players, game);
    for (const [i, player] of players.entries()) {
      const choose = (cells: Cells) => player.choose(cells);
      const [byImages] = await assess([{ name: player.name, isSymmetric: false, choose }], game);
      const [alone] = await assess([player], game);
      expect(together[i]).toEqual(alone);
      expect(byImages?.expected).toBeCloseTo(alone?.expected as number, 8);
      for (const [n, start] of (alone as Assessment).starts.entries()) {
        const other = byImages?.starts[n] as StartScore;
        expect(other.expected).toBeCloseTo(start.expected, 8);
        expect(other.heldTo).toBeCloseTo(start.heldTo, 8);
        expect(other.heldToWorstTie).toBe(start.heldToWorstTie);
      }
    }
  });

  it("finds the same for all strategies together as for each alone", async () => {
    const game = gameOf("2x3", [2]);
    const together = await assess(makeStrategies(game.shape), game);
    expect(together).toHaveLength(65);
    for (const { player, ...found } of together) {
      const alone = await makePlayer(player, { shape: game.shape, db });
      expect([{ player, ...found }]).toEqual(await assess([alone], game));
    }
  });

  it("asks a player once about each position that it can be led to", async () => {
    const game = gameOf("2x3");
    const cellRules = new CellRules(game.shape);
    const greedy = await makePlayer("greedy", { shape: game.shape, db });
    const asked = new Map<string, number>();
    const choose = (cells: Cells) => {
      asked.set(cells.join(), (asked.get(cells.join()) ?? 0) + 1);
      return greedy.choose(cells);
    };
    await assess([{ name: "counting", isSymmetric: false, choose }], game);
    const reached = new Set<string>();
    const visit = (board: Board) => {
      const cells = cellRules.cells(board);
      if (reached.has(cells.join()) || slides(board).length === 0) return;
      reached.add(cells.join());
      for (const { direction } of greedy.choose(cells)) {
        const after = (slide(board, direction) as Slide).board;
        for (const next of placements(after, game.tiles)) visit(next.board);
      }
    };
    for (const start of starts(game.shape)) for (const image of imagesOf(start, game)) visit(image);
    expect(new Set(asked.keys())).toEqual(reached);
    expect(new Set(asked.values())).toEqual(new Set([1]));
  });

  it("finds that the perfect slider is held to the value of each start, and nobody to more", async () => {
    const game = gameOf("2x3");
    using tabulation = tabulationOf(game, db);
    const values = starts(game.shape).map((start) => tabulation.value("minimax", start));
    const names = ["perfect", "perfect-ordinary", "emr", "r"];
    const setting = { shape: game.shape, db };
    const players = await Promise.all(names.map((name) => makePlayer(name, setting)));
    const [perfect, ordinary, ...others] = (await assess(players, game)) as [
      Assessment,
      Assessment,
      ...Assessment[],
    ];
    expect(perfect.starts.map(({ heldTo }) => heldTo)).toEqual(values);
    expect(perfect.starts.map(({ heldToWorstTie }) => heldToWorstTie)).toEqual(values);
    for (const { starts: found, expected } of [ordinary, ...others]) {
      found.forEach(({ heldTo, heldToWorstTie }, i) => {
        expect(heldTo).toBeLessThanOrEqual(values[i] as number);
        expect(heldToWorstTie).toBeLessThanOrEqual(heldTo);
      });
      expect(expected).toBeLessThanOrEqual(ordinary.expected);
    }
    expect(perfect.expected).toBeLessThan(ordinary.expected);
    expect(ordinary.expected).toBeCloseTo(tabulation.mean("expected"), 2);
  });

  it("finds that the perfect slider knows whether the placer has 4s", async () => {
    const game = gameOf("2x3", [2]);
    using tabulation = tabulationOf(game, twos);
    const player = await makePlayer("perfect", { ...game, db: twos });
    const [found] = await assess([player], game);
    const values = starts(game.shape).map((start) => tabulation.value("minimax", start));
    expect(found?.starts.map(({ heldTo }) => heldTo)).toEqual(values);
    await expect(makePlayer("perfect", { ...game, db })).rejects.toThrow(
      /needs a tabulation of 2x3 with 2s only beside .*; run gridlock tabulate 2x3 --tiles 2 first/,
    );
  });

  it("cannot ask a perfect player whose maker has closed its tabulation", async () => {
    const game = gameOf("2x3");
    using maker = new PlayerMaker(db);
    const player = await maker.player("perfect", game);
    maker[Symbol.dispose]();
    await expect(assess([player], game)).rejects.toThrow();
  });

  const TEN = [
    "r",
    "er",
    "gr",
    "mr",
    "ur",
    "emr",
    "greedy",
    "perfect",
    "gradient:1",
    "zaky-expectimax:1",
  ];

  const likely = "lies within four standard errors of games played on %s";
  it.each([["2x3", TEN]])(likely, isLikely);
  it.each([["2x4", ["greedy"]]])(likely, { tags: ["long"] }, isLikely);

  async function isLikely(shape: string, names: readonly string[]): Promise<void> {
    const game = gameOf(shape);
    const cellRules = new CellRules(game.shape);
    for (const name of names) {
      const player = remembering(await makePlayer(name, { shape: game.shape, db }), game.shape);
      const [found] = await assess([player], game);
      const { mean, error } = statisticsOf(
        Array.from({ length: 4000 }, (_, i) =>
          playGame(cellRules, player, randomPlacer, gameRandom(1, i)),
        ),
      );
      const difference = Math.abs((found?.expected as number) - mean);
      expect(difference, name).toBeLessThan(4 * (error as number));
    }
  }

  it("stops when its signal is aborted, and when memory is too small", async () => {
    const game = gameOf("2x4");
    const player = await makePlayer("random", { shape: game.shape, db });
    const stop = new AbortController();
    const stopped = assess([player], game, {
      signal: stop.signal,
      onProgress: ({ sum }) => {
        if (sum > 100) stop.abort();
      },
    });
    await expect(stopped).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
    await expect(assess([player], game, { memory: 1e6 })).rejects.toThrow(
      /^random can be led to more than [\d,]+ positions of 2x4, too many for 977 KiB of memory/,
    );
  });
});
