import {
  applySymmetry,
  type Board,
  canonical,
  DIRECTIONS,
  emptyCells,
  type Game,
  type PackedBoard,
  packBoard,
  parseShape,
  placements,
  type Slide,
  SYMMETRIES,
  slide,
  slides,
  starts,
  type Tiles,
} from "@gridlock/game";
import {
  type Assessment,
  assess,
  type Cells,
  type Choice,
  compareMoves,
  Grid,
  gameRandom,
  HeldSearch,
  makePlayer,
  PLAYER_KINDS,
  type Player,
  PlayerError,
  playGame,
  randomPlacer,
  type Score,
  type StartScore,
  statisticsOf,
} from "@gridlock/players";
import { columnFileOf, likelyStarts, type Place, Tabulation } from "@gridlock/tablebase";
import { beforeAll, describe, expect, it } from "vitest";
import { tabulated } from "./tabulated.js";

/** What a player scores from a board on, by plain recursion over the rules of `game`, image by image. */
class PlainScores {
  readonly #known = new Map<string, Score>();
  readonly #grid: Grid;

  constructor(
    readonly player: Player,
    readonly game: Game,
  ) {
    this.#grid = new Grid(game.shape);
  }

  position(board: Board): Score {
    const key = `${packBoard(board)}`;
    let score = this.#known.get(key);
    if (score === undefined) {
      score = this.#position(board);
      this.#known.set(key, score);
    }
    return score;
  }

  #position(board: Board): Score {
    if (slides(board).length === 0) return { expected: 0, heldTo: 0, heldToWorstTie: 0 };
    let [expected, heldTo, heldToWorstTie] = [0, 0, Number.POSITIVE_INFINITY];
    for (const { direction, probability } of this.player.choose(this.#grid.cells(board))) {
      const slid = slide(board, direction);
      if (slid === undefined) throw new Error(`${this.player.name} chose an illegal slide`);
      const then = this.#afterstate(slid.board);
      expected += probability * (slid.score + then.expected);
      heldTo += probability * (slid.score + then.heldTo);
      heldToWorstTie = Math.min(heldToWorstTie, slid.score + then.heldToWorstTie);
    }
    return { expected, heldTo, heldToWorstTie };
  }

  #afterstate(board: Board): Score {
    const chances = this.game.tiles.length === 1 ? { 2: 1, 4: 0 } : { 2: 0.9, 4: 0.1 };
    const empty = emptyCells(board).length;
    const all = placements(board, this.game.tiles).map(({ tile, board: next }) => ({
      chance: chances[tile as 2 | 4] / empty,
      ...this.position(next),
    }));
    return {
      expected: all.reduce((sum, { chance, expected }) => sum + chance * expected, 0),
      heldTo: Math.min(...all.map(({ heldTo }) => heldTo)),
      heldToWorstTie: Math.min(...all.map(({ heldToWorstTie }) => heldToWorstTie)),
    };
  }
}

/** The images of a start that have the shape of a game. */
function imagesOf(start: Board, { shape }: Game): Board[] {
  const all = SYMMETRIES.map((symmetry) => applySymmetry(start, symmetry));
  const found = all.filter(({ rows, cols }) => rows === shape.rows && cols === shape.cols);
  return [...new Map(found.map((board) => [packBoard(board), board])).values()];
}

/** Checks an assessment against plain recursion. */
function expectPlain({ starts: found, expected }: Assessment, player: Player, game: Game): void {
  const plain = new PlainScores(player, game);
  const all = starts(game.shape);
  expect(found.map(({ board }) => packBoard(board))).toEqual(all.map(packBoard));
  for (const [i, start] of all.entries()) {
    const scores = imagesOf(start, game).map((image) => plain.position(image));
    const mean = scores.reduce((sum, score) => sum + score.expected, 0) / scores.length;
    expect(found[i]?.expected).toBeCloseTo(mean, 6);
    expect(found[i]?.heldTo).toBeCloseTo(Math.min(...scores.map(({ heldTo }) => heldTo)), 9);
    expect(found[i]?.heldToWorstTie).toBe(
      Math.min(...scores.map(({ heldToWorstTie }) => heldToWorstTie)),
    );
  }
  // From two random tiles: two placements on an empty board, the second in another cell.
  let mean = 0;
  const chances = game.tiles.length === 1 ? { 2: 1, 4: 0 } : { 2: 0.9, 4: 0.1 };
  const empty = { ...game.shape, cells: new Array(game.shape.rows * game.shape.cols).fill(0) };
  for (const first of placements(empty, game.tiles)) {
    for (const second of placements(first.board, game.tiles)) {
      const chance = chances[first.tile as 2 | 4] * chances[second.tile as 2 | 4];
      const pairs = empty.cells.length * (empty.cells.length - 1);
      mean += (chance / pairs) * plain.position(second.board).expected;
    }
  }
  expect(expected).toBeCloseTo(mean, 6);
}

