import {
  type Board,
  cellCount,
  exponentOf,
  mapCell,
  type Shape,
  type Symmetry,
  symmetriesToNormal,
} from "@gridlock/game";

/**
 * The images of a board of a shape, in either orientation, packed as numbers: each cell adds its
 * exponent times its weight to an image, so that a tile placed on the board costs one addition an
 * image.
 *
 * A call into WebAssembly takes several times as long, since it passes the board as a bigint.
 */
export class Images {
  readonly #upright: Float64Array;
  readonly #transposed: Float64Array;
  /** The weights of the present board: of its first cell in each image, then of its second cell. */
  #weights: Float64Array;
  readonly #images: Float64Array;

  /** @param shape in normal form, of no more cells than a number holds */
  constructor(shape: Shape) {
    this.#upright = weightsOf(shape);
    this.#transposed = weightsOf({ rows: shape.cols, cols: shape.rows });
    this.#weights = this.#upright;
    this.#images = new Float64Array(symmetriesToNormal(shape).length);
  }

  /** Sets the board that the other methods are about. */
  set({ rows, cols, cells }: Board): void {
    const images = this.#images;
    const weights = rows > cols ? this.#transposed : this.#upright;
    this.#weights = weights;
    images.fill(0);
    for (let cell = 0, at = 0; cell < cells.length; cell++, at += images.length) {
      const exponent = exponentOf(cells[cell] as number);
      if (exponent === 0) continue;
      for (let i = 0; i < images.length; i++) {
        images[i] = (images[i] as number) + exponent * (weights[at + i] as number);
      }
    }
  }

  /** Returns the canonical form of the board after the exponent of a cell has risen. */
  least(cell = 0, rise = 0): number {
    const images = this.#images;
    const weights = this.#weights;
    const at = cell * images.length;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < images.length; i++) {
      const image = (images[i] as number) + rise * (weights[at + i] as number);
      if (image < least) least = image;
    }
    return least;
  }
}

/** Returns the weights of each cell of a board in the images of the board in normal form. */
function weightsOf(shape: Shape): Float64Array {
  const symmetries = symmetriesToNormal(shape);
  return Float64Array.from({ length: cellCount(shape) * symmetries.length }, (_, i) => {
    const symmetry = symmetries[i % symmetries.length] as Symmetry;
    return 16 ** mapCell(Math.floor(i / symmetries.length), shape, symmetry);
  });
}
