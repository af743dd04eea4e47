import {
  type Board,
  canonical,
  formatBoard,
  type PackedBoard,
  packBoard,
  packedFromBits,
  parseBoard,
  placements,
  seededRandom,
  slides,
  starts,
  tileSum,
  unpackBoard,
} from "@gridlock/game";
import { encodeCertificate } from "@gridlock/testbed";
import {
  type Claim,
  compareBounds,
  encodeEnd,
  encodeHeader,
  impliedBound,
  LEAST_MEMORY,
  verifyCertificate,
} from "@gridlock/verify";
import { describe, expect, it } from "vitest";
import { checkClaims } from "../dist/verify.js";
import type { Progress, Report } from "../src/verify.js";
import {
  blockOfRows,
  ClaimOracle,
  certify,
  gameOf,
  opened,
  partsOf,
  rawBlock,
} from "./certificates.js";
import { plainCheck } from "./plain-check.js";

const WIDE = new ClaimOracle(gameOf("2x3"));
const SMALL = new ClaimOracle(gameOf("2x2"));
const ONE = { threads: 1, memory: LEAST_MEMORY };

function packed(text: string): PackedBoard {
  return packBoard(canonical(parseBoard(text).board));
}

/** Returns the part of a report that repeats exactly. */
function repeatable({ seconds: _, ...rest }: Report) {
  return rest;
}

/** Counts the lower and the upper claims. */
function sidesOf(claims: readonly Claim[]) {
  return {
    lower: claims.filter(({ lo }) => lo > 0).length,
    upper: claims.filter(({ hi }) => hi < Number.POSITIVE_INFINITY).length,
  };
}

describe("the bounds that a certificate implies", () => {
  const bounds = async (claims: Claim[]) => {
    const proof = await certify(WIDE.game, claims);
    const nodes = [...WIDE.nodes()].filter((_, i) => i % 5 === 0);
    return nodes.map(({ board, turn, value }) => {
      const node = { board: unpackBoard(WIDE.game.shape, board), turn };
      return { value, board, turn, ...impliedBound(node, WIDE.game, proof) };
    });
  };

  it("are exact if it claims all values", async () => {
    const all = await bounds(WIDE.full());
    expect(all.filter(({ lo, hi, value }) => lo !== value || hi !== value)).toEqual([]);
  });

  it("are true, and more than the claims, if it claims no more than it needs", async () => {
    const lean = WIDE.lean();
    const implied = await bounds(lean);
    expect(implied.filter(({ lo, hi, value }) => lo > value || hi < value)).toEqual([]);
    expect(implied.filter(({ lo }) => lo > 0).length).toBeGreaterThan(lean.length);
    const proof = await certify(WIDE.game, lean);
    const falsified = implied.map((bound) => ({ ...bound, lo: bound.hi + 4, hi: bound.hi + 4 }));
    const { contradictions, ...counts } = await compareBounds(WIDE.game, falsified, proof);
    const total = implied.length;
    expect(counts).toEqual({ bounds: total, implied: 0, notCovered: 0, contradicting: total });
    expect(contradictions).toHaveLength(20);
  });
});

describe("a certificate of all values", () => {
  it("of 2×2 and 2×3, with both tile sets, proves every start", async () => {
    for (const oracle of [SMALL, new ClaimOracle(gameOf("2x2", [2])), WIDE]) {
      const claims = oracle.full();
      const expected = new Map(claims.map(({ board, lo, hi }) => [board, { lo, hi }]));
      const report = await verifyCertificate(await certify(oracle.game, claims), expected, ONE);
      expect(report).toMatchObject({
        claims: claims.length,
        ...sidesOf(claims),
        largestTileSum: Math.max(...claims.map(({ board }) => tileSum(oracle.boardOf(board)))),
        failures: [],
        failed: 0,
        complete: true,
      });
      expect(report.starts.map(({ board }) => board)).toEqual(starts(oracle.game.shape));
      for (const { board, ...said } of report.starts) {
        const h = oracle.position(board);
        expect(said).toEqual({ value: h, lo: h, hi: h, follows: true });
      }
    }
  });

  it("has more than one proof needs", async () => {
    const claims = WIDE.lean();
    expect(claims.length).toBeLessThan(WIDE.positions.size);
    const report = await verifyCertificate(await certify(WIDE.game, claims), undefined, ONE);
    expect(report).toMatchObject({ complete: true, ...sidesOf(claims) });
  });
});

