import {
  type Board,
  canonical,
  DIRECTIONS,
  type Direction,
  formatBoard,
  type PackedBoard,
  packBoard,
  placements,
  slides,
  starts,
  type Tiles,
  tileSum,
} from "@gridlock/game";
import {
  EXPECTED_STEP,
  POINT_UNITS,
  type Survey,
  survey,
  type Tabulation,
  tabulate,
} from "@gridlock/tablebase";
import { positionsOfLayer } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { files, game, opened } from "./setup.js";

/** Units by which values against chance may differ and still count as equally good. */
const SAME_UNITS = 8;

/**
 * Tabulates a game in files that are removed when the test or, with `afterAll`, the test file ends.
 */
async function tabulated(
  shape: string,
  tiles: Tiles,
  whenDone: (clean: () => void) => void = onTestFinished,
): Promise<Tabulation> {
  const of = game(shape, tiles);
  const { db } = files(of, whenDone);
  await tabulate(of, undefined, { ...options, db });
  return opened(of, ["minimax", "expected"], db, whenDone);
}

const options = { threads: 1, memory: 2 ** 28 };

/**
 * Computes the results of a survey from the rules of `game` and the tabulated values, position by
 * position.
 */
class Naive {
  readonly byLargestTile = new Map<number, number>();
  readonly byValue = new Map<number, number>();
  readonly byExpected = new Map<number, number>();
  readonly bySlides = new Map<number, number>();
  readonly againstPlacer = DIRECTIONS.map((direction) => ({
    direction,
    legal: 0,
    best: 0,
    only: 0,
  }));
  readonly againstChance = DIRECTIONS.map((direction) => ({
    direction,
    legal: 0,
    best: 0,
    only: 0,
  }));
  /** Boards whose tabulated values are not those of their best slides. */
  readonly wrong: string[] = [];
  worstPlacements = 0;
  worstFours = 0;
  longest = { start: "", slides: 0 };
  readonly hardest: {
    board: string;
    tile: number;
    cell: number;
    worst: number;
    kindest: number;
  }[] = [];
  readonly #tabulation: Tabulation;
  /**
   * Number of slides of the longest line from each position, and the afterstates that a best slide
   * leads to.
   */
  readonly #lasting = new Map<PackedBoard, number>();
  readonly #afterBest = new Map<PackedBoard, Board>();

  constructor(tabulation: Tabulation) {
    this.#tabulation = tabulation;
    for (const layer of tabulation.layers.toReversed()) {
      const boards = [...positionsOfLayer(tabulation, layer)];
      for (const board of boards) this.#look(board);
      // The longest line starts from the smallest board of the smallest sum.
      const lasting = boards.map((board) => this.#lasting.get(packBoard(board)) as number);
      for (const slides of lasting) increment(this.bySlides, slides);
      const most = Math.max(...lasting);
      if (most >= this.longest.slides) {
        const start = formatBoard(boards[lasting.indexOf(most)] as Board);
        this.longest = { start, slides: most };
      }
    }
    for (const board of this.#afterBest.values()) this.#lookAtPlacements(board);
  }

  #look(board: Board): void {
    const value = this.#value(board);
    const units = this.#units(board);
    increment(this.byLargestTile, Math.max(...board.cells));
    increment(this.byValue, value);
    increment(this.byExpected, EXPECTED_STEP * Math.floor(units / POINT_UNITS / EXPECTED_STEP));
    const all = slides(board).map(({ direction, board: after, score }) => {
      const next = placements(after, this.#tabulation.game.tiles).map(
        (placement) => placement.board,
      );
      const values = next.map((position) => this.#value(position));
      const worst = Math.min(...values);
      const lasting = next
        .filter((_, i) => values[i] === worst)
        .map((position) => this.#lasts(position));
      return {
        direction,
        after,
        worth: score + worst,
        slides: 1 + Math.max(...lasting),
        units: score * POINT_UNITS + this.#average(after),
      };
    });
    const isRight =
      Math.max(0, ...all.map(({ worth }) => worth)) === value &&
      Math.max(0, ...all.map((slide) => slide.units)) === units;
    if (!isRight) this.wrong.push(formatBoard(board));
    const best = all.filter(({ worth }) => worth === value);
    count(this.againstPlacer, all, best);
    count(
      this.againstChance,
      all,
      all.filter((slide) => slide.units + SAME_UNITS >= units),
    );
    for (const { after } of best)
      this.#afterBest.set(packBoard(canonical(after)), canonical(after));
    this.#lasting.set(packBoard(board), Math.max(0, ...best.map((slide) => slide.slides)));
  }

  #lookAtPlacements(board: Board): void {
    const all = placements(board, this.#tabulation.game.tiles).map(
      ({ tile, cell, board: next }) => ({
        tile,
        cell,
        value: this.#value(next),
      }),
    );
    const worst = Math.min(...all.map(({ value }) => value));
    const kindest = Math.max(...all.map(({ value }) => value));
    const hard = all.filter(({ value }) => value === worst);
    this.worstPlacements += hard.length;
    this.worstFours += hard.filter(({ tile }) => tile === 4).length;
    const { tile, cell } = hard[0] as (typeof all)[number];
    if (kindest > worst)
      this.hardest.push({ board: formatBoard(board), tile, cell, worst, kindest });
  }

  #value(board: Board): number {
    return this.#tabulation.value("minimax", board);
  }

  #units(board: Board): number {
    return POINT_UNITS * this.#tabulation.value("expected", board);
  }

