import { type SlideRule, slideCells } from "./cell-rules.js";
import { equalChoices, firstBest, orderOf } from "./choices.js";
import { Expectimax } from "./expectimax.js";
import { horizonOf, type LineTerms } from "./line-sums.js";
import { boardsFor } from "./lines.js";
import type { Cells, PlayerKind } from "./player.js";

/*
 * The program of "The biggest tile in 2048" (2014) and its text: an expectimax that adds the points
 * of merges, three slides deep, and deeper until it has visited 10,000 positions. The text and the
 * program differ; the player is the program except for its slides, which are those of the game.
 */

/** Slides that the first search looks ahead, and the most that the last one does. */
const FIRST_DEPTH = 3;
const LAST_DEPTH = 8;
/** A search that visited fewer positions is followed by one that is one slide deeper. */
const ENOUGH_VISITS = 10_000;

/** The worth of a position without a legal slide, in the program and in the text. */
const LOST = -1;
const LOST_BY_TEXT = -1e20;

/** The program slides to the left and turns the board clockwise after each slide. */
const ORDER = orderOf("left", "down", "right", "up");

/**
 * The source's `Estimate`: four times the sum of the tiles, less the differences of neighbouring
 * cells, doubled.
 */
export const ESTIMATE_TERMS: LineTerms = {
  row: (_, tiles) => 8 * tiles.reduce((sum, tile) => sum + tile, 0) - 2 * differences(tiles),
  col: (_, tiles) => -2 * differences(tiles),
};

function differences(tiles: readonly number[]): number {
  return tiles.reduce(
    (sum, tile, i) => (i === 0 ? 0 : sum + Math.abs(tile - (tiles[i - 1] as number))),
    0,
  );
}

/** Slides as in the program's search: tiles with empty cells between them do not merge. */
export const slideWithGaps: SlideRule = (...slide) => slideCells(...slide, false);

/** The players `estimate`. */
export const estimatePlayer: PlayerKind = {
  names: ["estimate"],
  summary:
    "expectimax of points and Estimate, 3 slides deep, or up to 8 until it has visited 10,000 positions",
  variants: {
    penalty: "a lost position counts −10^20, as in the text, instead of −1, as in the program",
    gap: "in its search, tiles with a gap between them do not merge, as in the program",
  },
  make({ name, shape, variants }) {
    const lost = variants.has("penalty") ? LOST_BY_TEXT : LOST;
    const rules = { addsPoints: true, averages: true, lost, seesLossAtHorizon: false };
    const expectimaxFor = boardsFor(
      shape,
      LAST_DEPTH,
      (boards) => new Expectimax(boards, rules, horizonOf(ESTIMATE_TERMS)(boards)),
      variants.has("gap") ? slideWithGaps : undefined,
    );
    const choose = (cells: Cells) => {
      let best: number | undefined;
      for (let depth = FIRST_DEPTH; depth <= LAST_DEPTH; depth++) {
        const expectimax = expectimaxFor(cells, depth);
        const worths = expectimax.worths(cells, depth);
        // A search in which every slide is lost keeps the choice of the previous one.
        best = firstBest(worths, ORDER, lost) ?? best ?? firstBest(worths, ORDER);
        if (expectimax.visits >= ENOUGH_VISITS) break;
      }
      return equalChoices(1 << (best as number));
    };
    return { name, isSymmetric: false, choose };
  },
};
