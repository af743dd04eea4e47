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

/** The purpose of the game, as a value of each end state, a whole number from 0 on. */
export interface PlainObjective {
  end(board: Board): number;
  /** Whether a slide's points count. */
  readonly scored: boolean;
  readonly placer: "adversary" | "helper";
}

/** Points, against a placer that allows as few as it can. */
const POINTS: PlainObjective = { end: () => 0, scored: true, placer: "adversary" };

/** Thrown by an {@link Oracle} that would have to value more nodes than it may. */
export class TooLarge extends Error {}

/**
 * Plain minimax over `game`, without bounds and with no cleverness but a memory of the boards that it has valued: fast
 * code is held against it. Its memory, by packed canonical board, is public.
 */
export class Oracle {
  readonly positions = new Map<PackedBoard, number>();
  readonly afterstates = new Map<PackedBoard, number>();
  readonly #objective: PlainObjective;
  readonly #mostNodes: number;
  readonly #forced = new Map<string, boolean>();

  /** @param options.mostNodes nodes that it may value before it throws {@link TooLarge} */
  constructor(
    readonly game: Game,
    { objective = POINTS, mostNodes = Number.POSITIVE_INFINITY } = {},
  ) {
    this.#objective = objective;
    this.#mostNodes = mostNodes;
  }

  /** Returns the value of a position. */
  position(board: Board): number {
    return this.#remembered(this.positions, board, (form) => {
      const moves = slides(form);
      if (moves.length === 0) return this.#objective.end(form);
      const { scored } = this.#objective;
      return Math.max(
        ...moves.map((slide) => (scored ? slide.score : 0) + this.afterstate(slide.board)),
      );
    });
  }

  /** Returns the value of an afterstate. */
  afterstate(board: Board): number {
    return this.#remembered(this.afterstates, board, (form) => {
      const worths = placements(form, this.game.tiles).map((next) => this.position(next.board));
      return this.#objective.placer === "helper" ? Math.max(...worths) : Math.min(...worths);
    });
  }

  /**
   * Returns whether the slider can force this many points from an afterstate: the same plain game tree, but only as far
   * as the answer needs, 4s before 2s, and the slides that earn most first.
   */
  forces(board: Board, points: number): boolean {
    if (points <= 0) return true;
    const form = canonical(board);
    const key = `${packBoard(form)} ${points}`;
    let answer = this.#forced.get(key);
    if (answer === undefined) {
      if (this.#forced.size >= this.#mostNodes) throw new TooLarge();
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

  /** Lists every node valued so far. */
  *nodes(): Generator<PackedNode & { readonly value: number }> {
    for (const [board, value] of this.positions) yield { turn: "slider", board, value };
    for (const [board, value] of this.afterstates) yield { turn: "placer", board, value };
  }

  #remembered(
    values: Map<PackedBoard, number>,
    board: Board,
    compute: (form: Board) => number,
  ): number {
    const form = canonical(board);
    const key = packBoard(form);
    let value = values.get(key);
    if (value === undefined) {
      if (this.positions.size + this.afterstates.size >= this.#mostNodes) throw new TooLarge();
      value = compute(form);
      values.set(key, value);
    }
    return value;
  }
}