/** A player whose choice depends on the position in an arbitrary way, with unequal probabilities. */
function erratic(shape: Game["shape"]): Player {
  const grid = new Grid(shape);
  const choose = (cells: Cells): Choice[] => {
    const after = new Uint8Array(cells.length);
    const legal = DIRECTIONS.filter((direction) => grid.slide(cells, direction, after) >= 0);
    const hash = cells.reduce((sum, exponent, cell) => sum * 31 + exponent * (cell + 7), 5);
    const first = legal[hash % legal.length] as Choice["direction"];
    const second = legal[(hash >> 3) % legal.length] as Choice["direction"];
    if (first === second) return [{ direction: first, probability: 1 }];
    const probability = (1 + (hash % 5)) / 8;
    return [
      { direction: first, probability },
      { direction: second, probability: 1 - probability },
    ];
  };
  return { name: "erratic", isSymmetric: false, choose };
}

function gameOf(shape: string, tiles: Tiles = [2, 4]): Game {
  return { shape: parseShape(shape), tiles };
}

function tabulationOf(game: Game): Tabulation {
  return Tabulation.open(game, ["minimax", "expected"], (column) => columnFileOf(db, game, column));
}

/** The optimum of a game, by plain recursion: expected in the ordinary game, and against the worst placer. */
class PlainOptimum {
  readonly #known = new Map<PackedBoard, Optimum>();

  constructor(readonly game: Game) {}

  position(board: Board): Optimum {
    const form = canonical(board);
    const key = packBoard(form);
    let value = this.#known.get(key);
    if (value === undefined) {
      const all = slides(form).map(({ score, board: after }) => ({
        score,
        ...this.afterstate(after),
      }));
      value = {
        expected: Math.max(0, ...all.map(({ score, expected }) => score + expected)),
        minimax: Math.max(0, ...all.map(({ score, minimax }) => score + minimax)),
      };
      this.#known.set(key, value);
    }
    return value;
  }

  afterstate(board: Board): Optimum {
    const empty = emptyCells(board).length;
    const all = placements(board, this.game.tiles).map(({ tile, board: next }) => ({
      chance: (tile === 2 ? 0.9 : 0.1) / empty,
      ...this.position(next),
    }));
    return {
      expected: all.reduce((sum, { chance, expected }) => sum + chance * expected, 0),
      minimax: Math.min(...all.map(({ minimax }) => minimax)),
    };
  }
}

interface Optimum {
  readonly expected: number;
  readonly minimax: number;
}

