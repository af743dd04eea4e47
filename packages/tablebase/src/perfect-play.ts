import {
  type Board,
  canonical,
  isEnd,
  largestTileOn,
  type Node,
  type PackedBoard,
  packBoard,
  placements,
  slides,
  type Tiles,
} from "@gridlock/game";

/** Where on a board the largest tile lies; of several, the one nearest to a corner. */
type Region = "corner" | "edge" | "centre";

/** Counts of the boards of perfect play, in which both players make only best moves. */
export interface PerfectPlay {
  /** Boards, up to symmetry, with the slider to move, and with the placer to move. */
  readonly positions: number;
  readonly afterstates: number;
  /** Positions without a slide. */
  readonly ends: number;
  /** End boards by the place of their largest tile. */
  readonly endsBy: Readonly<Record<Region, number>>;
  /** End boards by the value of their largest tile, and of those the ones by its place. */
  readonly endsByTile: ReadonlyMap<number, Readonly<Record<Region, number>>>;
}

/** A position on a line of perfect play. */
interface Position {
  /** In canonical form. */
  readonly board: Board;
  /** What best slides lead to, once that is looked up. */
  best?: readonly Afterstate[];
}

/** An afterstate of a best slide. */
interface Afterstate {
  readonly board: Board;
  readonly value: number;
  /** What worst placements lead to, once that is looked up. */
  worst?: readonly Position[];
}

/** Lines of perfect play. Walks share what they look up. */
export class PerfectPlays {
  readonly #tiles: Tiles;
  readonly #worthOf: (node: Node) => number;
  readonly #positions = new Map<PackedBoard, Position>();
  readonly #afterstates = new Map<PackedBoard, Afterstate>();

  /** @param worthOf the value of a node, in points; a node may be asked again */
  constructor(tiles: Tiles, worthOf: (node: Node) => number) {
    this.#tiles = tiles;
    this.#worthOf = worthOf;
  }

  /** Walks through perfect play from some positions. */
  from(boards: readonly Board[]): PerfectPlay {
    const walk = this.walk(boards);
    for (;;) {
      const { done, value } = walk.next();
      if (done) return value;
    }
  }

  /** Does the same step by step. Yields the number of positions found so far. */
  *walk(boards: readonly Board[]): Generator<number, PerfectPlay, void> {
    const positions = new Set<Position>();
    const afterstates = new Set<Afterstate>();
    const waiting: Position[] = [];
    const reach = (position: Position) => {
      if (positions.has(position)) return;
      positions.add(position);
      waiting.push(position);
    };
    for (const board of boards) reach(this.#position(board));
    const endsBy = noEnds();
    const endsByTile = new Map<number, Record<Region, number>>();
    for (let position = waiting.pop(); position !== undefined; position = waiting.pop()) {
      const { board } = position;
      yield positions.size;
      if (isEnd(board)) {
        const region = regionOfLargest(board);
        const largest = largestTileOn(board);
        const ofTile = endsByTile.get(largest) ?? noEnds();
        endsBy[region]++;
        ofTile[region]++;
        endsByTile.set(largest, ofTile);
      }
      for (const afterstate of this.#best(position)) {
        if (afterstates.has(afterstate)) continue;
        afterstates.add(afterstate);
        for (const next of this.#worst(afterstate)) reach(next);
      }
    }
    return {
      positions: positions.size,
      afterstates: afterstates.size,
      ends: endsBy.corner + endsBy.edge + endsBy.centre,
      endsBy,
      endsByTile: new Map([...endsByTile].sort(([a], [b]) => a - b)),
    };
  }

  #position(board: Board): Position {
    const form = canonical(board);
    const key = packBoard(form);
    const known = this.#positions.get(key) ?? { board: form };
    this.#positions.set(key, known);
    return known;
  }

  #afterstate(board: Board): Afterstate {
    const form = canonical(board);
    const key = packBoard(form);
    const known = this.#afterstates.get(key) ?? {
      board: form,
      value: this.#worthOf({ board: form, turn: "placer" }),
    };
    this.#afterstates.set(key, known);
    return known;
  }

  #best(position: Position): readonly Afterstate[] {
    if (position.best) return position.best;
    const { board } = position;
    const value = this.#worthOf({ board, turn: "slider" });
    const all = slides(board).map(({ board: after, score }) => ({
      score,
      afterstate: this.#afterstate(after),
    }));
    const best = all.filter(({ score, afterstate }) => score + afterstate.value === value);
    position.best = best.map(({ afterstate }) => afterstate);
    return position.best;
  }

  #worst(afterstate: Afterstate): readonly Position[] {
    if (afterstate.worst) return afterstate.worst;
    const { board, value } = afterstate;
    afterstate.worst = placements(board, this.#tiles)
      .filter((placement) => this.#worthOf({ board: placement.board, turn: "slider" }) === value)
      .map((placement) => this.#position(placement.board));
    return afterstate.worst;
  }
}

function noEnds(): Record<Region, number> {
  return { corner: 0, edge: 0, centre: 0 };
}

function regionOfLargest({ rows, cols, cells }: Board): Region {
  const largest = Math.max(...cells);
  const borders = cells.flatMap((tile, cell) => {
    if (tile !== largest) return [];
    const row = Math.floor(cell / cols);
    const col = cell % cols;
    return [Number(row === 0 || row === rows - 1) + Number(col === 0 || col === cols - 1)];
  });
  return (["centre", "edge", "corner"] as const)[Math.max(...borders) as 0 | 1 | 2];
}
