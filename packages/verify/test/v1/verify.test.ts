import {
  canonical,
  formatBoard,
  type PackedBoard,
  packBoard,
  packedFromBits,
  parseBoard,
  starts,
  tileSum,
  unpackBoard,
} from "@gridlock/game";
import {
  type Claim,
  claimedBy,
  compareBounds,
  impliedBound,
  type Progress,
  type Report,
  verify,
} from "@gridlock/verify";
import { describe, expect, it } from "vitest";
import { ClaimOracle, certify, gameOf } from "./claim-oracle.js";

const WIDE = new ClaimOracle(gameOf("2x3"));
const ONE = { threads: 1 };

function packed(text: string): PackedBoard {
  return packBoard(canonical(parseBoard(text).board));
}

/** Returns the part of a report that repeats exactly. */
function repeatable({ seconds: _, ...rest }: Report) {
  return rest;
}

/** Counts the lower and the upper claims. */
function sides(claims: readonly Claim[]): number {
  const upper = claims.filter(({ hi }) => hi < Number.POSITIVE_INFINITY);
  return claims.filter(({ lo }) => lo > 0).length + upper.length;
}

describe("the bounds that a certificate implies", () => {
  const bounds = (claims: Claim[]) => {
    const claimed = claimedBy(certify(WIDE.game, claims));
    const nodes = [...WIDE.nodes()].filter((_, i) => i % 5 === 0);
    return nodes.map(({ board, turn, value }) => {
      const node = { board: unpackBoard(WIDE.game.shape, board), turn };
      return { value, board, turn, ...impliedBound(node, WIDE.game, claimed) };
    });
  };

  it("are exact if it claims all values", () => {
    const wrong = bounds(WIDE.full()).filter(({ lo, hi, value }) => lo !== value || hi !== value);
    expect(wrong).toEqual([]);
  });

  it("are true, and more than the claims, if it claims no more than it needs", async () => {
    const lean = WIDE.lean();
    const implied = bounds(lean);
    expect(implied.filter(({ lo, hi, value }) => lo > value || hi < value)).toEqual([]);
    expect(implied.filter(({ lo }) => lo > 0).length).toBeGreaterThan(lean.length);
    const claimed = claimedBy(certify(WIDE.game, lean));
    const falsified = implied.map((bound) => ({ ...bound, lo: bound.hi + 4, hi: bound.hi + 4 }));
    const { contradictions, ...counts } = await compareBounds(WIDE.game, falsified, claimed);
    const total = implied.length;
    expect(counts).toEqual({ bounds: total, implied: 0, notCovered: 0, contradicting: total });
    expect(contradictions).toHaveLength(20);
  });
});

describe("a certificate of all values", () => {
  it("of 2×2 and 2×3, with both tile sets, proves every start", async () => {
    for (const shape of ["2x2", "2x3"]) {
      for (const tiles of [[2, 4], [2]] as const) {
        const isWide = shape === "2x3" && tiles.length === 2;
        const oracle = isWide ? WIDE : new ClaimOracle(gameOf(shape, tiles));
        const claims = oracle.full();
        const expected = new Map(claims.map(({ board, lo, hi }) => [board, { lo, hi }]));
        const report = await verify(certify(oracle.game, claims), expected, { threads: 2 });
        expect(report).toMatchObject({
          claims: claims.length,
          checked: claims.length,
          bySteps: sides(claims),
          bySearch: 0,
          expanded: sides(claims),
          deepestLayer: Math.max(...claims.map(({ board }) => tileSum(oracle.boardOf(board)))),
          failures: [],
          failed: 0,
          nothingWrong: true,
          complete: true,
          sampled: false,
        });
        expect(report.starts.map(({ board }) => board)).toEqual(starts(oracle.game.shape));
        for (const { board, value, lo, hi, follows, why } of report.starts) {
          const h = oracle.position(board);
          expect({ value, lo, hi, follows, why }).toEqual({
            value: h,
            lo: h,
            hi: h,
            follows: true,
          });
        }
      }
    }
  });

  it("has more than one proof needs, and a proof needs fewer with searches", async () => {
    let before = WIDE.positions.size;
    for (const effort of [0, 5, 50]) {
      const claims = WIDE.lean(effort);
      expect(claims.length).toBeLessThan(before);
      before = claims.length;
      const report = await verify(certify(WIDE.game, claims, effort), undefined, ONE);
      expect(report.complete).toBe(true);
      expect(report.bySteps + report.bySearch).toBe(sides(claims));
      expect(report.bySearch > 0).toBe(effort > 0);
      expect(report.expanded > sides(claims)).toBe(effort > 0);
      if (effort === 5) {
        const strict = await verify(certify(WIDE.game, claims, 0), undefined, ONE);
        expect(strict.complete).toBe(false);
        expect(strict.failed).toBe(report.bySearch);
        expect(strict.bySteps).toBe(report.bySteps);
      }
    }
  });
});

