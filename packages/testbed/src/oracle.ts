import {
  type Board,
  canonical,
  type Game,
  type PackedBoard,
  packBoard,
  placements,
  slides,
} from "@gridlock/game";

/** What the game is played for, in the terms of `game`. */
export interface PlainObjective {
  end(board: Board): number;
  readonly scored: boolean;
  readonly placer: "adversary" | "helper";
}

/** Plain minimax over `game`, which remembers what it has valued, by packed canonical board. */
export class Oracle {
  readonly positions = new Map<PackedBoard, number>();
  readonly afterstates = new Map<PackedBoard, number>();

  constructor(
    readonly game: Game,
    readonly objective: PlainObjective,
  ) {}

  position(board: Board): number {
    const form = canonical(board);
    return remembered(this.positions, form, () => {
      const moves = slides(form);
      if (moves.length === 0) return this.objective.end(form);
      return Math.max(
        ...moves.map(
          (slide) => (this.objective.scored ? slide.score : 0) + this.afterstate(slide.board),
        ),
      );
    });
  }

  afterstate(board: Board): number {
    const form = canonical(board);
    return remembered(this.afterstates, form, () => {
      const worths = placements(form, this.game.tiles).map((next) => this.position(next.board));
      return this.objective.placer === "helper" ? Math.max(...worths) : Math.min(...worths);
    });
  }
}

function remembered(values: Map<PackedBoard, number>, form: Board, compute: () => number): number {
  const key = packBoard(form);
  let value = values.get(key);
  if (value === undefined) {
    value = compute();
    values.set(key, value);
  }
  return value;
}
