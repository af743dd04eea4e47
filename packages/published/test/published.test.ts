import { readdirSync, readFileSync } from "node:fs";
import {
  applySymmetry,
  type Board,
  boundByRules,
  fewestPoints,
  formatBoard,
  formatShape,
  formatTiles,
  parseBoard,
  parseShape,
  parseTiles,
  SYMMETRIES,
  starts,
  type Tiles,
} from "@gridlock/game";
import {
  literatureBound,
  type PublishedGame,
  publishedBound,
  publishedGames,
} from "@gridlock/published";
import { Oracle } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

const ROOT = new URL("../../../", import.meta.url);
const BOTH: Tiles = [2, 4];

function read(file: string): string {
  return readFileSync(new URL(file, ROOT), "utf8");
}

/** Lists the files in a folder of results with the starts of a game. */
function filesIn(folder: string): string[] {
  return readdirSync(new URL(folder, ROOT))
    .filter((name) => /^\d.*\.json$/.test(name))
    .map((name) => `${folder}/${name}`);
}

function nameOf({ shape, tiles }: PublishedGame): string {
  return `${formatShape(shape)} with ${formatTiles(tiles)}`;
}

function slider(board: Board) {
  return { board, turn: "slider" } as const;
}

function game(shape: string, tiles = "2,4"): PublishedGame {
  const found = publishedGames().find((one) => nameOf(one) === `${shape} with ${tiles}`);
  if (found === undefined) throw new Error(`${shape} with ${tiles} is not published`);
  return found;
}

describe("the published values", () => {
  it.each([...filesIn("results"), ...filesIn("results/positions")].map((file) => [file]))(
    "are those of %s",
    (file) => {
      const { shape, tiles, madeBy, starts: rows } = JSON.parse(read(file));
      const found = game(shape, formatTiles(tiles));
      const { provenance } = found;
      expect(found.starts).toHaveLength(rows.length);
      for (const [i, { board, value, lo = value, hi = value }] of rows.entries()) {
        expect({ ...found.starts[i], board }).toEqual({ board, lo, hi });
        expect(value).toBe(lo === hi ? lo : null);
        expect(formatBoard(found.starts[i]?.board as Board)).toBe(board);
      }
      const commands = [provenance, ...provenance.confirmations].map((one) =>
        "madeBy" in one ? one.madeBy : one.command,
      );
      expect(commands).toContain(madeBy);
    },
  );

  it.each(publishedGames().map((one) => [nameOf(one), one] as const))(
    "of %s are those of all starts, in their order",
    (_, { shape, starts: found }) => {
      expect(found.map(({ board }) => board)).toEqual(starts(shape));
    },
  );

  it.each(publishedGames().map((one) => [nameOf(one), one] as const))(
    "of %s contradict neither the rules nor each other",
    (_, { starts: found }) => {
      for (const { board, lo, hi } of found) {
        expect(lo).toBeLessThanOrEqual(hi);
        const byRules = boundByRules(slider(board)).hi;
        if (lo < hi) expect(hi).toBe(byRules);
        else expect(hi).toBeLessThanOrEqual(byRules);
      }
    },
  );

  it.each([
    ["2x2", "2,4"],
    ["2x3", "2,4"],
    ["2x3", "2"],
  ])("of %s with %s are those of plain minimax", (shape, tiles) => {
    const oracle = new Oracle({ shape: parseShape(shape), tiles: parseTiles(tiles) });
    for (const { board, lo, hi } of game(shape, tiles).starts) {
      const value = oracle.position(board);
      expect({ lo, hi }, formatBoard(board)).toEqual({ lo: value, hi: value });
    }
  });
});

