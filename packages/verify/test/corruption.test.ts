import { join } from "node:path";
import { type Board, canonical, exponentOf, packBoard, sameBoard } from "@gridlock/game";
import { gridlock, TemporaryFolder } from "@gridlock/testbed";
import { CertificateFile, type Claim, LEAST_MEMORY, verifyCertificate } from "@gridlock/verify";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Report } from "../src/verify.js";
import { ClaimOracle, certify, gameOf } from "./certificates.js";

/** A valid certificate. */
interface Original {
  readonly oracle: ClaimOracle;
  readonly claims: readonly Claim[];
}

const SMALL = new ClaimOracle(gameOf("2x2", [2]));
const LINE = new ClaimOracle(gameOf("1x4"));
const WIDE = new ClaimOracle(gameOf("2x3"));

/** Certificates of all values, and of one proof only. */
const SMALL_ONES: readonly Original[] = [
  { oracle: SMALL, claims: SMALL.full() },
  { oracle: SMALL, claims: SMALL.lean() },
];
const LINES: readonly Original[] = [{ oracle: LINE, claims: LINE.lean() }];
const WIDE_ONES: readonly Original[] = [
  { oracle: WIDE, claims: WIDE.lean() },
  { oracle: WIDE, claims: await provenClaims("2x3") },
];

/** Returns the claims that `gridlock prove` makes. */
async function provenClaims(shape: string): Promise<readonly Claim[]> {
  using folder = new TemporaryFolder();
  for (const command of ["solve", "prove"]) {
    const { code, stderr } = await gridlock(folder.path, [command, shape]);
    expect(code, stderr).toBe(0);
  }
  using certificate = CertificateFile.open(
    join(folder.path, `results/gridlock.${shape}.certificate`),
  );
  return [...certificate.all()];
}

/** Corrupts certificates in many ways, one at a time, and passes each check's report to `judge`. */
async function corrupt<T>(
  ways: (original: Original) => fc.Arbitrary<T>,
  apply: (original: Original, way: T) => Claim[],
  judge: (report: Report, original: Original, way: T, corrupted: readonly Claim[]) => void,
  repeat: { readonly seed?: number } = {},
): Promise<void> {
  for (const [originals, numRuns] of [
    [SMALL_ONES, 75],
    [LINES, 20],
    [WIDE_ONES, 3],
  ] as const) {
    for (const original of originals) {
      await fc.assert(
        fc.asyncProperty(ways(original), async (way) => {
          const corrupted = apply(original, way);
          const certificate = await certify(original.oracle.game, corrupted);
          const report = await verifyCertificate(certificate, undefined, {
            threads: 1,
            memory: LEAST_MEMORY,
          });
          judge(report, original, way, corrupted);
        }),
        { numRuns, ...repeat },
      );
    }
  }
}

const points = fc.integer({ min: 1, max: 8 }).map((by) => 4 * by);

/** Generates the index of a claim and a number of points. */
function claimAndPoints({ claims }: Original) {
  return fc.record({ index: fc.nat(claims.length - 1), by: points });
}

/** Expects one side of a claim to be reported as unfounded, and nothing else to be wrong. */
function expectUnfounded(report: Report, { oracle }: Original, claim: Claim, side: "lo" | "hi") {
  expect(report.complete).toBe(false);
  expect(report.failed).toBe(1);
  expect(report.failures[0]).toMatchObject({
    board: oracle.boardOf(claim.board),
    side: side === "lo" ? "lower" : "upper",
    value: claim[side],
    kind: "unfounded",
  });
}

/**
 * Expects true claims alone to fail, for want of others, except those about one board; a report
 * says of each start that does not follow why, and is complete if all is in order.
 */
function expectLacking(report: Report, { oracle }: Original, except?: Board): void {
  for (const { board, side, value, text } of report.failures) {
    if (except !== undefined && sameBoard(board, except)) continue;
    const { lo, hi } = side === "lower" ? { lo: value, hi: null } : { lo: null, hi: value };
    const h = oracle.position(board);
    expect(side !== "board" && (lo ?? 0) <= h && h <= (hi ?? h), text).toBe(true);
  }
  for (const { follows, why } of report.starts) {
    if (!follows) expect(why).toMatch(/missing|does not follow/);
  }
  const wrong = report.failed > 0 || report.starts.some(({ follows }) => !follows);
  expect(report.complete).toBe(!wrong);
}

