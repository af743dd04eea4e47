import {
  type Board,
  type Direction,
  emptyCells,
  formatBoard,
  type PackedBoard,
  packBoard,
  parseShape,
  place,
  starts,
  tileSum,
  unpackBoard,
} from "@gridlock/game";
import { parseVariant, type Reach, type Variant, VariantSweep } from "@gridlock/tablebase";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { average, type PlainRules, perCell, plainValue } from "./plain-rules.js";

const MEMORY = 2 ** 30;
const TILES = [2, 4];

/** Opens a sweep for the running test or, with `afterAll`, for several. */
function open(
  shape: string,
  tiles: readonly number[] = TILES,
  whenDone: (close: () => Promise<void>) => void = onTestFinished,
): VariantSweep {
  const sweep = new VariantSweep(parseShape(shape), tiles, { threads: 2, memory: MEMORY });
  whenDone(() => sweep[Symbol.asyncDispose]());
  return sweep;
}

/** Returns values of a variant: of every nth reachable position of this tile sum or more. */
async function valuesOf(
  sweep: VariantSweep,
  shape: string,
  variant: Variant,
  every: number,
  from = 0,
) {
  const reach = await sweep.reach(variant.states.some(({ pass }) => pass !== undefined));
  const asked = (reach?.layers ?? [])
    .flatMap(({ sum, boards }) =>
      [...boards].map((board) => ({ sum, board: board as PackedBoard })),
    )
    .filter(({ sum }) => sum >= from)
    .sort((a, b) => (a.board < b.board ? -1 : 1))
    .filter((_, i) => i % every === 0);
  const values = await sweep.value(reach as NonNullable<typeof reach>, variant, asked);
  return asked.map(({ board }, i) => ({
    board: unpackBoard(parseShape(shape), board),
    values: values?.[i] as Float64Array,
  }));
}

const least = (values: readonly number[]) => Math.min(...values);
const most = (values: readonly number[]) => Math.max(...values);
/** Returns the average over tiles as chance places them. */
const byChance = (two: number, four: number) => (9 * two + four) / 10;

/** The value of an afterstate under the rules of the ordinary game. */
const ordinary: PlainRules["afterstate"] = (position, board, state) =>
  byChance(
    average(perCell(position, board, 2, state)),
    average(perCell(position, board, 4, state)),
  );
const perfect: PlainRules["afterstate"] = (position, board, state) =>
  least(TILES.flatMap((tile) => perCell(position, board, tile, state)));

const forbidding = (...directions: Direction[]): PlainRules => ({
  afterstate: perfect,
  allows: (direction) => !directions.includes(direction),
});

/** The rules of each state of a variant, in plain code. */
const PLAIN: [variant: string, (state: number) => PlainRules, states: number][] = [
  ["game", () => ({ afterstate: perfect }), 1],
  ["chance", () => ({ afterstate: ordinary }), 1],
  [
    "4s=2",
    () => ({
      afterstate: (position, board, left) =>
        least([
          ...perCell(position, board, 2, left),
          ...(left > 0 ? perCell(position, board, 4, left - 1) : []),
        ]),
    }),
    3,
  ],
  [
    "2s=1",
    () => ({
      afterstate: (position, board, left) =>
        least([
          ...perCell(position, board, 4, left),
          ...(left > 0 ? perCell(position, board, 2, left - 1) : []),
        ]),
    }),
    2,
  ],
  [
    "alternate",
    () => ({
      afterstate: (position, board, turn) =>
        least(perCell(position, board, turn === 0 ? 2 : 4, 1 - turn)),
    }),
    2,
  ],
  [
    "announced",
    () => ({
      // The placer places the tile it has announced, and announces the next.
      afterstate: (position, board, announced) =>
        least([0, 1].flatMap((next) => perCell(position, board, announced === 0 ? 2 : 4, next))),
    }),
    2,
  ],
  [
    "tile-only",
    () => ({
      afterstate: (position, board, state) =>
        least(TILES.map((tile) => average(perCell(position, board, tile, state)))),
    }),
    1,
  ],
  [
    "cell-only",
    () => ({
      afterstate: (position, board, state) =>
        least(
          emptyCells(board).map((cell) =>
            byChance(
              position(place(board, cell, 2).board, state),
              position(place(board, cell, 4).board, state),
            ),
          ),
        ),
    }),
    1,
  ],
  [
    "slider-cell",
    () => ({
      afterstate: (position, board, state) =>
        least(TILES.map((tile) => most(perCell(position, board, tile, state)))),
    }),
    1,
  ],
  [
    "slider-tile",
    () => ({
      afterstate: (position, board, state) =>
        least(
          emptyCells(board).map((cell) =>
            most(TILES.map((tile) => position(place(board, cell, tile).board, state))),
          ),
        ),
    }),
    1,
  ],
  [
    "mixed=25,99.5",
    (state) => ({
      afterstate: (position, board) => {
        const share = [0.25, 0.995][state] as number;
        return (
          share * perfect(position, board, state) + (1 - share) * ordinary(position, board, state)
        );
      },
    }),
    2,
  ],
  [
    "without",
    (state) =>
      forbidding(...(["up", "left", "down", "right"] as const).filter((_, i) => (state >> i) & 1)),
    15,
  ],
  ["passes=1", () => ({ afterstate: perfect, pass: (k) => [undefined, 0, 2][k] }), 3],
];

