import {
  type Board,
  canonical,
  type Game,
  type PackedBoard,
  type PackedNode,
  packBoard,
  placements,
  slides,
  starts,
} from "@gridlock/game";

/** What the oracle throws when a board would take more nodes than it was allowed. */
export class TooLarge extends Error {}

/**
 * Plain minimax over `game`, with no bounds and no cleverness but a memory of what it has valued:
 * what everything fast is held against. Its memory, by packed canonical board, is public.
 */
export class Oracle {
  readonly positions = new Map<PackedBoard, number>();
  readonly afterstates = new Map<PackedBoard, number>();
  readonly #forced = new Map<string, boolean>();

  /** @param mostNodes how many nodes it may value before it gives up with {@link TooLarge} */
  constructor(
    readonly game: Game,
    readonly mostNodes = Number.POSITIVE_INFINITY,
  ) {}

  /** The value of a position, in points. */
  position(board: Board): number {
    const form = canonical(board);
    const key = packBoard(form);
    let value = this.positions.get(key);
    if (value === undefined) {
      this.#count();
      const worths = slides(form).map((slide) => slide.score + this.afterstate(slide.board));
      value = Math.max(0, ...worths);
      this.positions.set(key, value);
    }
    return value;
  }

  /** The value of an afterstate, in points. */
  afterstate(board: Board): number {
    const form = canonical(board);
    const key = packBoard(form);
    let value = this.afterstates.get(key);
    if (value === undefined) {
      this.#count();
      const next = placements(form, this.game.tiles);
      value = Math.min(...next.map((placement) => this.position(placement.board)));
      this.afterstates.set(key, value);
    }
    return value;
  }

  /**
   * Whether the slider can force so many points from an afterstate: the same plain game tree, but only
   * as far as the answer needs, 4s before 2s, and the slides that earn most first.
   */
  forces(board: Board, points: number): boolean {
    if (points <= 0) return true;
    const form = canonical(board);
    const key = `${packBoard(form)} ${points}`;
    let answer = this.#forced.get(key);
    if (answer === undefined) {
      if (this.#forced.size >= this.mostNodes) throw new TooLarge();
      answer = placements(form, this.game.tiles)
        .sort((a, b) => b.tile - a.tile)
        .every(({ board: next }) =>
          slides(next)
            .sort((a, b) => b.score - a.score)
            .some((slide) => this.forces(slide.board, points - slide.score)),
        );
      this.#forced.set(key, answer);
    }
    return answer;
  }

  /** Values every position and afterstate that play from the starts can reach. */
  valueAll(): this {
    for (const start of starts(this.game.shape)) this.position(start);
    return this;
  }

  /** All that it has valued. */
  *nodes(): Generator<PackedNode & { readonly value: number }> {
    for (const [board, value] of this.positions) yield { turn: "slider", board, value };
    for (const [board, value] of this.afterstates) yield { turn: "placer", board, value };
  }

  #count(): void {
    if (this.positions.size + this.afterstates.size >= this.mostNodes) throw new TooLarge();
  }
}
