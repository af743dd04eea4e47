import {
  type Board,
  type Bound,
  canonical,
  cellCount,
  findFault,
  type Game,
  packBoard,
  packedHalves,
  parseBoard,
  placements,
  type Shape,
  seededRandom,
  slides,
  tileSum,
  UNKNOWN,
} from "@gridlock/game";
import { wordsOf } from "@gridlock/testbed";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashOf, LookUps } from "../src/look-ups.js";
import { type After, MALFORMED, Steps, showsLower, showsUpper } from "../src/steps.js";

const SEED = 12_345;

/** All shapes of 2 to 16 cells with no more rows than columns. */
const SHAPES: Shape[] = [1, 2, 3, 4].flatMap((rows) =>
  Array.from({ length: 16 }, (_, i) => ({ rows, cols: i + 1 })).filter(
    ({ cols }) => cols >= rows && rows * cols >= 2 && rows * cols <= 16,
  ),
);

/** Any board: with few kinds of tiles, so that many merge and images differ late, or with all. */
const anyBoard = fc.constantFrom(...SHAPES).chain((shape) => {
  const length = cellCount(shape);
  const exponents = (max: number) =>
    fc.array(fc.nat(max), { minLength: length, maxLength: length });
  return fc
    .oneof(exponents(2), exponents(4), exponents(15))
    .map((list): Board => ({ ...shape, cells: list.map((e) => (e === 0 ? 0 : 2 ** e)) }));
});

const anyGame = anyBoard.chain((board) =>
  fc
    .constantFrom([2, 4] as const, [2] as const)
    .map((tiles) => ({ board, game: { shape: { rows: board.rows, cols: board.cols }, tiles } })),
);

const known = new Map<string, Steps>();

/** Returns the steps of a game, which are the same for all its boards. */
function stepsOf(game: Game): Steps {
  const name = JSON.stringify(game);
  const steps = known.get(name) ?? new Steps(game, SEED);
  known.set(name, steps);
  return steps;
}

function halves(board: Board): [low: number, high: number] {
  const [high, low] = packedHalves(packBoard(board));
  return [low, high];
}

/** Puts claims into tables by the tile placed, those of a part of the boards. */
function tablesOf(
  replies: ReadonlyMap<number, ReadonlyMap<bigint, Bound>>,
  part: number,
  parts: number,
) {
  const tables = [2, 4].map((tile) => {
    const of = replies.get(tile);
    if (of === undefined) return undefined;
    const table = new LookUps(new Int32Array(new SharedArrayBuffer(16 * (of.size + 1))));
    table.resize(of.size + 1);
    for (const [board, bound] of of) {
      const words = wordsOf([{ board: board as never, ...bound }]);
      const hash = hashOf(words[0] as number, words[1] as number, SEED);
      if ((hash & (parts - 1)) === part) expect(table.insert(words, 0, hash)).toBe(true);
    }
    return table;
  });
  return tables as unknown as After;
}

/** Checks claims against tables in some parts; returns their states. */
function statesOf(
  steps: Steps,
  claims: readonly (readonly number[])[],
  sum: number,
  replies: ReadonlyMap<number, ReadonlyMap<bigint, Bound>>,
  parts: number,
): number[] {
  const words = Uint32Array.from([0, 0, 0, 0, ...claims.flat()]);
  const states = new Uint16Array(claims.length);
  for (let part = 0; part < parts; part++) {
    const after = tablesOf(replies, part, parts);
    steps.check(words, 1, claims.length, sum, states, after, part, parts);
  }
  return [...states];
}

