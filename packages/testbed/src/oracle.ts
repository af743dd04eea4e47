import {
  type Board,
  CHANCE_OF_FOUR,
  canonical,
  type Game,
  type PackedBoard,
  type PackedNode,
  packBoard,
  placements,
  slides,
  starts,
} from "@gridlock/game";

/** The goal of a game: it gives each end state a value, an integer of 0 or more. */
export interface PlainObjective {
  end(board: Board): number;
  /** True if a slide's points count. */
  readonly scored: boolean;
  /** Who places the tiles. If it is `chance`, an afterstate is worth the mean of its placements. */
  readonly placer: "adversary" | "helper" | "chance";
  /** A tile to reach: a position that has it is worth 1. */
  readonly goal?: number | undefined;
}

/** The points of the game, which the slider maximizes and the placer minimizes. */
export const POINTS: PlainObjective = { end: () => 0, scored: true, placer: "adversary" };

/** The objective of the ordinary game: the score or, with a tile, the chance to reach it. */
export function ordinary(goal?: number): PlainObjective {
  return { end: () => 0, scored: goal === undefined, placer: "chance", goal };
}

/** Thrown by an {@link Oracle} that would have to value more nodes than its limit. */
export class TooLarge extends Error {}

/**
 * Plain minimax over `game`, without bounds, to compare fast code with. Its only optimization is to
 * remember the values of boards; this memory, by packed canonical board, is public.
 */
export class Oracle {
  readonly positions = new Map<PackedBoard, number>();
  readonly afterstates = new Map<PackedBoard, number>();
  readonly #objective: PlainObjective;
  readonly #mostNodes: number;
  readonly #forced = new Map<string, boolean>();

  /** @param options.mostNodes the most nodes to value; beyond, it throws {@link TooLarge} */
  constructor(
    readonly game: Game,
    { objective = POINTS, mostNodes = Number.POSITIVE_INFINITY } = {},
  ) {
    this.#objective = objective;
    this.#mostNodes = mostNodes;
  }

  /**
   * Returns the value of a position. It uses loops, not closures: a long game may take thousands of
   * frames.
   */
  position(board: Board): number {
    const form = canonical(board);
    const key = packBoard(form);
    const known = this.positions.get(key);
    if (known !== undefined) return known;
    this.#count();
    const { end, scored, goal = Number.POSITIVE_INFINITY } = this.#objective;
    const moves = slides(form);
    let value = moves.length === 0 ? end(form) : Number.NEGATIVE_INFINITY;
    for (const slide of moves) {
      value = Math.max(value, (scored ? slide.score : 0) + this.afterstate(slide.board));
    }
    if (Math.max(...form.cells) >= goal) value = 1;
    this.positions.set(key, value);
    return value;
  }

  /** Returns the value of an afterstate. */
  afterstate(board: Board): number {
    const form = canonical(board);
    const key = packBoard(form);
    const known = this.afterstates.get(key);
    if (known !== undefined) return known;
    this.#count();
    const { placer } = this.#objective;
    const { tiles } = this.game;
    const all = placements(form, tiles);
    let value = {
      adversary: Number.POSITIVE_INFINITY,
      helper: Number.NEGATIVE_INFINITY,
      chance: 0,
    }[placer];
    for (const { board: next, tile } of all) {
      const worth = this.position(next);
      if (placer === "adversary") value = Math.min(value, worth);
      else if (placer === "helper") value = Math.max(value, worth);
      else {
        const chance = tile === 4 ? CHANCE_OF_FOUR : 1 - CHANCE_OF_FOUR;
        value += ((tiles.length === 1 ? 1 : chance) * tiles.length * worth) / all.length;
      }
    }
    this.afterstates.set(key, value);
    return value;
  }

  /**
   * Returns whether the slider can force this many points from an afterstate. It searches the same
   * plain game tree, but only as far as the answer requires, with 4s before 2s and the
   * highest-scoring slides first.
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

  /** Values every position and afterstate that can be reached from the starts. */
  valueAll(): this {
    for (const start of starts(this.game.shape)) this.position(start);
    return this;
  }

  /** Lists every node valued so far. */
  *nodes(): Generator<PackedNode & { readonly value: number }> {
    for (const [board, value] of this.positions) yield { turn: "slider", board, value };
    for (const [board, value] of this.afterstates) yield { turn: "placer", board, value };
  }

  #count(): void {
    if (this.positions.size + this.afterstates.size >= this.#mostNodes) throw new TooLarge();
  }
}
