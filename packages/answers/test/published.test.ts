import { formatBoard, formatShape, starts } from "@gridlock/game";
import { publishedGames } from "@gridlock/published";
import { Database } from "@gridlock/store";
import { describe, expect, it } from "vitest";
import { answerAsJson, Library } from "../src/index.js";
import { begunFile, freshFile, openLibrary, query } from "./setup.js";

describe("published values", () => {
  it("answer every start of a published game that the database does not know", () => {
    const library = openLibrary(freshFile(), { published: true, tableBytes: () => undefined });
    let checked = 0;
    for (const { tiles, starts } of publishedGames()) {
      for (const { board, lo, hi } of starts) {
        const worth = library.worth({ board, turn: "slider", tiles, budget: 5 });
        expect(worth.bound).toEqual({ lo, hi });
        if (lo === hi) expect(worth).toMatchObject({ source: "published" });
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(600);
  });

  it("name their proof, and bound the moves", () => {
    const library = openLibrary(freshFile(), { published: true, tableBytes: () => undefined });
    const answer = answerAsJson(library.answer(query("2 2 0 0/0 0 0 0/0 0 0 0")));
    expect(answer).toMatchObject({
      value: 548,
      source: "published",
      published: {
        source: "results/3x4.json",
        confirmations: [{ kind: "certificate" }, { kind: "second-search" }],
      },
    });
    for (const { score, hi } of answer.moves) expect(score + hi).toBe(548);
  });

  it("shorten the search, which would not find as much within the whole budget", () => {
    const library = openLibrary(freshFile(), { published: true });
    for (const [board, lo] of [
      ["2 2 0 0/0 0 0 0/0 0 0 0", 548],
      ["2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0", 488],
    ] as const) {
      expect(library.answer({ ...query(board), budget: 3600 }).bound.lo).toBe(lo);
    }
  });

  it("are not used where the database knows the value, and never saved", () => {
    const db = begunFile("2x3");
    const asked = query("2 2 0/0 0 0");
    {
      using library = new Library({ db, tableBytes: () => undefined, warn: fail });
      expect(library.answer(asked)).toMatchObject({ source: "published" });
    }
    const plain = openLibrary(db, { tableBytes: () => undefined });
    expect(plain.worth(asked).bound.lo).toBeLessThan(44);
    const searching = openLibrary(db);
    expect(searching.worth(asked).bound).toEqual({ lo: 44, hi: 44 });
    searching.save();
    const library = openLibrary(db, { published: true });
    expect(library.worth(asked)).toMatchObject({ source: "database", bound: { lo: 44, hi: 44 } });
  });

  it("that contradict the database are reported and not used", () => {
    const db = begunFile("2x3");
    const asked = query("2 2 0/0 0 0");
    const library = openLibrary(db);
    library.worth(asked);
    library.save();
    const game = { shape: { rows: 2, cols: 3 }, tiles: asked.tiles };
    const false36 = freshFile();
    {
      using whole = Database.open(db, { readOnly: true });
      using database = Database.open(false36);
      for (const entry of whole.bounds(game).all()) {
        if (entry.lo !== 44 || entry.hi !== 44) continue;
        database.bounds(game).merge([{ ...entry, lo: 36, hi: 36 }]);
      }
    }
    const warnings: string[] = [];
    const warn = (sentence: string) => warnings.push(sentence);
    const reading = openLibrary(false36, { published: true, tableBytes: () => undefined, warn });
    expect(reading.worth(asked)).toMatchObject({ source: "database", bound: { lo: 36, hi: 36 } });
    expect(warnings).toEqual([expect.stringMatching(/^results\/2x3\.json .* contradicts .* 36 /)]);
  });

  it("leave a bound of the literature apart", () => {
    const library = openLibrary(freshFile(), { published: true, tableBytes: () => undefined });
    const [start] = starts({ rows: 4, cols: 4 });
    if (start === undefined) throw new Error("4x4 has no start");
    expect(formatShape(start)).toBe("4x4");
    const worth = library.worth(query(formatBoard(start)));
    expect(worth).toMatchObject({
      bound: { lo: 488 },
      literature: { bound: 1536, checked: false },
    });
    const without = openLibrary(freshFile(), { tableBytes: () => undefined });
    expect(without.worth(query(formatBoard(start)))).not.toHaveProperty("literature");
  });
});

function fail(sentence: string): void {
  throw new Error(sentence);
}