function check(board: Board, { shape, tiles }: Game, random: () => number): void {
  const steps = stepsOf({ shape, tiles });
  const sum = tileSum(board);
  const form = canonical(board);
  const isClaimable = findFault(board, "slider") === undefined;
  const isCanonical = packBoard(form) === packBoard(board);
  const isWellFormed = (of: Board, sumOf: number) =>
    statesOf(steps, [[...halves(of), 1, 0]], sumOf, new Map(), 1)[0] !== MALFORMED;
  expect(isWellFormed(board, sum)).toBe(isClaimable && isCanonical);
  expect(isWellFormed(form, sum)).toBe(isClaimable);
  expect(isWellFormed(form, sum + 2)).toBe(false);
  if (!isClaimable) return;

  // Claims about most of the replies, near a value by which the claims of the position are drawn.
  const value = 8 * Math.floor(4 * random());
  const near = () => 4 * Math.max(0, value / 4 + Math.floor(3 * random()) - 1);
  const replies = new Map<number, Map<bigint, Bound>>();
  const share = random() ** 3;
  for (const { board: after } of slides(form)) {
    for (const { tile, board: reply } of placements(after, tiles)) {
      if (random() < share) continue;
      const of = replies.get(tile) ?? new Map<bigint, Bound>();
      replies.set(tile, of);
      of.set(packBoard(canonical(reply)), { lo: near(), hi: random() < 0.7 ? near() : UNKNOWN.hi });
    }
  }
  const claimOf = ({ tile, board: reply }: { tile: number; board: Board }) =>
    replies.get(tile)?.get(packBoard(canonical(reply))) ?? UNKNOWN;
  // A malformed claim in between, and one with nothing to claim, change nothing.
  const all = [value - 4, value, value + 4]
    .filter((points) => points >= 0)
    .flatMap((points) => [
      [...halves(form), points / 4, random() < 0.5 ? 0 : points / 4 + 1],
      [...halves(form), 0, 0],
      [...halves(form), 0, points / 4 + 1],
    ]);
  for (const parts of [1, 4]) {
    const states = statesOf(steps, all, sum, replies, parts);
    states.forEach((state, i) => {
      const [, , lower = 0, upper = 0] = all[i] as number[];
      expect(state === MALFORMED).toBe(lower === 0 && upper === 0);
      if (lower > 0) {
        const follows = slides(form).some(
          ({ board: after, score }) =>
            4 * lower - score <= 0 ||
            placements(after, tiles).every((reply) => claimOf(reply).lo >= 4 * lower - score),
        );
        expect(showsLower(state)).toBe(follows);
      }
      if (upper > 0) {
        const follows = slides(form).every(({ board: after, score }) =>
          placements(after, tiles).some((reply) => claimOf(reply).hi <= 4 * (upper - 1) - score),
        );
        expect(showsUpper(state)).toBe(follows);
      }
    });
  }
}

describe("the steps of a check", () => {
  it("are those of the game, for any board of any shape and any claims after them", () => {
    fc.assert(
      fc.property(
        anyGame,
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        (of, stream) => {
          const random = () => stream.next().value as number;
          check(of.board, of.game, random);
        },
      ),
      { numRuns: 400 },
    );
  });

  // A 256 in the last cell, of the board or of an image of a reply, sets the sign bit of a half.
  it.each(["2 4 8 16/2 4 256 0", "4 8 16 32/64 2 4 8/16 32 64 2/4 8 0 256"])(
    "are those of the game for %s",
    (text) => {
      const { board } = parseBoard(text);
      const { rows, cols } = board;
      const random = seededRandom(1);
      for (let i = 0; i < 20; i++) check(board, { shape: { rows, cols }, tiles: [2, 4] }, random);
    },
  );
});

describe("a table", () => {
  it("finds all claims of one tile sum, and no other, even when it is full", () => {
    const boards = fc.uniqueArray(fc.tuple(fc.integer(), fc.integer()), {
      minLength: 1,
      selector: ([low, high]) => `${low} ${high}`,
    });
    fc.assert(
      fc.property(boards, fc.nat(2), fc.integer(), (keys, more, seed) => {
        const inserted = keys.filter(([low]) => low !== 0);
        const slots = inserted.length + more;
        const table = new LookUps(new Int32Array(4 * Math.max(1, slots)));
        table.resize(slots);
        inserted.forEach(([low, high], i) => {
          const claim = Uint32Array.of(low, high, i, i + 1);
          expect(table.insert(claim, 0, hashOf(low, high, seed))).toBe(true);
        });
        inserted.forEach(([low, high], i) => {
          const at = table.find(low, high, table.slotOf(hashOf(low, high, seed)));
          expect([...table.words.subarray(at, at + 4)]).toEqual([low, high, i, i + 1]);
        });
        const other: [number, number] = [1, 2];
        if (!keys.some(([low, high]) => low === 1 && high === 2)) {
          expect(table.find(...other, table.slotOf(hashOf(...other, seed)))).toBe(-1);
        }
        table.clear();
        expect(table.words.every((word) => word === 0)).toBe(true);
      }),
    );
  });

  it("refuses a claim for which it has no slot", () => {
    const table = new LookUps(new Int32Array(4));
    table.resize(1);
    expect(table.insert(Uint32Array.of(1, 0, 1, 1), 0, 5)).toBe(true);
    expect(table.insert(Uint32Array.of(2, 0, 1, 1), 0, 5)).toBe(false);
  });
});