describe("a check", () => {
  /** Claims of which some are false, or lack others. */
  const flawed = WIDE.full()
    .map((claim, i) => (i % 7 === 0 ? { ...claim, lo: claim.lo + 4 } : claim))
    .filter((_, i) => i % 11 !== 5);

  it("finds the same with any number of threads and parts as a plain check", async () => {
    for (const claims of [flawed, WIDE.lean()]) {
      const file = await certify(WIDE.game, claims);
      const { failed, ...sides } = plainCheck(await encodeCertificate(WIDE.game, claims));
      const plans = [
        { threads: 0, slots: 100_000, blocks: 0 },
        { threads: 0, slots: 1_000, blocks: 1 },
        { threads: 2, slots: 100, blocks: 1 },
        { threads: 3, slots: 100_000, blocks: 0 },
      ];
      const tallies = [];
      for (const plan of plans) {
        const told: Progress[] = [];
        const tally = await checkClaims(file, plan, { onProgress: (now) => told.push(now) });
        expect(tally).toMatchObject({ ...sides, failed });
        expect(told.at(-1)).toEqual({ checked: claims.length, total: claims.length });
        const order = (a: { block: number; index: number }, b: typeof a) =>
          a.block - b.block || a.index - b.index;
        tallies.push({ ...tally, wrongStarts: tally.wrongStarts.toSorted(order) });
      }
      for (const tally of tallies) expect(tally).toEqual(tallies[0]);
    }
  });

  it("of several blocks a tile sum finds the same with any threads and parts", async () => {
    const game = gameOf("3x4");
    const random = seededRandom(1);
    const claims = new Map<PackedBoard, Claim>();
    const claim = (board: Board, lo: number, hi: number) => {
      const packed = packBoard(canonical(board));
      claims.set(packed, { board: packed, lo, hi });
    };
    const tiles = [2, 2, 4, 4, 8, 8, 16, 16, 32, 0, 0, 0];
    while (claims.size < 17_000) {
      const shuffled = tiles
        .map((tile) => ({ tile, at: random() }))
        .sort((a, b) => a.at - b.at)
        .map((cell) => cell.tile);
      claim({ ...game.shape, cells: shuffled }, 40, random() < 0.1 ? 80 : Number.POSITIVE_INFINITY);
    }
    // Claims from which some of these follow, or would if none were missing.
    for (const { board } of [...claims.values()].filter((_, i) => i % 50 === 0)) {
      for (const { board: after } of slides(unpackBoard(game.shape, board))) {
        for (const reply of placements(after, game.tiles)) {
          if (random() < 0.99) claim(reply.board, 40, 60);
        }
      }
    }
    const bytes = await encodeCertificate(game, [...claims.values()]);
    const { failed, ...sides } = plainCheck(bytes);
    expect(sides.lower).toBeGreaterThan(100);
    expect(sides.upper).toBeGreaterThan(5);
    const file = opened(bytes);
    expect(file.index.size).toBeGreaterThan(file.groups.length);
    for (const plan of [
      { threads: 2, slots: 100_000, blocks: 0 },
      { threads: 2, slots: 1_000, blocks: 1 },
    ]) {
      expect(await checkClaims(file, plan, {})).toMatchObject({ ...sides, failed });
    }
  });

  it("reports the first 20 failures, by tile sum and board", async () => {
    const file = await certify(WIDE.game, flawed);
    const one = await verifyCertificate(file, undefined, ONE);
    const three = await verifyCertificate(file, undefined, { ...ONE, threads: 3 });
    expect(repeatable(three)).toEqual(repeatable(one));
    expect(one.failures).toHaveLength(20);
    expect(one.failed).toBeGreaterThan(1000);
    const keys = one.failures.map(({ board }) => [tileSum(board), packBoard(board)] as const);
    expect(keys).toEqual(keys.toSorted(([a, x], [b, y]) => a - b || (x < y ? -1 : 1)));
  });

  it("reports for each start whether its value is there, and as expected", async () => {
    const [none, open, only, other, unsure, fine] = starts(SMALL.game.shape).map(packBoard);
    const claims = SMALL.full().flatMap((claim): Claim[] => {
      if (claim.board === none) return [];
      if (claim.board === open) return [{ ...claim, hi: claim.hi + 4 }];
      if (claim.board === only) return [{ ...claim, hi: Number.POSITIVE_INFINITY }];
      return [claim];
    });
    const expected = new Map([
      [other as PackedBoard, { lo: 4, hi: 4 }],
      [unsure as PackedBoard, { lo: 0, hi: 40 }],
    ]);
    const report = await verifyCertificate(await certify(SMALL.game, claims), expected, ONE);
    const said = new Map(report.starts.map(({ board, ...said }) => [packBoard(board), said]));
    expect(said.get(none as PackedBoard)?.why).toMatch(/missing.*nothing/);
    expect(said.get(open as PackedBoard)?.why).toMatch(/missing.*h ≥ 12 and h ≤ 16/);
    expect(said.get(only as PackedBoard)?.why).toMatch(/upper claim is missing.*h ≥ 8/);
    expect(said.get(other as PackedBoard)).toMatchObject({ value: 8, follows: false });
    expect(said.get(other as PackedBoard)?.why).toMatch(/8; expected 4/);
    expect(said.get(unsure as PackedBoard)).toEqual({ lo: 8, hi: 8, value: 8, follows: true });
    expect(said.get(fine as PackedBoard)).toEqual({ lo: 8, hi: 8, value: 8, follows: true });
    expect(report).toMatchObject({ failed: 0, complete: false });
  });

  it("reports a start whose claim does not follow", async () => {
    const start = starts(SMALL.game.shape).map(packBoard)[2] as PackedBoard;
    const claims = SMALL.full().map((claim) =>
      claim.board === start ? { board: start, lo: claim.lo + 4, hi: claim.hi + 4 } : claim,
    );
    const report = await verifyCertificate(await certify(SMALL.game, claims), undefined, ONE);
    const wrong = report.starts.filter(({ follows }) => !follows);
    expect(wrong.map(({ board }) => packBoard(board))).toEqual([start]);
    expect(wrong[0]?.why).toMatch(/^the claim of .* does not follow$/);
  });

  it("of an empty certificate finds no fault but that all starts are missing", async () => {
    const report = await verifyCertificate(await certify(WIDE.game, []), undefined, ONE);
    expect(report).toMatchObject({ claims: 0, failed: 0, largestTileSum: 0, complete: false });
    expect(report.starts.every(({ value, lo, hi }) => value === null && lo === 0 && hi > 1e9)).toBe(
      true,
    );
  });

  it("rejects boards that no claim may be about, and claims that claim nothing", async () => {
    const cases: [string, number, bigint, [number, number], RegExp][] = [
      ["4x4", 65_534, 2n ** 64n - 1n, [1, 2], /sum to 524288/],
      ["2x2", 60, 0x6n, [1, 2], /tile of 64 is too large/],
      ["2x2", 60, 0x5555n, [1, 2], /sum to 128/],
      ["2x2", 4, 0x1010n, [0, 2], /0 2\/0 2 is not the canonical form of .*, which is 2 2\/0 0$/],
      ["2x2", 6, 0x11n, [0, 2], /its tiles sum to 4, but its block is of the tile sum 6/],
      ["2x2", 4, 0x11n, [0, 0], /nothing is claimed/],
    ];
    for (const [shape, sum, board, [lower, upper], why] of cases) {
      const block = rawBlock(blockOfRows(sum, [[board, lower, upper]]));
      const bytes = Buffer.concat([encodeHeader(gameOf(shape)), block, encodeEnd(1, 1)]);
      const report = await verifyCertificate(opened(bytes), undefined, ONE);
      expect(report).toMatchObject({ failed: 1, lower: 0, upper: 0, complete: false });
      expect(plainCheck(bytes)).toEqual({ lower: 0, upper: 0, failed: 1 });
      expect(report.failures[0]).toMatchObject({ kind: "malformed", side: "board", value: null });
      expect(report.failures[0]?.text).toMatch(why);
    }
  });

  it("rejects a claim that contradicts itself, even if both sides follow from others", async () => {
    const game = gameOf("1x2");
    // 0 2 slides to 2 0, and 2 or 4 make 2 2 or 2 4: a false claim of each makes both sides follow.
    const claims = [
      { board: packed("2 0/"), lo: 8, hi: 0 },
      { board: packed("2 2/"), lo: 8, hi: 0 },
      { board: packed("2 4/"), lo: 8, hi: 0 },
    ];
    const report = await verifyCertificate(await certify(game, claims), undefined, ONE);
    const [first, ...rest] = report.failures;
    expect(first).toMatchObject({ side: "board", kind: "malformed", value: null });
    expect(first?.text).toBe("  2  ·\nh ≥ 8 and h ≤ 0 are both claimed, which cannot be");
    expect(rest.map(({ board, side }) => [formatBoard(board), side])).toEqual([
      ["2 2/", "lower"],
      ["2 2/", "upper"],
      ["4 2/", "lower"],
    ]);
  });

  it("accepts the largest values that a file can hold, if they follow", async () => {
    const board = packedFromBits(0x12n);
    const claims = [{ board, lo: 0, hi: 4 * (2 ** 32 - 2) }];
    const report = await verifyCertificate(await certify(gameOf("1x2"), claims), undefined, ONE);
    expect(report).toMatchObject({ failed: 0, upper: 1 });
  });

  it("rejects with the signal's reason if it is aborted, with threads and without", async () => {
    const reason = new Error("enough");
    const file = await certify(WIDE.game, WIDE.full());
    for (const threads of [0, 2]) {
      const controller = new AbortController();
      const { signal } = controller;
      const checking = checkClaims(file, { threads, slots: 100, blocks: 1 }, { signal });
      controller.abort(reason);
      await expect(checking).rejects.toBe(reason);
    }
    const signal = AbortSignal.abort(reason);
    await expect(verifyCertificate(file, undefined, { ...ONE, signal })).rejects.toBe(reason);
  });

  it("fails in a thread as it does without", async () => {
    const parts = partsOf(await encodeCertificate(WIDE.game, WIDE.lean()));
    const block = parts[6] as Buffer;
    block[60] = (block[60] as number) ^ 1;
    const file = opened(Buffer.concat(parts));
    for (const threads of [0, 2]) {
      await expect(
        checkClaims(file, { threads, slots: 5_000, blocks: 0 }, {}),
      ).rejects.toMatchObject({
        name: "CertificateError",
        code: "bad-checksum",
      });
    }
  });

  it("fails if its options make no sense", async () => {
    const file = await certify(SMALL.game, SMALL.lean());
    for (const options of [{ threads: 0 }, { threads: 1.5 }, { memory: LEAST_MEMORY - 1 }]) {
      await expect(verifyCertificate(file, undefined, { ...ONE, ...options })).rejects.toThrow(
        RangeError,
      );
    }
  });
});
