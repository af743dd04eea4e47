import { type PackedBoard, parseBoard, type Tiles } from "@gridlock/game";
import { searchFor } from "@gridlock/verify";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ClaimOracle, gameOf } from "./claim-oracle.js";
import { PrintedSearch } from "./plain-check.js";

const board = (text: string) => parseBoard(text).board;

describe("the search", () => {
  it("expands the positions worked out by hand", () => {
    const lower: [string, Tiles, number, number, boolean, number][] = [
      // There is nothing to show in the first, and nothing may be expanded in the second.
      ["2 2", [2, 4], 0, 0, true, 0],
      ["2 2", [2, 4], 4, 0, false, 0],
      // Left earns 4 at once.
      ["2 2", [2, 4], 4, 1, true, 1],
      // Left leaves 4 2 and right leaves 2 4, both end states.
      ["2 2", [2], 8, 9, false, 3],
      ["2 2", [2, 4], 8, 9, false, 3],
      ["2 2", [2], 8, 2, false, 2],
      // Left, then 2 2.
      ["0 2", [2], 4, 2, true, 2],
      ["0 2", [2], 4, 1, false, 1],
      // Up earns nothing, and the effort allows no further expansion; left earns 4 and needs no
      // more.
      ["0 0/2 2", [2, 4], 4, 1, true, 1],
      // Up, 2@2,1 leaves 2 2/2 0, which has 4; 4@2,1 exceeds the effort; left as before.
      ["0 0/2 2", [2, 4], 4, 2, true, 2],
    ];
    for (const [text, tiles, v, effort, shown, expanded] of lower) {
      const found = searchFor("lower", board(text), tiles, v, effort);
      expect(found, `${text} ≥ ${v}, W = ${effort}`).toEqual({ shown, expanded });
    }
    const upper: [string, Tiles, number, number, boolean, number][] = [
      ["4 2", [2, 4], 0, 0, false, 0],
      ["4 2", [2, 4], 0, 1, true, 1],
      ["4 2", [2, 4], -1, 1, false, 0],
      // Each slide leaves an end state.
      ["2 2", [2, 4], 4, 3, true, 3],
      ["2 2", [2, 4], 4, 2, false, 2],
      // Left alone earns more.
      ["2 2", [2, 4], 3, 9, false, 1],
      // Left leaves 2 0: the 2 makes 2 2, which has 4, so expanding it is in vain; the 4 makes an
      // end.
      ["0 2", [2, 4], 0, 9, true, 3],
      ["0 2", [2], 0, 9, false, 2],
    ];
    for (const [text, tiles, u, effort, shown, expanded] of upper) {
      const found = searchFor("upper", board(text), tiles, u, effort);
      expect(found, `${text} ≤ ${u}, W = ${effort}`).toEqual({ shown, expanded });
    }
  });

  it("is the printed one, and shows only true claims", () => {
    for (const tiles of [[2, 4], [2]] as const) {
      const oracle = new ClaimOracle(gameOf("2x3", tiles));
      const boards = [...oracle.positions.keys()];
      fc.assert(
        fc.property(
          fc.nat(boards.length - 1),
          fc.integer({ min: -2, max: 6 }),
          fc.oneof(fc.nat(6), fc.nat(300)),
          (index, off, effort) => {
            const position = oracle.boardOf(boards[index] as PackedBoard);
            const h = oracle.position(position);
            const lower = new PrintedSearch(tiles, effort);
            const shown = lower.lower(position, h + off);
            expect(searchFor("lower", position, tiles, h + off, effort)).toEqual({
              shown,
              expanded: lower.expanded,
            });
            if (shown) expect(off).toBeLessThanOrEqual(0);
            const upper = new PrintedSearch(tiles, effort);
            const capped = upper.upper(position, h - off);
            expect(searchFor("upper", position, tiles, h - off, effort)).toEqual({
              shown: capped,
              expanded: upper.expanded,
            });
            if (capped) expect(off).toBeLessThanOrEqual(0);
            expect(Math.max(lower.expanded, upper.expanded)).toBeLessThanOrEqual(effort);
          },
        ),
        { numRuns: 500 },
      );
    }
  });

  it("shows every value of 2×2 when it may expand enough", () => {
    const oracle = new ClaimOracle(gameOf("2x2"));
    for (const [packed, h] of oracle.positions) {
      const position = oracle.boardOf(packed);
      expect(searchFor("lower", position, [2, 4], h, 1e6).shown).toBe(true);
      expect(searchFor("lower", position, [2, 4], h + 1, 1e6).shown).toBe(false);
      expect(searchFor("upper", position, [2, 4], h, 1e6).shown).toBe(true);
      expect(searchFor("upper", position, [2, 4], h - 1, 1e6).shown).toBe(false);
    }
  });
});
