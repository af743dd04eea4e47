import type { Shape } from "@gridlock/game";
import { equalChoices, firstBest, orderOf } from "./choices.js";
import { expectimaxChooser } from "./expectimax.js";
import { horizonOf, type LineTerms } from "./line-sums.js";
import { makeMinimax } from "./minimax.js";
import type { Cells, Choice, PlayerKind, PlayerRequest } from "./player.js";

/*
 * The players of Zaky, "Minimax and Expectimax Algorithm to Solve 2048" (2014): both with the
 * heuristic H = A·E − B·D − C·P. Where the paper is silent they follow its program, azaky/2048-AI:
 * slides earn nothing, and the first of the best slides is chosen, in the order up, right, down,
 * left. Variants are the parts of the program's first and last versions that differ from the paper.
 */

const A = 4096;
const B = 10;
const C = 10;

/** The program's bonus for each tile as large as the largest, in a corner and on an edge. */
const CORNER = 4096;
const EDGE = 2048;

/** The program's number for the paper's −∞ at the end of the game. */
export const LOST = -999_999;

const ORDER = orderOf("up", "right", "down", "left");

/** The distance of a cell to the nearest border. */
function depthOf({ rows, cols }: Shape, row: number, col: number): number {
  return Math.min(row, rows - 1 - row, col, cols - 1 - col);
}

/**
 * Returns H: E is the number of empty cells, D the sum of the differences between neighbouring
 * tiles, and P that of the tiles times their distances to the nearest border. On shapes of one or
 * two rows P is 0.
 *
 * @param parts names of {@link HEURISTIC_VARIANTS}
 */
export function zakyTerms(shape: Shape, parts: ReadonlySet<string> = new Set()): LineTerms {
  const smooth = (tiles: readonly number[]) => {
    let d = 0;
    for (let i = 1; i < tiles.length; i++) {
      const [tile, before] = [tiles[i] as number, tiles[i - 1] as number];
      if (tile > 0 && before > 0) d += Math.abs(tile - before);
    }
    return B * d;
  };
  const row = (index: number, tiles: readonly number[]) => {
    let worth = parts.has("inner") && index === 0 ? 0 : -smooth(tiles);
    tiles.forEach((tile, col) => {
      if (tile === 0) worth += A;
      else worth += (parts.has("sum") ? tile : 0) - C * tile * depthOf(shape, index, col);
    });
    return worth;
  };
  const col = (index: number, tiles: readonly number[]) =>
    parts.has("inner") && index === 0 ? 0 : -smooth(tiles);
  const corner = parts.has("corner") ? CORNER : 0;
  const edge = parts.has("edge") ? EDGE : 0;
  if (corner + edge === 0) return { row, col };
  const border: [row: number, col: number, worth: number][] = [];
  const { rows, cols } = shape;
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) {
      const borders = Number(r === 0 || r === rows - 1) + Number(c === 0 || c === cols - 1);
      if (borders > 0) border.push([r, c, borders === 2 ? corner : edge]);
    }
  }
  return {
    row,
    col,
    largest(isLargest) {
      let sum = 0;
      for (const [r, c, worth] of border) if (isLargest(r, c)) sum += worth;
      return sum;
    },
  };
}

const HEURISTIC_VARIANTS = {
  sum: "H adds the sum of the tiles",
  corner: "H adds 4,096 for each largest tile in a corner",
  edge: "H adds 2,048 for each largest tile on an edge",
  inner: "D leaves out the pairs within the first row and the first column, as the program does",
  leaves: "lost positions at the horizon count H, as in the program",
};

/** The first and the last version of the program. */
const VERSIONS: Readonly<Record<string, readonly string[]>> = {
  first: ["sum", "corner", "edge", "inner", "leaves"],
  last: ["corner", "inner", "leaves", "deepen"],
};

/** Returns the requested variants, named individually or through a version. */
function partsOf({ variants }: PlayerRequest): ReadonlySet<string> {
  return new Set([...variants].flatMap((name) => VERSIONS[name] ?? name));
}

/** The players `zaky-minimax`. */
export const zakyMinimax: PlayerKind = {
  names: ["zaky-minimax"],
  summary: "minimax for empty cells, smooth neighbours and tiles near the border",
  depth: { unit: "plies, slides and placements", byDefault: 4, most: 12 },
  variants: {
    ...HEURISTIC_VARIANTS,
    deepen: "searches at every depth from half of its own up; the best result of any depth decides",
    first: "the program's first version: sum, corner, edge, inner, leaves",
    last: "the program's last version: corner, inner, leaves, deepen",
  },
  make(request) {
    const { name, shape, depth } = request;
    const parts = partsOf(request);
    const rules = { lost: LOST, seesLossAtHorizon: !parts.has("leaves") };
    const minimaxFor = makeMinimax(shape, rules, depth, horizonOf(zakyTerms(shape, parts)));
    const first = parts.has("deepen") ? Math.max(1, Math.floor(depth / 2)) : depth;
    const choose = (cells: Cells): readonly Choice[] => {
      let chosen: number | undefined;
      let most = LOST;
      let legal = 0;
      for (let plies = first; plies <= depth; plies++) {
        const worths = minimaxFor(cells, plies).worths(cells, plies, ORDER);
        const best = firstBest(worths, ORDER, most);
        if (best !== undefined) {
          chosen = best;
          most = worths[best] as number;
        }
        legal = worths.reduce((set, worth, i) => (worth > -Infinity ? set | (1 << i) : set), 0);
      }
      // The program slides at random if every slide loses.
      return chosen === undefined ? equalChoices(legal) : equalChoices(1 << chosen);
    };
    return { name, isSymmetric: false, choose };
  },
};

/** The players `zaky-expectimax`. */
export const zakyExpectimax: PlayerKind = {
  names: ["zaky-expectimax"],
  summary: "expectimax with the heuristic of zaky-minimax",
  depth: { unit: "slides, each with its placement", byDefault: 2, most: 6 },
  variants: {
    ...HEURISTIC_VARIANTS,
    first: "the program's first version: sum, corner, edge, inner, leaves",
    last: "the program's last version: corner, inner, leaves",
  },
  make(request) {
    const { name, shape, depth } = request;
    const parts = partsOf(request);
    const sees = { lost: LOST, seesLossAtHorizon: !parts.has("leaves") };
    const rules = { addsPoints: false, averages: true, ...sees };
    const horizon = horizonOf(zakyTerms(shape, parts));
    const choose = expectimaxChooser(shape, rules, depth, horizon, ORDER);
    return { name, isSymmetric: false, choose };
  },
};