  #lasts(board: Board): number {
    return this.#lasting.get(packBoard(canonical(board))) as number;
  }

  /** Returns the rounded value of an afterstate's placements against chance. */
  #average(board: Board): number {
    const { tiles } = this.#tabulation.game;
    const weigh = (tile: number) => (tiles.length === 1 ? 1 : tile === 2 ? 9 : 1);
    const all = placements(board, tiles);
    const weights = all.reduce((sum, { tile }) => sum + weigh(tile), 0);
    const sum = all.reduce((sum, next) => sum + weigh(next.tile) * this.#units(next.board), 0);
    return Math.floor((sum + Math.floor(weights / 2)) / weights);
  }
}

function increment(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function count(
  counts: { direction: Direction; legal: number; best: number; only: number }[],
  all: readonly { direction: Direction }[],
  best: readonly { direction: Direction }[],
): void {
  for (const of of counts) {
    const isThis = ({ direction }: { direction: Direction }) => direction === of.direction;
    if (all.some(isThis)) of.legal++;
    if (best.some(isThis)) of.best++;
    if (best.length === 1 && best.some(isThis)) of.only++;
  }
}

describe("a survey", () => {
  it.each([
    ["2x2", [2, 4]],
    ["2x2", [2]],
    ["1x5", [2, 4]],
    ["2x3", [2, 4]],
  ] as [string, Tiles][])("of %s, tiles %j, counts as the rules do", async (shape, tiles) => {
    const tabulation = await tabulated(shape, tiles);
    const naive = new Naive(tabulation);
    expect(naive.wrong).toEqual([]);
    const found = (await survey(tabulation, options)) as Survey;
    for (const counts of ["byLargestTile", "byValue", "byExpected", "bySlides"] as const) {
      expect([...found[counts]], counts).toEqual([...naive[counts]].sort(([a], [b]) => a - b));
    }
    const { againstPlacer, againstChance, worstPlacements, worstFours } = naive;
    expect(found).toMatchObject({ againstPlacer, againstChance, worstPlacements, worstFours });
    expect({ ...found.longest, start: formatBoard(found.longest.start) }).toMatchObject(
      naive.longest,
    );
    const hardest = found.hardest.map((hard) => ({ ...hard, board: formatBoard(hard.board) }));
    const taken = ({ worst, kindest }: { worst: number; kindest: number }) => kindest - worst;
    expect(hardest.map(taken)).toEqual(
      naive.hardest
        .map(taken)
        .sort((a, b) => b - a)
        .slice(0, 10),
    );
    expect(naive.hardest).toEqual(expect.arrayContaining(hardest));
  });

  it("ends when it is stopped, and reports its progress", async () => {
    const tabulation = await tabulated("2x3", [2, 4]);
    const stop = new AbortController();
    const sums: number[] = [];
    const onProgress = ({ sum, layers }: { sum: number; layers: number }) => {
      sums.push(sum);
      if (layers === 5) stop.abort();
    };
    expect(await survey(tabulation, { ...options, signal: stop.signal, onProgress })).toBe(
      undefined,
    );
    expect(sums.length).toBeLessThan(8);
    expect(sums).toEqual([...sums].sort((a, b) => b - a));
  });
});

/** Milliseconds for a tabulation and a survey beside other long tests. */
const HOOK_MS = 600_000;

/** Tests surveys of a shape that finds more than this many legal slides; returns its tabulation. */
function testOneSurvey(shape: string, leastLegal: number): () => Tabulation {
  let tabulation: Tabulation;
  let found: Survey;
  beforeAll(async () => {
    tabulation = await tabulated(shape, [2, 4], afterAll);
    found = (await survey(tabulation, options)) as Survey;
  }, HOOK_MS);

  it("is the same with any number of threads", async () => {
    expect(await survey(tabulation, { ...options, threads: 3 })).toEqual(found);
    expect(found.againstPlacer.reduce((sum, { legal }) => sum + legal, 0)).toBeGreaterThan(
      leastLegal,
    );
  });

  it("reports lines that lead from their start to a position without a slide", () => {
    const { longest, lines } = found;
    expect(lines).toHaveLength(starts(tabulation.game.shape).length);
    for (const { start, slides: length, end } of [longest, ...lines]) {
      expect(longest.slides).toBeGreaterThanOrEqual(length);
      expect(slides(end)).toEqual([]);
      expect(tileSum(end) - tileSum(start)).toBeGreaterThanOrEqual(2 * length);
      expect(tileSum(end) - tileSum(start)).toBeLessThanOrEqual(4 * length);
    }
  });

  return () => tabulation;
}

describe("a survey of 2x3", () => void testOneSurvey("2x3", 10_000));

describe("a survey of 2x4", { tags: ["long"] }, () => {
  const tabulationOf = testOneSurvey("2x4", 1e7);

  it("fails without enough memory for the largest layer", async () => {
    await expect(survey(tabulationOf(), { ...options, memory: 2 ** 20 })).rejects.toThrow(
      /use --memory \d+M or more/,
    );
  });
});
