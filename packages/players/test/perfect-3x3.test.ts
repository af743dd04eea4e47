import { type Board, formatBoard, starts } from "@gridlock/game";
import { findLowScore, HeldSearch } from "@gridlock/players";
import type { Place } from "@gridlock/tablebase";
import { describe, expect, it } from "vitest";
import { makePlayer } from "./made.js";
import { gameOf } from "./plain.js";
import { tabulated, tabulationOf } from "./tabulated.js";

const game = gameOf("3x3");

/** Tabulating 3×3 takes some 40 seconds of one processor. */
const PATIENCE_MS = 10 * 60_000;

/** The published values of 3×3: 184 from two 2s, 164 from two 4s, else 180. */
function publishedValue(start: Board): number {
  const fours = start.cells.filter((tile) => tile === 4).length;
  return fours === 0 ? 184 : fours === 1 ? 180 : 164;
}

describe("on 3x3", () => {
  it(
    "the perfect slider is held to exactly the value of each start",
    async () => {
      const db = await tabulated(["3x3"]);
      using tabulation = tabulationOf(game, db);
      const player = await makePlayer("perfect", { shape: game.shape, db });
      const search = new HeldSearch(player, game, { seconds: 600, positions: 3e6 });
      for (const start of starts(game.shape)) {
        const value = tabulation.value("minimax", tabulation.find(start) as Place);
        const { heldTo, heldToWorstTie } = await search.from(start);
        expect(heldToWorstTie, formatBoard(start)).toEqual({ lo: value, hi: value });
        expect(heldTo.lo).toBe(value);
        expect(value).toBe(publishedValue(start));
      }
    },
    PATIENCE_MS,
  );

  it.each(["emr", "greedy", "gradient:1", "zaky-minimax:2", "zaky-expectimax:1", "random"])(
    "%s is held to less",
    async (name) => {
      const player = await makePlayer(name, { shape: game.shape });
      const { score } = await findLowScore(player, game, { widths: [30, 300] });
      expect(score).toBeLessThan(164);
    },
  );
});