// Plain recursion from a late position of 2×3 visits few positions.
describe.each([
  { shape: "2x2", every: 1, from: 0, tags: [] },
  { shape: "2x3", every: 401, from: 120, tags: [] },
  { shape: "2x3", every: 401, from: 0, tags: ["long"] },
  { shape: "1x4", every: 1, from: 0, tags: [] },
])("on $shape, from the sum $from, the values of", ({ shape, every, from, tags }) => {
  let sweep: VariantSweep;
  beforeAll(() => {
    sweep = open(shape, TILES, afterAll);
  });

  it.each(PLAIN)("%s are those of plain recursion", { tags }, async (name, rulesOf, states) => {
    const variant = parseVariant(name, TILES);
    const found = await valuesOf(sweep, shape, variant, every, from);
    expect(found.length).toBeGreaterThan(20);
    for (let state = 0; state < states; state++) {
      const value = plainValue(rulesOf(state));
      for (const { board, values } of found) {
        const at = `${formatBoard(board)}, state ${state}`;
        expect([at, values[state]]).toEqual([at, expect.closeTo(value(board, state), 9)]);
      }
    }
  });
});

describe("other tiles", () => {
  it.each([
    ["2x2", [2, 4, 8]],
    ["2x2", [8]],
    ["2x2", [2, 16]],
    ["1x3", [4]],
    ["2x3", [2]],
  ])("on %s with %j are placed", async (shape, tiles) => {
    const value = plainValue({
      afterstate: (position, board) =>
        least(tiles.flatMap((tile) => perCell(position, board, tile, 0))),
    });
    const found = await valuesOf(open(shape, tiles), shape, parseVariant("game", tiles), 7);
    for (const { board, values } of found) {
      expect([formatBoard(board), values[0]]).toEqual([formatBoard(board), value(board, 0)]);
    }
  });
});

describe("a sweep", () => {
  const asked = (boards: readonly Board[]) =>
    boards.map((board) => ({ sum: tileSum(board), board: packBoard(board) }));

  it("counts what enumerations count", async () => {
    const { positions, layers } = (await open("2x3").reach(false)) as Reach;
    const total = (of: "afterstates" | "terminals") =>
      layers.reduce((sum, layer) => sum + layer[of], 0);
    expect([positions, total("afterstates"), total("terminals")]).toEqual([21_752, 14_883, 4_484]);
    expect(layers.length).toBe(125);
  });

  it("has no value for a board that play cannot reach", async () => {
    const sweep = open("2x2");
    const reach = (await sweep.reach(false)) as Reach;
    const board = { rows: 2, cols: 2, cells: [32, 32, 32, 32] };
    expect(await sweep.value(reach, parseVariant("game", TILES), asked([board]))).toEqual([
      undefined,
    ]);
  });

  it("stops after a layer", async () => {
    const sweep = open("2x3");
    const controller = new AbortController();
    const options = {
      signal: controller.signal,
      onProgress: (layers: number) => {
        if (layers === 3) controller.abort();
      },
    };
    expect(await sweep.reach(false, options)).toBeUndefined();
    const reach = (await sweep.reach(false)) as NonNullable<
      Awaited<ReturnType<typeof sweep.reach>>
    >;
    const all = asked(starts(parseShape("2x3")));
    expect(await sweep.value(reach, parseVariant("game", TILES), all, options)).toBeUndefined();
    // It can go on afterwards.
    const [first] = (await sweep.value(reach, parseVariant("game", TILES), all)) ?? [];
    expect(first?.[0]).toBe(44);
  });

  it("says how much memory it needs", async () => {
    const sweep = new VariantSweep(parseShape("2x4"), TILES, { threads: 1, memory: 8 * 2 ** 20 });
    onTestFinished(() => sweep[Symbol.asyncDispose]());
    await expect(sweep.reach(false)).rejects.toThrow(/need \d+ MiB of memory.* limit is 8 MiB/);
  });
});

describe("the variants that make no sense", () => {
  it.each([
    ["nonsense", TILES, /"nonsense" is not a variant; expected game, 4s=K/],
    ["4s", TILES, /4s: the number is missing; expected a whole number from 0 to 60/],
    ["4s=-1", TILES, /4s=-1: "-1" is not possible/],
    ["4s=1000", TILES, /"1000" is not possible/],
    ["4s=3", [2], /4s=3: the placer has no 4s; its tiles are 2/],
    ["2s=3", [2], /2s=3: the placer has nothing else to place/],
    ["alternate", [2], /alternate: the placer has 2s alone/],
    ["announced", [4], /announced: the placer has 4s alone/],
    ["chance", [2, 8], /chance: chance places 2s and 4s, and no 8/],
    ["mixed=5", [8], /mixed=5: chance places 2s and 4s/],
    ["mixed=", TILES, /mixed=: "" is not a percentage/],
    ["mixed=101", TILES, /"101" is not a percentage/],
    ["without=north", TILES, /without=north: "north" is not a direction; expected up, left/],
    ["without=up,down,left,right", TILES, /no direction left; forbid at most three/],
    ["passes", TILES, /passes: the number is missing/],
    ["passes=1.5", TILES, /"1.5" is not possible/],
  ])("%s with %j get a sentence", (name, tiles, message) => {
    expect(() => parseVariant(name, tiles)).toThrow(message);
  });
});
