import { emptyCells, place, slides } from "@gridlock/game";
import { type Place, Tabulation, tabulate, valuesOfNode } from "@gridlock/tablebase";
import { describe, expect, it } from "vitest";
import { files, game, opened, options, places } from "./setup.js";

describe("a tabulation", () => {
  it.each([
    ["2x2", [2, 4]],
    ["2x3", [2, 4]],
    ["2x3", [2]],
  ] as const)("of %s, tiles %j, finds the position after each placement", async (shape, tiles) => {
    const of = game(shape, tiles);
    const fileOf = files(of);
    await tabulate(of, undefined, options(fileOf));
    const tabulation = opened(of, ["minimax", "expected"], fileOf);
    let found = 0;
    let missed = 0;
    for (const each of places(tabulation)) {
      for (const { board: after } of slides(tabulation.board(each))) {
        for (const cell of emptyCells(after)) {
          for (const tile of tiles) {
            const there = tabulation.entryAfter(after, cell, tile);
            const naive = tabulation.entryOf(place(after, cell, tile).board);
            if (there >= 0 && there === naive) found++;
            else missed++;
          }
        }
      }
    }
    expect(missed).toBe(0);
    expect(found).toBeGreaterThan(100);
  });

  it("gives the same values whatever part of it the cache has room for", async () => {
    const of = game("2x3", [2, 4]);
    const fileOf = files(of);
    await tabulate(of, undefined, options(fileOf));
    const columns = ["minimax", "expected"] as const;
    const whole = opened(of, [...columns], fileOf);
    using least = Tabulation.open(of, columns, fileOf, 0);
    using small = Tabulation.open(of, columns, fileOf, 100_000);
    const step = 997; // coprime to the number of positions
    const all = [...places(whole)];
    for (let i = 0, at = 0; i < all.length / 16; i++, at = (at + step) % all.length) {
      const each = all[at] as Place;
      const board = whole.board(each);
      const after = { board: slides(board)[0]?.board ?? board, turn: "slider" } as const;
      for (const other of [least, small]) {
        expect(other.board(each)).toEqual(board);
        expect(other.find(board)).toEqual(whole.find(board));
        expect(valuesOfNode(other, columns, { board, turn: "slider" })).toEqual([
          whole.value("minimax", each),
          whole.value("expected", each),
        ]);
        expect(valuesOfNode(other, columns, after)).toEqual(valuesOfNode(whole, columns, after));
      }
    }
  });
});
