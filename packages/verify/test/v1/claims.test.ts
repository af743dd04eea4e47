import { type PackedBoard, packedFromBits } from "@gridlock/game";
import { type Claim, ClaimTable } from "@gridlock/verify";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ascending } from "./claim-oracle.js";

const anyBoard = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(packedFromBits);

const anyClaims = fc
  .uniqueArray(
    fc.record({
      board: anyBoard,
      lo: fc.nat(2 ** 32 - 1),
      hi: fc.oneof(fc.nat(2 ** 32 - 2), fc.constant(Number.POSITIVE_INFINITY)),
    }),
    { selector: ({ board }) => board },
  )
  .map(ascending);

describe("a table of claims", () => {
  it("returns them, and finds each board and no other", () => {
    fc.assert(
      fc.property(anyClaims, anyBoard, (claims, other) => {
        const table = ClaimTable.from(claims, claims.length);
        expect(table.size).toBe(claims.length);
        claims.forEach((claim, i) => {
          expect(table.at(i)).toEqual(claim);
          expect(table.find(claim.board)).toBe(i);
        });
        expect(table.find(other)).toBe(claims.findIndex(({ board }) => board === other));
      }),
    );
  });

  const claim = (board: bigint, lo = 4, hi = 8) => ({ board: board as PackedBoard, lo, hi });

  it("rejects claims out of order, two for one board, and a wrong number of them", () => {
    const refused: [Claim[], number, string][] = [
      [[claim(2n), claim(1n)], 2, "disorder"],
      [[claim(1n), claim(1n, 0, 0)], 2, "disorder"],
      [[claim(1n), claim(2n)], 1, "wrong-length"],
      [[claim(1n), claim(2n)], 3, "wrong-length"],
    ];
    for (const [claims, count, code] of refused) {
      expect(() => ClaimTable.from(claims, count)).toThrow(expect.objectContaining({ code }));
    }
  });

  it("rejects values that a record cannot hold", () => {
    for (const bad of [
      claim(2n ** 64n),
      claim(-1n),
      claim(1n, -4),
      claim(1n, 0.5),
      claim(1n, 2 ** 32),
      claim(1n, 0, 2 ** 32 - 1),
      claim(1n, 0, Number.NaN),
    ]) {
      expect(() => ClaimTable.from([bad], 1)).toThrow(
        expect.objectContaining({ code: "bad-value" }),
      );
    }
  });
});