describe("a check", () => {
  it("reports the same with any number of threads, however much is wrong", async () => {
    const claims = WIDE.full().map((claim, i) =>
      i % 7 === 0 ? { ...claim, lo: claim.lo + 4 } : claim,
    );
    const certificate = certify(WIDE.game, claims, 3);
    const one = await verify(certificate, undefined, ONE);
    const three = await verify(certificate, undefined, { threads: 3 });
    expect(repeatable(three)).toEqual(repeatable(one));
    expect(one.failures).toHaveLength(20);
    expect(one.failed).toBeGreaterThan(1000);
    const keys = one.failures.map(({ board }) => [tileSum(board), packBoard(board)] as const);
    expect(keys).toEqual(keys.toSorted(([a, x], [b, y]) => a - b || (x < y ? -1 : 1)));
  });

  it("of a sample checks that many claims and those of the starts, chosen by the seed", async () => {
    const certificate = certify(WIDE.game, WIDE.lean(), 0);
    const first = await verify(certificate, undefined, { ...ONE, sample: 50, seed: 1 });
    const again = await verify(certificate, undefined, { ...ONE, sample: 50, seed: 1 });
    const other = await verify(certificate, undefined, { ...ONE, sample: 50, seed: 2 });
    expect(repeatable(again)).toEqual(repeatable(first));
    expect(repeatable(other)).not.toEqual(repeatable(first));
    expect(first.checked).toBeGreaterThanOrEqual(50);
    expect(first.checked).toBeLessThanOrEqual(70);
    expect(first).toMatchObject({ sampled: true, nothingWrong: true, complete: false });
    const none = await verify(certificate, undefined, { ...ONE, sample: 0 });
    expect(none).toMatchObject({ checked: 20, sampled: true });
    const all = await verify(certificate, undefined, { ...ONE, sample: certificate.claims.size });
    expect(all).toMatchObject({ sampled: false, complete: true });
  });

  it("finds a false claim in the expected part of samples", async () => {
    const small = new ClaimOracle(gameOf("2x2", [2]));
    const claims = small.full();
    const wrong = claims.findIndex(({ board }) => tileSum(small.boardOf(board)) > 20);
    const { board, lo, hi } = claims[wrong] as Claim;
    const certificate = certify(small.game, claims.with(wrong, { board, lo: lo + 4, hi }));
    const sample = claims.length / 2;
    let found = 0;
    for (let seed = 0; seed < 200; seed++) {
      const report = await verify(certificate, undefined, { ...ONE, sample, seed });
      expect(report.nothingWrong).toBe(report.failed === 0);
      found += report.failed;
    }
    // Half of 200, within five standard deviations.
    expect(found).toBeGreaterThan(65);
    expect(found).toBeLessThan(135);
  });

  it("reports for each start whether its value is there, and as expected", async () => {
    const small = new ClaimOracle(gameOf("2x2"));
    const [none, open, only, other, unsure, fine] = starts(small.game.shape).map(packBoard);
    const claims = small.full().flatMap((claim): Claim[] => {
      if (claim.board === none) return [];
      if (claim.board === open) return [{ ...claim, hi: claim.hi + 4 }];
      if (claim.board === only) return [{ ...claim, hi: Number.POSITIVE_INFINITY }];
      return [claim];
    });
    const expected = new Map([
      [other as PackedBoard, { lo: 4, hi: 4 }],
      [unsure as PackedBoard, { lo: 0, hi: 40 }],
    ]);
    const report = await verify(certify(small.game, claims), expected, ONE);
    const said = new Map(report.starts.map(({ board, ...said }) => [packBoard(board), said]));
    expect(said.get(none as PackedBoard)?.why).toMatch(/missing.*nothing/);
    expect(said.get(open as PackedBoard)?.why).toMatch(/missing.*h ≥ 12 and h ≤ 16/);
    expect(said.get(only as PackedBoard)?.why).toMatch(/upper claim is missing.*h ≥ 8/);
    expect(said.get(other as PackedBoard)).toMatchObject({ value: 8, follows: false });
    expect(said.get(other as PackedBoard)?.why).toMatch(/8; expected 4/);
    expect(said.get(unsure as PackedBoard)).toEqual({ lo: 8, hi: 8, value: 8, follows: true });
    expect(said.get(fine as PackedBoard)).toEqual({ lo: 8, hi: 8, value: 8, follows: true });
    expect(report).toMatchObject({ failed: 0, nothingWrong: false, complete: false });
  });

  it("of an empty certificate finds no fault but that all starts are missing", async () => {
    const report = await verify(certify(WIDE.game, []), undefined, ONE);
    expect(report).toMatchObject({ claims: 0, checked: 0, failed: 0, complete: false });
    expect(report.starts.every(({ value, lo, hi }) => value === null && lo === 0 && hi > 1e9)).toBe(
      true,
    );
  });

  it("rejects boards that are not of the shape, and claims that claim nothing", async () => {
    const cases: [string, Claim, RegExp][] = [
      ["2x2", { board: packedFromBits(0x1_0000n), lo: 4, hi: 4 }, /0x10000 is not a board of 2x2/],
      ["4x4", { board: packedFromBits(2n ** 64n - 1n), lo: 4, hi: 4 }, /sum to 524288/],
      ["2x2", { board: packedFromBits(0x6n), lo: 4, hi: 4 }, /tile of 64 is too large/],
      ["2x2", { board: packedFromBits(0x5555n), lo: 4, hi: 4 }, /sum to 128/],
      ["2x2", { board: packedFromBits(0x1000n), lo: 4, hi: 4 }, /not the canonical form.*2 0\/0 0/],
      [
        "2x2",
        { board: packedFromBits(0x11n), lo: 0, hi: Number.POSITIVE_INFINITY },
        /nothing is claimed/,
      ],
    ];
    for (const [shape, claim, why] of cases) {
      const report = await verify(certify(gameOf(shape), [claim], 100), undefined, ONE);
      expect(report).toMatchObject({ failed: 1, expanded: 0, complete: false });
      expect(report.failures[0]).toMatchObject({ kind: "malformed", side: "board", value: null });
      expect(report.failures[0]?.text).toMatch(why);
    }
  });

  it("rejects a claim that contradicts itself, even if both sides follow from others", async () => {
    const game = gameOf("1x2");
    // 0 2 slides to 2 0, and 2 or 4 make 2 2 or 2 4: a false claim of each makes both sides follow.
    const claims = [
      { board: packed("2 0"), lo: 8, hi: 0 },
      { board: packed("2 2"), lo: 8, hi: 0 },
      { board: packed("2 4"), lo: 8, hi: 0 },
    ].sort((a, b) => (a.board < b.board ? -1 : 1));
    const report = await verify(certify(game, claims), undefined, ONE);
    const [first, ...rest] = report.failures;
    expect(first).toMatchObject({ side: "board", kind: "malformed", value: null });
    expect(first?.text).toBe("  2  ·\nh ≥ 8 and h ≤ 0 are both claimed, which cannot be");
    expect(rest.map(({ board, side }) => [formatBoard(board), side])).toEqual([
      ["2 2/", "lower"],
      ["2 2/", "upper"],
      ["4 2/", "lower"],
    ]);
  });

  it("accepts values that are not multiples of 4, if they follow", async () => {
    const claims = [{ board: packed("2 2"), lo: 3, hi: 5 }];
    claims.push({ board: packed("2 4"), lo: 0, hi: 1 });
    const report = await verify(
      certify(
        gameOf("1x2"),
        claims.sort((a, b) => (a.board < b.board ? -1 : 1)),
      ),
      undefined,
      ONE,
    );
    expect(report.failed).toBe(0);
  });

  it("reports its progress", async () => {
    const told: Progress[] = [];
    const certificate = certify(WIDE.game, WIDE.full());
    const report = await verify(certificate, undefined, {
      threads: 2,
      onProgress: (progress) => told.push(progress),
    });
    const { checked, expanded } = report;
    expect(told.at(-1)).toEqual({ checked, total: certificate.claims.size, expanded });
    expect(told.map((progress) => progress.checked)).toEqual(
      told.map((progress) => progress.checked).toSorted((a, b) => a - b),
    );
  });

  it("rejects with the signal's reason if it is aborted, with threads and without", async () => {
    const reason = new Error("enough");
    // Nothing follows, so every claim is searched in vain: seconds of work in this thread, more in
    // others.
    const false2x3 = WIDE.full().map((claim) => ({ ...claim, lo: claim.lo + 1, hi: claim.lo }));
    for (const [count, effort] of [
      [1500, 1000],
      [15_000, 10_000],
    ] as const) {
      const certificate = certify(WIDE.game, false2x3.slice(0, count), effort);
      const controller = new AbortController();
      const { signal } = controller;
      let latest: Progress | undefined;
      const options = {
        threads: 2,
        signal,
        onProgress: (progress: Progress) => {
          latest = progress;
          controller.abort(reason);
        },
      };
      await expect(verify(certificate, undefined, options)).rejects.toBe(reason);
      expect(latest?.checked).toBeLessThan(count);
      await expect(verify(certificate, undefined, options)).rejects.toBe(reason);
    }
  });

  it("fails if one of its threads dies, or its options make no sense", async () => {
    class NotAnArray {
      map() {
        return [1]; // the copy of an object that a thread gets has no methods
      }
    }
    const game = { ...WIDE.game, tiles: new NotAnArray() as never };
    const certificate = certify(game, WIDE.full());
    await expect(verify(certificate, undefined, { threads: 2 })).rejects.toThrow(
      /a thread.*failed/,
    );
    for (const options of [{ threads: 0 }, { threads: 1.5 }, { threads: 1, sample: -1 }]) {
      await expect(verify(certificate, undefined, options)).rejects.toThrow(RangeError);
    }
  });
});
