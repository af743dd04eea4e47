import { type Board, emptyCells, place, slides } from "@gridlock/game";
import { Tabulation, tabulate, valuesOfNode } from "@gridlock/tablebase";
import { positionsIn } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { files, game, opened, options } from "./setup.js";

describe("a tabulation", () => {
  it.each([
    ["2x2", [2, 4]],
    ["2x3", [2, 4]],
    ["2x3", [2]],
  ] as const)("of %s, tiles %j, finds the position after each placement", async (shape, tiles) => {
    const of = game(shape, tiles);
    const { db } = files(of);
    await tabulate(of, undefined, options(db));
    const tabulation = opened(of, ["minimax", "expected"], db);
    let found = 0;
    let missed = 0;
    for (const board of positionsIn(tabulation)) {
      for (const { board: after } of slides(board)) {
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
    const { db } = files(of);
    await tabulate(of, undefined, options(db));
    const columns = ["minimax", "expected"] as const;
    const whole = opened(of, [...columns], db);
    using least = Tabulation.open(of, columns, db, 0);
    using small = Tabulation.open(of, columns, db, 100_000);
    const step = 997; // coprime to the number of positions
    const all = [...positionsIn(whole)];
    for (let i = 0, at = 0; i < all.length / 16; i++, at = (at + step) % all.length) {
      const board = all[at] as Board;
      const after = { board: slides(board)[0]?.board ?? board, turn: "slider" } as const;
      for (const other of [least, small]) {
        expect(valuesOfNode(other, columns, { board, turn: "slider" })).toEqual([
          whole.value("minimax", board),
          whole.value("expected", board),
        ]);
        expect(valuesOfNode(other, columns, after)).toEqual(valuesOfNode(whole, columns, after));
      }
    }
  });
});