describe("the provenance", () => {
  it("names files that exist, and what they record", () => {
    for (const { provenance } of publishedGames()) {
      for (const { source } of [provenance, ...provenance.confirmations]) {
        expect(read(source).length).toBeGreaterThan(0);
      }
    }
  });

  it("has the confirmations of certificates.json, confirmations.md and the tabulations", () => {
    const kinds = Object.fromEntries(
      publishedGames().map((one) => [
        nameOf(one),
        one.provenance.confirmations.map(({ kind }) => kind).join(", "),
      ]),
    );
    expect(kinds).toMatchObject({
      "2x2 with 2,4": "certificate, second-search",
      "2x3 with 2": "certificate",
      "2x5 with 2,4": "certificate, second-search, tabulation",
      "2x5 with 2": "",
      "2x7 with 2,4": "certificate",
      "3x4 with 2,4": "certificate, second-search",
      "4x4 with 2,4": "",
    });
    const [certificate, search] = game("2x2").provenance.confirmations;
    const { certificates } = JSON.parse(read("results/certificates.json"));
    expect(certificate?.says).toContain(`a certificate of ${certificates[0].claims} claims`);
    expect(read("results/confirmations.md")).toMatch(
      new RegExp(`^\\| 2x2 .* ${search?.date} \\|$`, "m"),
    );
    expect(game("2x6").provenance.confirmations.at(-1)?.command).toContain("--memory 2G");
  });
});

describe("looking a board up", () => {
  it.each(publishedGames().map((one) => [nameOf(one), one] as const))(
    "finds every image of every start of %s, of the transposed shape too",
    (_, { tiles, starts: published, provenance }) => {
      for (const start of published) {
        for (const symmetry of SYMMETRIES) {
          const image = applySymmetry(start.board, symmetry);
          expect(publishedBound(slider(image), tiles)).toEqual({ ...start, provenance });
        }
      }
    },
  );

  it("tells the tile sets apart", () => {
    const node = parseBoard("2 2 0/0 0 0");
    expect(publishedBound(node, [2, 4])).toMatchObject({ lo: 44, hi: 44 });
    expect(publishedBound(node, [2])).toMatchObject({ lo: 516, hi: 516 });
    const turned = parseBoard("0 0/0 2/0 2");
    expect(publishedBound(turned, [2])).toMatchObject({ lo: 516, hi: 516 });
  });

  it.each([
    ["an empty board", "0 0/0 0"],
    ["a single tile", "2 0/0 0"],
    ["three tiles", "2 2/2 0"],
    ["two tiles, one of them an 8", "8 2/0 0"],
    ["an afterstate with two tiles", "2 2/0 0 placer"],
    ["a shape that is not published", "2 2 0 0/"],
    ["a tile too large to pack", "65536 2/0 0"],
  ])("finds nothing for %s", (_, text) => {
    // The notation refuses a tile of 65536.
    const node = text.startsWith("65536")
      ? slider({ rows: 2, cols: 2, cells: [65536, 2, 0, 0] })
      : parseBoard(text);
    expect(publishedBound(node, BOTH)).toBeUndefined();
    expect(literatureBound(node, BOTH)).toBeUndefined();
  });

  it("finds nothing for a game that is not published", () => {
    expect(publishedBound(parseBoard("2 2/0 0"), [2])).toBeUndefined();
  });
});

describe("the literature's bound", () => {
  it("holds for every image of every start of 4x4, and is in no published bound", () => {
    for (const { board, lo } of game("4x4").starts) {
      for (const symmetry of SYMMETRIES) {
        const image = slider(applySymmetry(board, symmetry));
        expect(literatureBound(image, BOTH)).toMatchObject({ bound: 1536, checked: false });
      }
      expect(lo).toBeLessThan(1536);
    }
  });

  it("is not known with 2s only, or on other shapes", () => {
    expect(literatureBound(slider(starts(parseShape("4x4"))[0] as Board), [2])).toBeUndefined();
    for (const one of publishedGames().filter(({ shape }) => formatShape(shape) !== "4x4")) {
      for (const { board } of one.starts) {
        expect(literatureBound(slider(board), one.tiles)).toBeUndefined();
      }
    }
  });

  it("is the fewest points with which a tile of 256 is made", () => {
    expect(literatureBound(slider(starts(parseShape("4x4"))[0] as Board), BOTH)?.bound).toBe(
      fewestPoints(256),
    );
    expect(fewestPoints(256)).toBe(256 * (8 - 2));
  });
});
