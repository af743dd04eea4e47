import {
  type Board,
  cellCount,
  cellPlaces,
  DIRECTIONS,
  exponentOf,
  formatShape,
  linesToward,
  type Shape,
  slideLine,
  symmetriesOf,
  tileOf,
} from "@gridlock/game";

/*
 * A board as a number: its exponents are the digits, the first cell lowest, in base B = cells + 2,
 * one more than the largest exponent that play can reach. On 3×3, B = 11:
 *
 *     2 0 8                  exponents  1 0 3
 *     0 4 0   →  read row by row        0 2 0   →  1 + 3·11² + 2·11⁴ + 1·11⁸
 *     0 0 2                             0 0 1
 *
 * 11⁹ < 2³²; the codes of up to 13 cells are exact in a double. Slides and symmetries act on lines,
 * which are digits in base B^length, so each takes a few look-ups and additions.
 */

/** The slides, as indices into `DIRECTIONS`. */
export const ALL_SLIDES: readonly number[] = DIRECTIONS.map((_, direction) => direction);

/** A bit for each slide, that of `DIRECTIONS[0]` lowest. */
export const EVERY_SLIDE = 2 ** ALL_SLIDES.length - 1;

/** Result of a slide that changes nothing. */
export const ILLEGAL = -1;

/** Most contents of a line; 1×6 and 2×5 have a quarter of that, and tables of about 20 MB. */
const MOST_CONTENTS = 2 ** 20;

/** Slides a line toward its first cell; returns the result and the points earned. */
export type LineRule = (line: readonly number[]) => { line: readonly number[]; score: number };

/** The slides of a line in one direction: by content, the resulting content and the points. */
interface LineSlides {
  readonly slid: Int32Array;
  readonly score: Int32Array;
}

/** A kind of slide on a grid, by direction. */
export type SlideRule = readonly LineSlides[];

/** The rows, or the columns, of a board. */
interface Lines {
  readonly count: number;
  readonly length: number;
  /** Number of contents that a line can have: base^length. */
  readonly contents: number;
  /** Contribution of a line to the code of an image, by image, line and content. */
  readonly codes: Float64Array;
  /** Content of each line of the board that was set. */
  readonly held: Int32Array;
}

/**
 * The boards of one shape as numbers, with `game`'s rules sped up by tables and checked against it
 * by the tests. `set` selects the board that other methods work on; nothing is allocated.
 */
export class Grid {
  readonly shape: Shape;
  readonly cells: number;
  readonly base: number;
  /** Code of a 2 by cell; the code of 2^k is k times as much. */
  readonly weights: Float64Array;

  readonly #rows: Lines;
  readonly #cols: Lines;
  /** The lines that slide, by direction. */
  readonly #sliding: readonly Lines[];
  readonly #imageCount: number;
  /** Code, in each image, of a 2 in each cell of the board. */
  readonly #imageWeights: Float64Array;
  readonly #images: Float64Array;
  readonly #exponents: Uint8Array;
  readonly #slid: Int32Array;
  /** The slides of the game. */
  readonly #game: SlideRule;

  /**
   * Prepares the tables of a shape.
   *
   * @param isSymmetric whether a board stands for its images; if not, it has no image but itself
   * @throws {RangeError} if the tables would be too large: from 1×7, 2×6 and 3×5 on
   */
  constructor(shape: Shape, isSymmetric = true) {
    this.shape = { rows: shape.rows, cols: shape.cols };
    this.cells = cellCount(shape);
    this.base = this.cells + 2;
    const longest = Math.max(shape.rows, shape.cols);
    if (this.base ** longest > MOST_CONTENTS || this.base ** this.cells > Number.MAX_SAFE_INTEGER) {
      throw new RangeError(
        `${formatShape(shape)} has too many boards to enumerate; use a smaller shape, such as 3x3 or 2x5`,
      );
    }
    this.weights = Float64Array.from({ length: this.cells }, (_, cell) => this.base ** cell);
    const images = symmetriesOf(shape)
      .slice(0, isSymmetric ? undefined : 1)
      .map((symmetry) => cellPlaces(shape, symmetry));
    const rows = makeLines(this.base, linesToward(shape, "left"), images);
    const cols = makeLines(this.base, linesToward(shape, "up"), images);
    this.#rows = rows;
    this.#cols = cols;
    this.#sliding = [cols, rows, cols, rows];
    this.#slid = new Int32Array(longest);
    this.#game = this.rule(slideLine);
    this.#imageCount = images.length;
    this.#imageWeights = Float64Array.from(images.flat(), (cell) => this.base ** cell);
    this.#images = new Float64Array(images.length);
    this.#exponents = new Uint8Array(this.cells);
  }

