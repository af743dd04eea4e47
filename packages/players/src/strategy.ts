import { DIRECTIONS, type Shape } from "@gridlock/game";
import { equalChoices } from "./choices.js";
import { PlayerError } from "./errors.js";
import { Grid, ILLEGAL } from "./grid.js";
import type { PlayerKind } from "./kind.js";
import type { Cells, Choice, Player } from "./player.js";

/*
 * The strategies of Kohler, Migler and Khosmood, "Composition of Basic Heuristics for the Game 2048" (2019): lists of
 * evaluators. Each evaluator scores the board that a slide leaves, before a tile is placed, and passes the best slides
 * on to the next. The last, r, chooses among those that are left at random.
 */

/** The evaluators of the paper's Section 5; r alone is terminal. */
const EVALUATORS = ["m", "e", "u", "g", "r"] as const;

/** Scores the board after a slide that earned `points`. Each score is 0 or more. */
type Evaluator = (after: Cells, points: number) => number;

/** Section 3.1.2: the number of empty cells. */
export function emptiness(after: Cells): number {
  let empty = 0;
  for (const tile of after) if (tile === 0) empty++;
  return empty;
}

/** How often each value occurs: memory that {@link uniformity} uses again and again. */
const counts = new Uint8Array(32);

/**
 * Section 3.1.3: the sum of n³ over the values on the board, n being the number of tiles of that value.
 *
 * @param countsEmpty whether empty cells count as tiles of a further value, which the paper leaves open
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
 * Section 3.1.4, Algorithm 2: the most pairs of neighbours that do not increase away from one of the corners; an empty
 * cell counts as 0. The algorithm turns the board four times, which combines each direction of the rows with each of
 * the columns. So its maximum is that of the rows plus that of the columns, on a board of any shape.
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
 * Lists all strategies, short ones first, by Algorithm 3: the permutations of the evaluators, each cut off after the
 * terminal one.
 */
export function allStrategies(): string[] {
  const cut = permutations(EVALUATORS).map((names) =>
    names.slice(0, names.indexOf("r") + 1).join(""),
  );
  return [...new Set(cut)].sort((a, b) => a.length - b.length);
}

function permutations(items: readonly string[]): string[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((first) =>
    permutations(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}

export const strategy: PlayerKind = {
  names: allStrategies(),
  source: "Kohler, Migler and Khosmood 2019",
  summary:
    "e most empty cells, m most monotonic, u most uniform, g most points, r at random; each breaks its predecessor's ties",
  variants: { empty: "u counts empty cells as a value" },
  make({ name, base, shape, variants }) {
    const countsEmpty = variants.has("empty");
    if (countsEmpty && !base.includes("u")) {
      throw new PlayerError(`the variant "empty" changes u alone, which ${base} does not contain`);
    }
    const evaluators: Record<string, Evaluator> = {
      e: emptiness,
      u: (after) => uniformity(after, countsEmpty),
      m: (after) => monotonicity(shape, after),
      g: (_, points) => points,
    };
    const list = [...base.slice(0, -1)].map((letter) => evaluators[letter] as Evaluator);
    return new Strategy(name, shape, list);
  },
};

class Strategy implements Player {
  readonly isSymmetric = true;
  readonly #grid: Grid;
  /** For each direction, the board after its slide and the points that it earns. */
  readonly #afters: readonly Cells[];
  readonly #points = new Float64Array(DIRECTIONS.length);

  constructor(
    readonly name: string,
    shape: Shape,
    readonly evaluators: readonly Evaluator[],
  ) {
    this.#grid = new Grid(shape);
    this.#afters = DIRECTIONS.map(() => new Uint8Array(this.#grid.size));
  }

  choose(cells: Cells): readonly Choice[] {
    let tied = 0;
    for (let i = 0; i < DIRECTIONS.length; i++) {
      const [direction, after] = [DIRECTIONS[i] as (typeof DIRECTIONS)[number], this.#after(i)];
      this.#points[i] = this.#grid.slide(cells, direction, after);
      if (this.#points[i] !== ILLEGAL) tied |= 1 << i;
    }
    for (const evaluate of this.evaluators) {
      if ((tied & (tied - 1)) === 0) break;
      tied = this.#best(evaluate, tied);
    }
    return equalChoices(tied);
  }

  /** Algorithm 1: returns those of some slides that an evaluator scores highest. */
  #best(evaluate: Evaluator, slides: number): number {
    let bestScore = -1;
    let best = 0;
    for (let i = 0; i < DIRECTIONS.length; i++) {
      if (((slides >> i) & 1) === 0) continue;
      const score = evaluate(this.#after(i), this.#points[i] as number);
      if (score > bestScore) {
        bestScore = score;
        best = 1 << i;
      } else if (score === bestScore) best |= 1 << i;
    }
    return best;
  }

  #after(i: number): Cells {
    return this.#afters[i] as Cells;
  }
}