/** Counts a player's best slides and their costs in some positions, one image after another. */
function plainMoves(player: Player, positions: readonly Board[], optimum: PlainOptimum) {
  const { game } = optimum;
  const grid = new Grid(game.shape);
  const goals = { againstPlacer: "minimax", againstChance: "expected" } as const;
  const counts = {
    againstPlacer: { best: 0, meanCost: 0, maxCost: 0 },
    againstChance: { best: 0, meanCost: 0, maxCost: 0 },
  };
  for (const board of positions) {
    const images = imagesOf(board, game);
    const part = 1 / images.length / positions.length;
    for (const image of images) {
      const moves = slides(image);
      const choices = player.choose(grid.cells(image));
      for (const of of ["againstPlacer", "againstChance"] as const) {
        const worth = new Map(
          moves.map(({ direction, score, board: after }) => [
            direction,
            score + optimum.afterstate(after)[goals[of]],
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

/** All positions of a tabulated game that have a slide. */
function positionsIn(tabulation: Tabulation): Board[] {
  return tabulation.layers
    .flatMap((layer) =>
      Array.from({ length: layer.positions }, (_, number) => tabulation.board({ layer, number })),
    )
    .filter((board) => slides(board).length > 0);
}

/** The database beside which small shapes are tabulated, for the players that look values up. */
let db: string;

beforeAll(async () => {
  db = await tabulated(["2x2", "2x3", "1x4"]);
});

/** One player of each kind and variant; of the strategies a few. Players that need a file are left out. */
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
    ["2x3", ["r", "emr", "umegr", "umegr:empty", "greedy", "perfect", "perfect-ordinary"]],
    ["2x3", ["gradient:1", "zaky-minimax:2", "zaky-expectimax:1"]],
    ["3x2", ["emr", "greedy", "perfect"]],
  ])("equals plain recursion on %s for %s", async (shape, names) => {
    const game = gameOf(shape);
    for (const name of names) {
      const player = await makePlayer(name, { shape: game.shape, db });
      const [found] = await assess([player], game);
      expect(found?.player).toBe(player.name);
      expectPlain(found as Assessment, player, game);
    }
  });

  it("equals plain recursion with unequal probabilities, and where the placer has only 2s", async () => {
    for (const game of [gameOf("2x3"), gameOf("2x3", [2]), gameOf("3x2", [2])]) {
      const strange = erratic(game.shape);
      const emr = await makePlayer("emr", { shape: game.shape, db });
      for (const player of [strange, emr]) {
        const [found] = await assess([player], game);
        expectPlain(found as Assessment, player, game);
      }
    }
  });

  it("finds the same with and without symmetry, and of several players at once", async () => {
    const game = gameOf("2x3");
    const names = ["emr", "random", "perfect"];
    const setting = { shape: game.shape, db };
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

  it("asks a player once about each position that it can be led to", async () => {
    const game = gameOf("2x3");
    const grid = new Grid(game.shape);
    const greedy = await makePlayer("greedy", { shape: game.shape, db });
    const asked = new Map<string, number>();
    const choose = (cells: Cells) => {
      asked.set(cells.join(), (asked.get(cells.join()) ?? 0) + 1);
      return greedy.choose(cells);
    };
    await assess([{ name: "counting", isSymmetric: false, choose }], game);
    const reached = new Set<string>();
    const visit = (board: Board) => {
      const cells = grid.cells(board);
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
    using tabulation = tabulationOf(game);
    const values = starts(game.shape).map((start) =>
      tabulation.value("minimax", tabulation.find(start) as Place),
    );
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
    const optimum = likelyStarts(game).reduce(
      (sum, { board, chance }) =>
        sum + chance * tabulation.value("expected", tabulation.find(board) as Place),
      0,
    );
    expect(ordinary.expected).toBeCloseTo(optimum, 2);
  });

  it.each([
    ["2x3", ["emr", "random", "greedy"]],
    ["2x4", ["greedy"]],
  ])("lies within four standard errors of games played on %s", async (shape, names) => {
    const game = gameOf(shape);
    const grid = new Grid(game.shape);
    for (const name of names) {
      const player = await makePlayer(name, { shape: game.shape, db });
      const [found] = await assess([player], game);
      const { mean, error } = statisticsOf(
        Array.from({ length: 10_000 }, (_, i) =>
          playGame(grid, player, randomPlacer, gameRandom(1, i)),
        ),
      );
      const difference = Math.abs((found?.expected as number) - mean);
      expect(difference).toBeLessThan(4 * (error as number));
    }
  });

  it("names the player and the position of a choice that is not valid", async () => {
    const game = gameOf("2x2");
    const failing = (choose: (cells: Cells) => unknown) =>
      assess([{ name: "odd", isSymmetric: false, choose } as Player], game);
    const up: Choice = { direction: "up", probability: 1 };
    await expect(failing(() => [up])).rejects.toThrow(
      new PlayerError("odd chose up, which is not legal: 2 2/0 0"),
    );
    await expect(failing(() => [])).rejects.toThrow(/^odd chose no slide: \d/);
    await expect(failing(() => "left")).rejects.toThrow(/^odd chose "left"; expected a list/);
    await expect(failing(() => [{ ...up, direction: "north" }])).rejects.toThrow(
      /expected each slide/,
    );
    await expect(failing(() => [{ ...up, probability: 0.5 }])).rejects.toThrow(/sum to 0.5, not 1/);
    const throwing = () => {
      throw new Error("no idea");
    };
    await expect(failing(throwing)).rejects.toThrow(/^odd failed \(no idea\): \d/);
  });

  it("stops when it is told to, and when the memory does not suffice", async () => {
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

describe("compareMoves", () => {
  it.each(["2x2", "2x3", "1x4"])("equals a plain count over all positions of %s", async (shape) => {
    const game = gameOf(shape);
    using tabulation = tabulationOf(game);
    const setting = { shape: game.shape, db };
    const positions = positionsIn(tabulation);
    const optimum = new PlainOptimum(game);
    for (const player of [
      erratic(game.shape),
      await makePlayer("emr", setting),
      await makePlayer("perfect", setting),
      await makePlayer("perfect-ordinary", setting),
    ]) {
      const [found] = await compareMoves([player], tabulation);
      const plain = plainMoves(player, positions, optimum);
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
      const plain = new PlainScores(player, game);
      for (const start of starts(game.shape)) {
        const { heldTo, heldToWorstTie } = plain.position(start);
        const found = await search.from(start);
        expect(found.heldToWorstTie).toEqual({ lo: heldToWorstTie, hi: heldToWorstTie });
        expect(found.heldTo.lo).toBe(heldToWorstTie);
        if (name === "greedy") expect(found.heldTo.hi).toBe(heldTo);
        else expect(found.heldTo.hi).toBeGreaterThanOrEqual(heldTo);
      }
    }
  });

  it("goes beyond the shapes that can be enumerated", async () => {
    const game = gameOf("3x4");
    const player = await makePlayer("greedy", { shape: game.shape, db });
    const [start] = starts(game.shape) as [Board, ...Board[]];
    const { heldTo, heldToWorstTie } = await new HeldSearch(player, game, limits).from(start);
    expect(heldTo).toEqual(heldToWorstTie);
    expect(heldTo.lo).toBe(heldTo.hi);
  });

  it("gives a lower bound when its limits do not suffice, and stops when it is told to", async () => {
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
