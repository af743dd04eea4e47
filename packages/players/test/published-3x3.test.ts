import { formatBoard, starts } from "@gridlock/game";
import { findLowScore, HeldSearch } from "@gridlock/players";
import { likelyStarts, type Place } from "@gridlock/tablebase";
import { beforeAll, describe, expect, it } from "vitest";
import { makePlayer } from "./made.js";
import { gameOf } from "./plain.js";
import { tabulated, tabulationOf } from "./tabulated.js";

const game = gameOf("3x3");
let db: string;

// Here and nowhere else, since tabulating 3×3 takes some 40 seconds of one processor.
beforeAll(async () => {
  db = await tabulated(["3x3"]);
}, 10 * 60_000);

describe("on 3x3", () => {
  it("a tabulation has the published counts and the published score of the ordinary game", () => {
    using tabulation = tabulationOf(game, db);
    expect(tabulation.counts()).toEqual({
      positions: 48_713_519,
      terminal: 7_388_502,
      afterstates: 31_431_374,
    });
    const expected = likelyStarts(game).reduce(
      (sum, { board, chance }) =>
        sum + chance * tabulation.value("expected", tabulation.find(board) as Place),
      0,
    );
    expect(expected.toFixed(2)).toBe("5468.49");
  });

  it("the perfect slider is held to exactly the value of each start", async () => {
    using tabulation = tabulationOf(game, db);
    const player = await makePlayer("perfect", { shape: game.shape, db });
    const search = new HeldSearch(player, game, { seconds: 600, positions: 3e6 });
    for (const start of starts(game.shape)) {
      const value = tabulation.value("minimax", tabulation.find(start) as Place);
      // The published values: 184 from two 2s, 164 from two 4s, else 180.
      expect(value).toBe([184, 180, 164][start.cells.filter((tile) => tile === 4).length]);
      const { heldTo, heldToWorstTie } = await search.from(start);
      expect(heldToWorstTie, formatBoard(start)).toEqual({ lo: value, hi: value });
      expect(heldTo.lo).toBe(value);
    }
  });

  it.each(["emr", "greedy", "gradient:1", "zaky-minimax:2", "zaky-expectimax:1", "random"])(
    "%s is held to less than any start is worth",
    async (name) => {
      const player = await makePlayer(name, { shape: game.shape });
      const { score } = await findLowScore(player, game, { widths: [30, 300] });
      expect(score).toBeLessThan(164);
    },
  );
});
