import { DIRECTIONS, type Shape } from "@gridlock/game";
import { CellRules, countEmpty, ILLEGAL } from "./cell-rules.js";
import { equalChoices } from "./choices.js";
import type { Cells, Player, PlayerKind } from "./player.js";
import { PlayerError } from "./player.js";

/*
 * The strategies of Kohler, Migler and Khosmood, "Composition of Basic Heuristics for the Game
 * 2048" (2019): lists of evaluators. Each evaluator scores the board after a slide, before a tile
 * is placed, and passes the best slides on to the next. The last, r, chooses randomly among those
 * left.
 */

/** The evaluators of the paper's Section 5; r alone is terminal. */
const EVALUATORS = ["m", "e", "u", "g", "r"] as const;

/** Scores the board after a slide that earned `points`. Each score is 0 or more. */
type Evaluator = (after: Cells, points: number) => number;

/** The count of each value: memory that {@link uniformity} reuses. */
const counts = new Uint8Array(32);

/**
 * Section 3.1.3: the sum of n³ over the values on the board, n being the number of tiles of that
 * value.
 *
 * @param countsEmpty whether empty cells count as tiles of a further value, which the paper leaves
 *   open
 */
export function uniformity(after: Cells, countsEmpty = false): number {
  counts.fill(0);
  for (const tile of after) counts[tile] = (counts[tile] as number) + 1;
  let sum = 0;
  for (let tile = countsEmpty ? 0 : 1; tile < counts.length; tile++) {
    sum += (counts[tile] as number) ** 3;
  }
  return sum;
}

/**
 * Section 3.1.4, Algorithm 2: the most pairs of neighbours that do not increase away from one of
 * the corners; an empty cell counts as 0. The algorithm turns the board four times, which combines
 * each direction of the rows with each of the columns. So its maximum is that of the rows plus that
 * of the columns, on a board of any shape.
 */
export function monotonicity({ rows, cols }: Shape, after: Cells): number {
  let [right, left, down, up] = [0, 0, 0, 0];
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      const cell = row * cols + col;
      const tile = after[cell] as number;
      if (col + 1 < cols) {
        const next = after[cell + 1] as number;
        if (tile >= next) right++;
        if (tile <= next) left++;
      }
      if (row + 1 < rows) {
        const below = after[cell + cols] as number;
        if (tile >= below) down++;
        if (tile <= below) up++;
      }
    }
  }
  return Math.max(right, left) + Math.max(down, up);
}

/**
 * Lists all strategies, short ones first, by Algorithm 3: the permutations of the evaluators, each
 * truncated after the terminal one.
 */
export function allStrategies(): string[] {
  const cut = permutations(EVALUATORS).map((names) =>
    names.slice(0, names.indexOf("r") + 1).join(""),
  );
  return [...new Set(cut)].sort((a, b) => a.length - b.length);
}

/** Lists the orders of different items. */
export function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((first) =>
    permutations(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}

/** The players that combine the strategies e, m, u, g and r. */
export const strategy: PlayerKind = {
  names: allStrategies(),
  summary:
    "e: most empty cells, m: most monotonic, u: most uniform, g: most points, r: at random; each breaks the ties of the one before",
  variants: { empty: "u counts empty cells as a value" },
  make({ name, base, shape, variants }) {
    const countsEmpty = variants.has("empty");
    if (countsEmpty && !base.includes("u")) {
      throw new PlayerError(`the variant "empty" only affects u, which ${base} does not contain`);
    }
    return strategyOf(name, base, new ScoreSheet(shape, countsEmpty));
  },
};

/**
 * Makes all strategies of a shape, in the order of {@link allStrategies}. They share the scores of
 * a position's slides.
 */
export function makeStrategies(shape: Shape): Player[] {
  const sheet = new ScoreSheet(shape, false);
  return allStrategies().map((name) => strategyOf(name, name, sheet));
}

/** @param letters its evaluators, the terminal one last */
export function strategyOf(name: string, letters: string, sheet: ScoreSheet): Player {
  const evaluators = letters.slice(0, -1);
  const choose = (cells: Cells) => {
    let tied = sheet.set(cells);
    for (let i = 0; i < evaluators.length && (tied & (tied - 1)) !== 0; i++) {
      tied = sheet.best(evaluators[i] as string, tied);
    }
    return equalChoices(tied);
  };
  return { name, isSymmetric: true, choose };
}

/**
 * The slides of one position, and their scores by the evaluators, each computed when first needed.
 */
export class ScoreSheet {
  readonly #cellRules: CellRules;
  readonly #position: Cells;
  #legal = 0;
  /** For each direction, the board after its slide and the points that it earns. */
  readonly #afters: readonly Cells[];
  readonly #points = new Float64Array(DIRECTIONS.length);
  readonly #evaluators: Readonly<Record<string, Evaluator>>;
  /** For each evaluator, its score of each direction; −1 before it is computed. */
  readonly #scores: Readonly<Record<string, Float64Array>>;

  constructor(shape: Shape, countsEmpty: boolean) {
    this.#cellRules = new CellRules(shape);
    this.#position = new Uint8Array(this.#cellRules.size);
    this.#afters = DIRECTIONS.map(() => new Uint8Array(this.#cellRules.size));
    this.#evaluators = {
      e: countEmpty, // Section 3.1.2
      u: (after) => uniformity(after, countsEmpty),
      m: (after) => monotonicity(shape, after),
      g: (_, points) => points,
    };
    const scores = () => new Float64Array(DIRECTIONS.length);
    this.#scores = { e: scores(), u: scores(), m: scores(), g: scores() };
  }

  /**
   * Sets the position, unless it is already set; returns one bit for each legal slide, in the order
   * of `DIRECTIONS`.
   */
  set(cells: Cells): number {
    if (this.#legal !== 0 && cells.every((tile, cell) => tile === this.#position[cell])) {
      return this.#legal;
    }
    this.#position.set(cells);
    this.#legal = 0;
    DIRECTIONS.forEach((direction, i) => {
      this.#points[i] = this.#cellRules.slide(cells, direction, this.#afters[i] as Cells);
      if (this.#points[i] !== ILLEGAL) this.#legal |= 1 << i;
    });
    for (const letter in this.#scores) this.#scores[letter]?.fill(-1);
    return this.#legal;
  }

  /** Algorithm 1: returns those of the given slides that an evaluator scores highest. */
  best(letter: string, slides: number): number {
    let bestScore = -1;
    let best = 0;
    for (let i = 0; i < DIRECTIONS.length; i++) {
      const bit = 1 << i;
      if ((slides & bit) === 0) continue;
      const score = this.#score(letter, i);
      if (score > bestScore) {
        bestScore = score;
        best = bit;
      } else if (score === bestScore) best |= bit;
    }
    return best;
  }

  #score(letter: string, slide: number): number {
    const scores = this.#scores[letter] as Float64Array;
    if (scores[slide] === -1) {
      const evaluate = this.#evaluators[letter] as Evaluator;
      scores[slide] = evaluate(this.#afters[slide] as Cells, this.#points[slide] as number);
    }
    return scores[slide] as number;
  }
}