describe("a certificate with a falsified claim", () => {
  it("fails at that claim and nowhere else if a lower claim is above the value", async () => {
    await corrupt(
      claimAndPoints,
      ({ oracle, claims }, { index, by }) => {
        const claim = claims[index] as Claim;
        return claims.with(index, {
          ...claim,
          lo: oracle.position(oracle.boardOf(claim.board)) + by,
        });
      },
      (report, original, { index }, corrupted) =>
        expectUnfounded(report, original, corrupted[index] as Claim, "lo"),
    );
  });

  it("fails at that claim and nowhere else if an upper claim is below the value", async () => {
    await corrupt(
      ({ oracle, claims }) => {
        const some = claims
          .map(({ board }, index) => ({ index, h: oracle.position(oracle.boardOf(board)) }))
          .filter(({ h }) => h > 0);
        return fc.record({ claim: fc.constantFrom(...some), by: points });
      },
      ({ claims }, { claim: { index, h }, by }) =>
        claims.with(index, { ...(claims[index] as Claim), hi: Math.max(0, h - by) }),
      (report, original, { claim: { index } }, corrupted) =>
        expectUnfounded(report, original, corrupted[index] as Claim, "hi"),
    );
  });

  it("about another board fails there unless it is true, and lacks the original claim", async () => {
    const moved = ({ oracle, claims }: Original, way: Way) => {
      const claim = claims[way.index] as Claim;
      const board = changed(oracle.boardOf(claim.board), way.cell, way.exponent);
      return { board, claim: { ...claim, board: packBoard(board) } };
    };
    type Way = { index: number; cell: number; exponent: number };
    await corrupt<Way>(
      ({ claims }) =>
        fc.record({ index: fc.nat(claims.length - 1), cell: fc.nat(5), exponent: fc.nat(5) }),
      (original, way) => {
        const { claim } = moved(original, way);
        const others = original.claims.toSpliced(way.index, 1);
        // If the other board already has a claim, the original one is only removed.
        const taken = others.some(({ board }) => board === claim.board);
        return taken ? others : [...others, claim];
      },
      (report, original, way, corrupted) => {
        const { board, claim } = moved(original, way);
        expectLacking(report, original, board);
        if (corrupted.length < original.claims.length || original.oracle.isTrue(claim)) return;
        expect(report.complete).toBe(false);
        const kinds = report.failures
          .filter((failure) => sameBoard(failure.board, board))
          .map(({ kind }) => kind);
        if (report.failed <= 20) expect(kinds.join()).toMatch(/unfounded|malformed/);
      },
    );
  });
});

/** Returns a board with another tile, or no tile, in one cell. */
function changed(board: Board, cell: number, exponent: number): Board {
  const at = cell % board.cells.length;
  const other = exponent === exponentOf(board.cells[at] as number) ? exponent + 1 : exponent;
  return canonical({ ...board, cells: board.cells.with(at, other === 0 ? 0 : 2 ** other) });
}

describe("a certificate without some of its claims", () => {
  it("still follows, or lacks them: only claims fail that rested on those", async () => {
    const outcomes = { harmless: 0, missed: 0 };
    await corrupt(
      ({ claims }) => fc.uniqueArray(fc.nat(claims.length - 1), { minLength: 1, maxLength: 5 }),
      ({ claims }, gone) => claims.filter((_, index) => !gone.includes(index)),
      (report, original) => {
        expectLacking(report, original);
        outcomes[report.complete ? "harmless" : "missed"]++;
      },
      { seed: 1 }, // with which both occur
    );
    expect(outcomes.harmless).toBeGreaterThan(0);
    expect(outcomes.missed).toBeGreaterThan(0);
  });

  it("or with weaker claims still follows, or lacks them", async () => {
    await corrupt(
      claimAndPoints,
      ({ claims }, { index, by }) => {
        const claim = claims[index] as Claim;
        const weaker = { ...claim, lo: Math.max(0, claim.lo - by), hi: claim.hi + by };
        const saysNothing = weaker.lo === 0 && weaker.hi === Number.POSITIVE_INFINITY;
        return saysNothing ? claims.toSpliced(index, 1) : claims.with(index, weaker);
      },
      (report, original) => expectLacking(report, original),
    );
  });
});
