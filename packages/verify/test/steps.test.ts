import {
  type Board,
  type Bound,
  canonical,
  cellCount,
  findFault,
  type Game,
  packBoard,
  packedHalves,
  placements,
  type Shape,
  slides,
  tileSum,
  UNKNOWN,
} from "@gridlock/game";
import { wordsOf } from "@gridlock/testbed";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashOf, LookUps } from "../src/look-ups.js";
import { Steps } from "../src/steps.js";

const SEED = 12_345;

/** All shapes of 2 to 16 cells with no more rows than columns. */
const SHAPES: Shape[] = [1, 2, 3, 4].flatMap((rows) =>
  Array.from({ length: 16 }, (_, i) => ({ rows, cols: i + 1 })).filter(
    ({ cols }) => cols >= rows && rows * cols >= 2 && rows * cols <= 16,
  ),
);

/** Any board: with few kinds of tiles, so that many merge and images differ late, or with all kinds. */
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
  return [0, 2, 4].map((tile) => {
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
}

function check(board: Board, { shape, tiles }: Game, random: () => number): void {
  const steps = stepsOf({ shape, tiles });
  const sum = tileSum(board);
  const form = canonical(board);
  const isClaimable = findFault(board, "slider") === undefined;
  const isCanonical = packBoard(form) === packBoard(board);
  expect(steps.take(...halves(board), sum)).toBe(isClaimable && isCanonical);
  expect(steps.take(...halves(form), sum)).toBe(isClaimable);
  expect(steps.take(...halves(form), sum + 2)).toBe(false);
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
  for (const claim of [value - 4, value, value + 4].filter((points) => points >= 0)) {
    const lower = claim / 4;
    const upper = random() < 0.5 ? 0 : claim / 4 + 1;
    const showsLower = slides(form).some(
      ({ board: after, score }) =>
        claim - score <= 0 ||
        placements(after, tiles).every((reply) => claimOf(reply).lo >= claim - score),
    );
    const showsUpper = slides(form).every(({ board: after, score }) =>
      placements(after, tiles).some((reply) => claimOf(reply).hi <= claim - score),
    );
    for (const parts of [1, 4]) {
      let state = steps.begin(lower, upper);
      for (let part = 0; part < parts; part++) {
        steps.take(...halves(form), sum);
        const tables = tablesOf(replies, part, parts);
        state = steps.advance(state, lower, upper, tables, parts - 1, part);
      }
      if (lower > 0) expect(steps.showsLower(state)).toBe(showsLower);
      if (upper > 0) expect(steps.showsUpper(state)).toBe(showsUpper);
    }
  }
}

describe("the steps of a check", () => {
  it("are those of the game, for any board of any shape and any claims after it", () => {
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
        const places = inserted.length + more;
        const table = new LookUps(new Int32Array(4 * Math.max(1, places)));
        table.resize(places);
        inserted.forEach(([low, high], i) => {
          const claim = Uint32Array.of(low, high, i, i + 1);
          expect(table.insert(claim, 0, hashOf(low, high, seed))).toBe(true);
        });
        inserted.forEach(([low, high], i) => {
          const at = table.find(low, high, hashOf(low, high, seed));
          expect([...table.words.subarray(at, at + 4)]).toEqual([low, high, i, i + 1]);
        });
        const other: [number, number] = [1, 2];
        if (!keys.some(([low, high]) => low === 1 && high === 2)) {
          expect(table.find(...other, hashOf(...other, seed))).toBe(-1);
        }
        table.clear();
        expect(table.words.every((word) => word === 0)).toBe(true);
      }),
    );
  });

  it("refuses a claim for which it has no place", () => {
    const table = new LookUps(new Int32Array(4));
    table.resize(1);
    expect(table.insert(Uint32Array.of(1, 0, 1, 1), 0, 5)).toBe(true);
    expect(table.insert(Uint32Array.of(2, 0, 1, 1), 0, 5)).toBe(false);
  });
});
