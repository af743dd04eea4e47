import { createHash } from "node:crypto";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Game,
  isEnd,
  packBoard,
  parseBoard,
  parseShape,
  seededRandom,
  slides,
  starts,
  type Tiles,
} from "@gridlock/game";
import {
  type Column,
  columnFileOf,
  likelyStarts,
  type Place,
  type TabulateOptions,
  Tabulation,
  tabulate,
  type ValueColumn,
  valueOfNode,
} from "@gridlock/tablebase";
import { Oracle } from "@gridlock/testbed";
import { describe, expect, it, onTestFinished } from "vitest";
import { BLOCK_POSITIONS } from "../src/block.js";
import { ChanceOracle } from "./chance-oracle.js";

/** Canonical positions and afterstates: those of the game are published. */
const COUNTS: [shape: string, tiles: Tiles, positions: number, afterstates: number][] = [
  ["1x2", [2, 4], 5, 2],
  ["1x6", [2, 4], 10_830, 4760],
  ["2x2", [2, 4], 110, 67],
  ["2x2", [2], 36, 30],
  ["3x2", [2, 4], 21_752, 14_883],
  ["2x3", [2], 4421, 4531],
  ["2x4", [2, 4], 4_980_767, 3_406_686],
];

/** What each value against chance may be off by: a rounding in each of some hundred steps. */
const POINTS_OFF = 0.002;
const CHANCE_OFF = 1e-6;

function game(shape: string, tiles: Tiles): Game {
  return { shape: parseShape(shape), tiles };
}