  /**
   * Returns the code of a board, whose largest tile is at most 2^(cells + 1).
   *
   * @throws {RangeError} if the board has another shape
   */
  encode(board: Board): number {
    if (board.rows !== this.shape.rows || board.cols !== this.shape.cols) {
      throw new RangeError(
        `cannot encode a board of ${formatShape(board)}; expected one of ${formatShape(this.shape)}`,
      );
    }
    return board.cells.reduce(
      (code, tile, cell) => code + exponentOf(tile) * (this.weights[cell] as number),
      0,
    );
  }

  /** Returns the board of a code; the inverse of {@link encode}. */
  decode(code: number): Board {
    return { ...this.shape, cells: Array.from(this.exponents(code), tileOf) };
  }

  /**
   * Returns the exponents of a board's tiles, 0 for an empty cell. The array belongs to the grid
   * and is valid until the next call of this method or {@link set}.
   */
  exponents(code: number): Uint8Array {
    return splitDigits(code, this.base, this.#exponents);
  }

  /** Returns the smallest code of the board's images: that of its canonical form. */
  canonical(code: number): number {
    splitDigits(code, this.#rows.contents, this.#rows.held);
    return this.#least(this.#rows, this.#rows.held);
  }

  /**
   * Returns the codes of the board's images, its own first, with repetitions if it is symmetric.
   * The array belongs to the grid and is valid until the next call.
   */
  images(code: number): Float64Array {
    splitDigits(code, this.#rows.contents, this.#rows.held);
    for (let image = 0; image < this.#imageCount; image++) {
      this.#images[image] = this.#image(this.#rows, this.#rows.held, image);
    }
    return this.#images;
  }

  /**
   * Selects the board for {@link slide}, {@link slideToCanonical} and {@link score}, until the next
   * call of this method, {@link canonical} or {@link images}.
   */
  set(code: number): void {
    splitDigits(code, this.#rows.contents, this.#rows.held);
    const exponents = this.exponents(code);
    const cols = this.#cols.held;
    cols.fill(0);
    for (let cell = this.cells - 1; cell >= 0; cell--) {
      const col = cell % cols.length;
      cols[col] = (cols[col] as number) * this.base + (exponents[cell] as number);
    }
  }

  /** Makes tables of a kind of slide, for {@link slide} and {@link score}. */
  rule(rule: LineRule): SlideRule {
    return this.#sliding.map((lines, direction) =>
      slidesOf(this.base, lines, rule, TO_LAST[direction] as boolean),
    );
  }

  /**
   * Slides the board that was {@link set}. Returns the resulting code, or {@link ILLEGAL} if the
   * board does not change.
   *
   * @param direction index into `DIRECTIONS`
   * @param rule kind of slide; the game's by default
   */
  slide(direction: number, rule: SlideRule = this.#game): number {
    const lines = this.#slideLines(direction, rule);
    return lines === undefined ? ILLEGAL : this.#image(lines, this.#slid, 0);
  }

  /** Slides as {@link slide} does, but returns the canonical code. */
  slideToCanonical(direction: number, rule: SlideRule = this.#game): number {
    const lines = this.#slideLines(direction, rule);
    return lines === undefined ? ILLEGAL : this.#least(lines, this.#slid);
  }

  /** Returns the points that a slide of the board that was {@link set} earns. */
  score(direction: number, rule: SlideRule = this.#game): number {
    const { count, held } = this.#sliding[direction] as Lines;
    const { score } = rule[direction] as LineSlides;
    let sum = 0;
    for (let i = 0; i < count; i++) sum += score[held[i] as number] as number;
    return sum;
  }

  /**
   * Returns the canonical code after 2^exponent is placed in an empty cell of the board last passed
   * to {@link images}.
   */
  placeToCanonical(cell: number, exponent: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (let image = 0; image < this.#imageCount; image++) {
      const weight = this.#imageWeights[image * this.cells + cell] as number;
      const code = (this.#images[image] as number) + exponent * weight;
      if (code < least) least = code;
    }
    return least;
  }

  /** Slides each line into `#slid`; returns the kind of lines if any of them changed. */
  #slideLines(direction: number, rule: SlideRule): Lines | undefined {
    const lines = this.#sliding[direction] as Lines;
    const { slid } = rule[direction] as LineSlides;
    let changed = false;
    for (let i = 0; i < lines.count; i++) {
      const content = lines.held[i] as number;
      const after = slid[content] as number;
      this.#slid[i] = after;
      if (after !== content) changed = true;
    }
    return changed ? lines : undefined;
  }

  #image(lines: Lines, contents: Int32Array, image: number): number {
    let at = image * lines.count * lines.contents;
    let code = 0;
    for (let i = 0; i < lines.count; i++, at += lines.contents) {
      code += lines.codes[at + (contents[i] as number)] as number;
    }
    return code;
  }

  #least(lines: Lines, contents: Int32Array): number {
    let least = Number.POSITIVE_INFINITY;
    for (let image = 0; image < this.#imageCount; image++) {
      const code = this.#image(lines, contents, image);
      if (code < least) least = code;
    }
    return least;
  }
}

const TO_LAST = DIRECTIONS.map((direction) => direction === "down" || direction === "right");

/** Makes tables of the rows or columns, given the cells of each. */
function makeLines(
  base: number,
  lines: readonly (readonly number[])[],
  images: readonly (readonly number[])[],
): Lines {
  const count = lines.length;
  const length = (lines[0] as readonly number[]).length;
  const contents = base ** length;
  const codes = new Float64Array(images.length * count * contents);
  images.forEach((cells, image) => {
    lines.forEach((line, i) => {
      const at = (image * count + i) * contents;
      // The code of a content is that of its lower digits, found before, plus the highest digit's.
      for (let place = 0, known = 1; place < length; place++, known *= base) {
        const weight = base ** (cells[line[place] as number] as number);
        for (let content = known; content < known * base; content++) {
          const rest = codes[at + (content % known)] as number;
          codes[at + content] = rest + Math.floor(content / known) * weight;
        }
      }
    });
  });
  return { count, length, contents, codes, held: new Int32Array(count) };
}

/** Makes the slides of all contents of a line, toward its first cell or its last. */
function slidesOf(
  base: number,
  { length, contents }: Lines,
  rule: LineRule,
  toLast: boolean,
): LineSlides {
  const slid = new Int32Array(contents);
  const score = new Int32Array(contents);
  const exponents = new Uint8Array(length);
  for (let content = 0; content < contents; content++) {
    const tiles = Array.from(splitDigits(content, base, exponents), tileOf);
    const moved = rule(toLast ? tiles.toReversed() : tiles);
    slid[content] = contentOf(toLast ? moved.line.toReversed() : moved.line, base);
    score[content] = moved.score;
  }
  return { slid, score };
}

/** Splits a number into its digits in a base, the lowest first; returns them. */
function splitDigits<To extends Uint8Array | Int32Array>(number: number, base: number, to: To): To {
  let rest = number;
  for (let i = 0; i < to.length; i++) {
    const next = Math.floor(rest / base);
    to[i] = rest - next * base;
    rest = next;
  }
  return to;
}

/**
 * Returns the content of a line. Two tiles of the largest exponent would merge into one beyond the
 * base; no reachable board has both, so any content will do for them.
 */
function contentOf(tiles: readonly number[], base: number): number {
  const digitOf = (tile: number) => Math.min(exponentOf(tile), base - 1);
  return tiles.reduceRight((content, tile) => base * content + digitOf(tile), 0);
}
