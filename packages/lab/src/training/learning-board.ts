import { DIRECTIONS } from "@gridlock/game";
import { type Cells, ILLEGAL, type Network } from "@gridlock/players";
import { CellBoards, LineBoards, slideCells } from "@gridlock/players/parts";

/** The result of {@link LearningBoard.lookAhead} if no slide is legal. */
export const END = Number.NEGATIVE_INFINITY;

/** Frames of the boards: the position, and the afterstate of the slide being tried. */
const FRAMES = 2;
/** Number of lines of 4×4: the rows and then the columns, each of 16 bits. */
const LINES = 8;

/**
 * A board on which a network learns: a position, or the afterstate left by {@link slide}. On 4×4,
 * lines and their slides by table are several times as fast as cells and lead to the same weights,
 * except that two tiles of 32,768 do not merge.
 */
export class LearningBoard {
  readonly #network: Network;
  readonly #boards: CellBoards | LineBoards;
  /** The lines of both frames, or else the cells of the second one. */
  readonly #lines: Uint16Array | undefined;
  readonly #cells: Cells = new Uint8Array();
  /**
   * The active weights of the current afterstate, of the best one, and of that of the last slide. On
   * lines, the lowest 16 bits of the first {@link LINES} are the afterstate's lines.
   */
  #tried: Int32Array;
  #best: Int32Array;
  #after: Int32Array;
  /** The slide found by {@link lookAhead}, an index of `DIRECTIONS`, and its points. */
  #direction = 0;
  points = 0;

  /** @param isFast whether to use lines, on 4×4 alone; default: on 4×4 */
  constructor(network: Network, isFast = network.shape.rows === 4 && network.shape.cols === 4) {
    this.#network = network;
    this.#boards = new (isFast ? LineBoards : CellBoards)(network.shape, slideCells, FRAMES);
    if (this.#boards instanceof LineBoards) this.#lines = this.#boards.lines;
    else this.#cells = this.#boards.frames[1] as Cells;
    const active = () => new Int32Array(network.tuples.length);
    this.#tried = active();
    this.#best = active();
    this.#after = active();
  }

  /** Removes all tiles. */
  clear(): void {
    this.#boards.load(new Uint8Array(this.#boards.rows * this.#boards.cols));
  }

  /** Counts the empty cells. */
  countEmpty(): number {
    return this.#boards.emptyCells(0);
  }

  /** Puts the tile of an exponent into an empty cell, counted from 0 in reading order. */
  place(nthEmpty: number, exponent: number): void {
    const { rows, cols } = this.#boards;
    let left = nthEmpty;
    for (let row = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++) {
        if (!this.#boards.isEmpty(0, row, col) || left-- > 0) continue;
        this.#boards.put(0, row, col, exponent);
        return;
      }
    }
  }

  /**
   * Finds the slide with the largest sum of its points and the network's estimate of its
   * afterstate; of equal ones the first in the order of `DIRECTIONS`. Returns that sum, or
   * {@link END}.
   */
  lookAhead(): number {
    let best = END;
    for (let direction = 0; direction < DIRECTIONS.length; direction++) {
      const points = this.#boards.slide(0, direction);
      if (points === ILLEGAL) continue;
      const tried = this.#tried;
      if (this.#lines) look(this.#lines, tried);
      else this.#network.look(this.#cells, tried);
      const worth = points + this.#network.sum(tried);
      if (worth <= best) continue;
      best = worth;
      this.points = points;
      this.#direction = direction;
      this.#tried = this.#best;
      this.#best = tried;
    }
    return best;
  }

  /** Makes the slide found by {@link lookAhead}. */
  slide(): void {
    const after = this.#best;
    this.#best = this.#after;
    this.#after = after;
    if (this.#lines) {
      for (let i = 0; i < LINES; i++) this.#lines[i] = after[i] as number;
    } else {
      this.#boards.slide(0, this.#direction);
      this.#boards.load(this.#cells);
    }
  }

  /**
   * Moves each weight of the afterstate of the last {@link slide} by `rate` times the difference of
   * `target` and its estimate.
   */
  learn(target: number, rate: number): void {
    this.#network.learn(this.#after, target, rate);
  }

  /** Returns the largest exponent on the board. */
  largest(): number {
    return this.#boards.largest(0);
  }
}

/** Finds the active weights of the afterstate in the second frame of 4×4, in the order of the tuples. */
function look(lines: Uint16Array, active: Int32Array): void {
  for (let i = 0; i < LINES; i++) active[i] = (i << 16) | (lines[LINES + i] as number);
  for (let row = 0; row < 3; row++) {
    const upper = lines[LINES + row] as number;
    const lower = lines[LINES + row + 1] as number;
    const tuple = LINES + 3 * row;
    active[tuple] = (tuple << 16) | (upper & 0xff) | ((lower & 0xff) << 8);
    active[tuple + 1] = ((tuple + 1) << 16) | ((upper >> 4) & 0xff) | ((lower << 4) & 0xff00);
    active[tuple + 2] = ((tuple + 2) << 16) | ((upper >> 8) & 0xff) | (lower & 0xff00);
  }
}