/** A tabulation's files in a folder that is gone when the test has ended. */
function files(of: Game): (column: Column) => string {
  const folder = mkdtempSync(join(tmpdir(), "gridlock-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return (column) => columnFileOf(join(folder, "test.db"), of, column);
}

function options(
  fileOf: (column: Column) => string,
  more: Partial<TabulateOptions> = {},
): TabulateOptions {
  return { threads: 2, memory: 2 ** 30, fileOf, ...more };
}

function opened(of: Game, columns: ValueColumn[], fileOf: (column: Column) => string): Tabulation {
  const tabulation = Tabulation.open(of, columns, fileOf);
  onTestFinished(() => tabulation.close());
  return tabulation;
}

function* places({ layers }: Tabulation): Generator<Place> {
  for (const layer of layers) {
    for (let number = 0; number < layer.positions; number++) yield { layer, number };
  }
}

const COLUMNS: Column[] = ["positions", "minimax", "expected"];

function digests(fileOf: (column: Column) => string): string[] {
  return COLUMNS.map((column) =>
    createHash("sha256")
      .update(readFileSync(fileOf(column)))
      .digest("hex"),
  );
}

describe("a tabulation", () => {
  it.each(COUNTS)(
    "of %s, tiles %j, has %i positions and %i afterstates",
    async (shape, tiles, positions, afterstates) => {
      const of = game(shape, tiles);
      const fileOf = files(of);
      expect(await tabulate(of, undefined, options(fileOf))).toBe(true);
      expect(opened(of, [], fileOf).counts()).toMatchObject({ positions, afterstates });
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
      const fileOf = files(of);
      await tabulate(of, reach, options(fileOf));
      const tabulation = opened(of, ["minimax", "expected", { reach }], fileOf);
      const minimax = new Oracle(of);
      const expected = new ChanceOracle(of);
      const chance = new ChanceOracle(of, reach);
      for (const start of starts(of.shape)) {
        minimax.position(start);
        expected.position(start);
        chance.position(start);
      }
      const wrong: string[] = [];
      let met = 0;
      let terminal = 0;
      for (const place of places(tabulation)) {
        const board = tabulation.board(place);
        const key = packBoard(board);
        met++;
        if (isEnd(board)) terminal++;
        const same =
          tabulation.value("minimax", place) === minimax.positions.get(key) &&
          Math.abs(tabulation.value("expected", place) - (expected.positions.get(key) ?? -9)) <
            POINTS_OFF &&
          Math.abs(tabulation.value({ reach }, place) - (chance.positions.get(key) ?? -9)) <
            CHANCE_OFF;
        if (!same) wrong.push(board.cells.join());
        expect(tabulation.find(board)).toEqual(place);
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

  it("of 3x3 has the published counts and the published score of the ordinary game", async () => {
    const of = game("3x3", [2, 4]);
    const fileOf = files(of);
    await tabulate(of, undefined, options(fileOf));
    const tabulation = opened(of, ["minimax", "expected"], fileOf);
    expect(tabulation.counts()).toEqual({
      positions: 48_713_519,
      terminal: 7_388_502,
      afterstates: 31_431_374,
    });
    const expected = likelyStarts(of).reduce(
      (sum, { board, chance }) =>
        sum + chance * tabulation.value("expected", tabulation.find(board) as Place),
      0,
    );
    expect(expected.toFixed(2)).toBe("5468.49");
    const values = starts(of.shape).map((start) =>
      tabulation.value("minimax", tabulation.find(start) as Place),
    );
    expect([...new Set(values)].sort()).toEqual([164, 180, 184]);
  });

  it("tells of the ordinary game from a random start", async () => {
    const of = game("2x3", [2, 4]);
    const fileOf = files(of);
    await tabulate(of, undefined, options(fileOf));
    const tabulation = opened(of, ["expected"], fileOf);
    const oracle = new ChanceOracle(of);
    let certain = 0;
    for (const { board, chance } of likelyStarts(of)) {
      const place = tabulation.find(board) as Place;
      expect(tabulation.value("expected", place)).toBeCloseTo(oracle.position(board), 2);
      certain += chance;
    }
    expect(certain).toBeCloseTo(1, 12);
  });

  it("finds positions in all blocks of a layer, each worth its best slide", async () => {
    const of = game("2x4", [2, 4]);
    const fileOf = files(of);
    await tabulate(of, undefined, options(fileOf));
    const tabulation = opened(of, ["minimax"], fileOf);
    const random = seededRandom(4);
    let beyondFirst = 0;
    for (const layer of tabulation.layers.filter(({ positions }) => positions > 0)) {
      for (let i = 0; i < 10; i++) {
        const place = { layer, number: Math.floor(random() * layer.positions) };
        if (place.number >= BLOCK_POSITIONS) beyondFirst++;
        const board = tabulation.board(place);
        expect(tabulation.find(board)).toEqual(place);
        const worths = slides(board).map(
          ({ board: after, score }) =>
            score +
            (valueOfNode(tabulation, "minimax", { board: after, turn: "placer" }) as number),
        );
        expect(tabulation.value("minimax", place)).toBe(Math.max(0, ...worths));
      }
    }
    expect(beyondFirst).toBeGreaterThan(1000);
  });

  it("finds every image of a position, and no board that play does not lead to", async () => {
    const of = game("2x3", [2, 4]);
    const fileOf = files(of);
    await tabulate(of, undefined, options(fileOf));
    const tabulation = opened(of, ["minimax"], fileOf);
    const at = (text: string) => tabulation.find(parseBoard(text).board);
    const place = at("2 4 0/0 0 0") as Place;
    for (const image of ["0 4 2/0 0 0", "0 0 0/2 4 0", "2 0/4 0/0 0", "0 0/0 4/0 2"]) {
      expect(at(image)).toEqual(place);
    }
    expect(at("64 64 64/0 0 0")).toBeUndefined();
    expect(at("0 0 0/0 0 2")).toBeUndefined();
    expect(at("128 64 32/4 8 16")).toBeDefined();
    expect(at("128 64 32/8 4 16")).toBeUndefined();
  });
});

describe("the files of a tabulation", () => {
  it("are the same for any number of threads, and kept when they are whole", async () => {
    const of = game("2x3", [2, 4]);
    const made = [];
    for (const threads of [1, 2, 3]) {
      const fileOf = files(of);
      await tabulate(of, undefined, options(fileOf, { threads }));
      made.push(digests(fileOf));
      let layers = 0;
      await tabulate(of, undefined, options(fileOf, { onProgress: () => layers++ }));
      expect(layers).toBe(0);
    }
    expect(made[1]).toEqual(made[0]);
    expect(made[2]).toEqual(made[0]);
  });

  it("are the same when the making is stopped and begun again", async () => {
    const of = game("2x3", [2, 4]);
    const whole = files(of);
    await tabulate(of, undefined, options(whole));
    const fileOf = files(of);
    let runs = 0;
    for (let done = false; !done; runs++) {
      const stop = new AbortController();
      let layers = 0;
      done = await tabulate(
        of,
        undefined,
        options(fileOf, {
          signal: stop.signal,
          onProgress: () => {
            if (++layers === 20 + runs) stop.abort();
          },
        }),
      );
    }
    expect(runs).toBeGreaterThan(5);
    expect(digests(fileOf)).toEqual(digests(whole));
  });

  it("are made by one run at a time", async () => {
    const of = game("2x3", [2, 4]);
    const fileOf = files(of);
    let second: Promise<unknown> | undefined;
    const onProgress = () => {
      second ??= tabulate(of, undefined, options(fileOf)).catch((error) => error);
    };
    expect(await tabulate(of, undefined, options(fileOf, { onProgress }))).toBe(true);
    expect(await second).toMatchObject({
      code: "locked",
      message: expect.stringMatching(
        /^another process is tabulating 2x3, and holds \S+\.positions\.lock; wait/,
      ),
    });
    const whole = digests(fileOf);
    expect(await tabulate(of, undefined, options(fileOf))).toBe(true);
    expect(digests(fileOf)).toEqual(whole);
  });

  it("are the same when they are cut anywhere, and made again", async () => {
    const of = game("2x2", [2, 4]);
    const fileOf = files(of);
    await tabulate(of, undefined, options(fileOf));
    const whole = digests(fileOf);
    const random = seededRandom(7);
    for (const column of COLUMNS) {
      const { length } = readFileSync(fileOf(column));
      for (let i = 0; i < 10; i++) {
        truncateSync(fileOf(column), Math.floor(random() * length));
        expect(() => Tabulation.open(of, ["minimax", "expected"], fileOf)).toThrow(
          /gridlock tabulate/,
        );
        expect(await tabulate(of, undefined, options(fileOf, { threads: 1 }))).toBe(true);
        expect(digests(fileOf)).toEqual(whole);
      }
    }
  });

  it("have each flipped byte found, named and repaired", async () => {
    const of = game("2x3", [2, 4]);
    const fileOf = files(of);
    await tabulate(of, undefined, options(fileOf));
    const whole = digests(fileOf);
    const random = seededRandom(8);
    let blocks = 0;
    for (const column of COLUMNS) {
      const bytes = readFileSync(fileOf(column));
      for (let i = 0; i < 20; i++) {
        const at = Math.floor(random() * bytes.length);
        flip(fileOf(column), at, bytes[at] as number);
        const told: string[] = [];
        const repair = { onRepair: (text: string) => told.push(text) };
        expect(await tabulate(of, undefined, options(fileOf, { ...repair, threads: 1 }))).toBe(
          true,
        );
        expect(digests(fileOf)).toEqual(whole);
        if (at < 24) continue; // the head of the file: it is another file's
        expect(told).toHaveLength(1);
        expect(told[0]).toContain(fileOf(column));
        if (/block \d+ of \d+ of the layer of tile sum \d+/.test(told[0] as string)) blocks++;
      }
    }
    expect(blocks).toBeGreaterThan(20);
  });

  it("are never believed when they are damaged", async () => {
    const of = game("2x2", [2, 4]);
    const fileOf = files(of);
    await tabulate(of, undefined, options(fileOf));
    for (const column of COLUMNS) {
      const bytes = readFileSync(fileOf(column));
      for (let at = 0; at < bytes.length; at += 3) {
        flip(fileOf(column), at, bytes[at] as number);
        expect(() => readAll(of, fileOf)).toThrow(/gridlock tabulate/);
        flip(fileOf(column), at, (bytes[at] as number) ^ 0xff);
      }
    }
    expect(() => readAll(of, fileOf)).not.toThrow();
  });

  it("of another game, or of none, are refused and left as they are", async () => {
    const of = game("2x2", [2, 4]);
    const fileOf = files(of);
    await tabulate(of, undefined, options(fileOf));
    const whole = digests(fileOf);
    await expect(tabulate(game("2x2", [2]), undefined, options(fileOf))).rejects.toThrow(
      "is not the positions of 2x2 with 2s only; expected it, or no such file",
    );
    expect(digests(fileOf)).toEqual(whole);
    writeFileSync(fileOf("minimax"), "no tabulation at all");
    await expect(tabulate(of, undefined, options(fileOf))).rejects.toThrow(/not the minimax/);
    expect(readFileSync(fileOf("minimax"), "utf8")).toBe("no tabulation at all");
  });

  it("that were cut, or flipped, in their last bytes or their first become what they were", async () => {
    const of = game("2x2", [2, 4]);
    const fileOf = files(of);
    await tabulate(of, undefined, options(fileOf));
    const whole = digests(fileOf);
    for (const column of COLUMNS) {
      const bytes = readFileSync(fileOf(column));
      for (let cut = 1; cut <= 80; cut++) {
        writeFileSync(fileOf(column), bytes.subarray(0, bytes.length - cut));
        await tabulate(of, undefined, options(fileOf));
        expect(digests(fileOf), `${column} without ${cut} bytes`).toEqual(whole);
      }
      for (const at of Array.from({ length: 80 }, (_, i) => (i < 40 ? i : bytes.length - 80 + i))) {
        flip(fileOf(column), at, bytes[at] as number);
        const told: string[] = [];
        const onRepair = (text: string) => told.push(text);
        await tabulate(of, undefined, { ...options(fileOf), onRepair });
        expect(digests(fileOf), `${column}, byte ${at}`).toEqual(whole);
        expect(told.join(), `${column}, byte ${at}`).toContain(fileOf(column));
      }
    }
  });

  it("cannot be made of a shape that is too large, or with too little memory", async () => {
    const large = game("3x4", [2, 4]);
    await expect(tabulate(large, undefined, options(files(large)))).rejects.toThrow(
      "3x4 has 12 cells; expected at most 10 for a tabulation",
    );
    const of = game("2x4", [2, 4]);
    await expect(tabulate(of, undefined, options(files(of), { memory: 2 ** 20 }))).rejects.toThrow(
      /expected --memory \d+M or more/,
    );
  });
});

/** Puts the complement of a byte in its place. */
function flip(file: string, at: number, byte: number): void {
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.from([byte ^ 0xff]), 0, 1, at);
  closeSync(descriptor);
}

/** Opens a tabulation and reads all of it. */
function readAll(of: Game, fileOf: (column: Column) => string): void {
  const tabulation = Tabulation.open(of, ["minimax", "expected"], fileOf);
  try {
    for (const place of places(tabulation)) {
      tabulation.board(place);
      tabulation.value("minimax", place);
      tabulation.value("expected", place);
    }
  } finally {
    tabulation.close();
  }
}
