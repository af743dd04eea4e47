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
  type Turn,
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

/** A line of perfect play, and its number of slides. */
export interface LongestLine {
  readonly start: Board;
  readonly slides: number;
  readonly end: Board;
}

/** The rest of a longest line. */
type Rest = Omit<LongestLine, "start">;

/** A node on a line of perfect play. */
interface Spot {
  /** In canonical form. */
  readonly board: Board;
  readonly turn: Turn;
  readonly value: number;
  /** The nodes after the best slides or the worst placements, once they have been looked up. */
  next?: readonly Spot[];
  /** The rest of the longest line from a position, once it has been found. */
  rest?: Rest;
}

/** Lines of perfect play. Walks share what they look up. */
export class PerfectPlays {
  readonly #tiles: Tiles;
  readonly #worthOf: (node: Node) => number;
  readonly #spots = {
    slider: new Map<PackedBoard, Spot>(),
    placer: new Map<PackedBoard, Spot>(),
  };

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
    const found = { slider: new Set<Spot>(), placer: new Set<Spot>() };
    const waiting: Spot[] = [];
    const reach = (spot: Spot) => {
      if (found[spot.turn].has(spot)) return;
      found[spot.turn].add(spot);
      waiting.push(spot);
    };
    for (const board of boards) reach(this.#spot(board, "slider"));
    const endsBy = noEnds();
    const endsByTile = new Map<number, Record<Region, number>>();
    for (let spot = waiting.pop(); spot !== undefined; spot = waiting.pop()) {
      const { board, turn } = spot;
      yield found.slider.size;
      if (turn === "slider" && isEnd(board)) {
        const region = regionOfLargest(board);
        const largest = largestTileOn(board);
        const ofTile = endsByTile.get(largest) ?? noEnds();
        endsBy[region]++;
        ofTile[region]++;
        endsByTile.set(largest, ofTile);
      }
      this.#next(spot).forEach(reach);
    }
    return {
      positions: found.slider.size,
      afterstates: found.placer.size,
      ends: endsBy.corner + endsBy.edge + endsBy.centre,
      endsBy,
      endsByTile: new Map([...endsByTile].sort(([a], [b]) => a - b)),
    };
  }

  /**
   * Returns the longest line of perfect play from a position: among best slides and worst
   * placements, it takes the ones that last longest.
   */
  longestFrom(start: Board): LongestLine {
    return { start, ...this.#restOf(this.#spot(start, "slider")) };
  }

  #restOf(spot: Spot): Rest {
    if (spot.rest) return spot.rest;
    let rest: Rest = { slides: 0, end: spot.board };
    for (const position of this.#next(spot).flatMap((after) => this.#next(after))) {
      const { slides, end } = this.#restOf(position);
      if (slides >= rest.slides) rest = { slides: slides + 1, end };
    }
    spot.rest = rest;
    return rest;
  }

  #spot(board: Board, turn: Turn): Spot {
    const form = canonical(board);
    const key = packBoard(form);
    let spot = this.#spots[turn].get(key);
    if (spot === undefined) {
      spot = { board: form, turn, value: this.#worthOf({ board: form, turn }) };
      this.#spots[turn].set(key, spot);
    }
    return spot;
  }

  #next(spot: Spot): readonly Spot[] {
    const { board, turn, value } = spot;
    spot.next ??=
      turn === "slider"
        ? slides(board)
            .map((slide) => ({ score: slide.score, after: this.#spot(slide.board, "placer") }))
            .filter(({ score, after }) => score + after.value === value)
            .map(({ after }) => after)
        : placements(board, this.#tiles)
            .filter(
              (placement) => this.#worthOf({ board: placement.board, turn: "slider" }) === value,
            )
            .map((placement) => this.#spot(placement.board, "slider"));
    return spot.next;
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
