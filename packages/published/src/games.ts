import {
  type Board,
  type Bound,
  boundByRules,
  canonical,
  fewestPoints,
  formatShape,
  formatTiles,
  type Game,
  isStart,
  type Node,
  parseShape,
  parseTiles,
  sameBoard,
  starts,
  type Tiles,
} from "@gridlock/game";
import type { Literature, Published } from "@gridlock/schemas";
import data from "./data.json" with { type: "json" };

/** The values of one game as `data.json` stores them, in the order of the game's starts. */
interface PublishedRecord extends Published {
  /** Rows and columns, e.g. `2x3`. */
  readonly shape: string;
  /** The placer's tiles, `2,4` or `2`. */
  readonly tiles: string;
  /** True if `lo` has the values; otherwise upper bounds follow from the rules alone. */
  readonly solved: boolean;
  /** A proven lower bound of each start, in points. */
  readonly lo: readonly number[];
}

/**
 * The published values of all starts, by game, smallest shapes first; made by
 * `npm run generate -- published`.
 */
const DATA = data as readonly PublishedRecord[];

/** A start in canonical form with its published bound, in points: exact if it is solved. */
export interface PublishedStart extends Bound {
  readonly board: Board;
}

/** A game with the published bounds of all its starts, and their provenance. */
export interface PublishedGame extends Game {
  readonly provenance: Published;
  /** All starts, in the order of `starts` of the package `game`. */
  readonly starts: readonly PublishedStart[];
}

/** The published bound of a start that was looked up, with its provenance. */
export interface PublishedBound extends PublishedStart {
  readonly provenance: Published;
}

/** Games by their records. Each is made when it is first needed, to keep imports cheap. */
const games = new Map<PublishedRecord, PublishedGame>();

/**
 * Lists the games whose starts have published values or bounds, small shapes first. The values are
 * copies of those in `results/`, and each game's provenance says which run found them and what
 * confirms them. They are data, not a proof: whatever proves or stores bounds must not read them.
 */
export function publishedGames(): PublishedGame[] {
  return DATA.map(gameOf);
}

/**
 * Returns the published bound of a start or of any image of it, transposed shapes included, or
 * `undefined`: for other boards, for afterstates, and for games that are not published.
 *
 * For a solved start, `lo` and `hi` are equal. For others, `lo` was proven by search and `hi` follows
 * from the rules alone.
 */
export function publishedBound(node: Node, tiles: Tiles): PublishedBound | undefined {
  if (!isStart(node)) return undefined;
  const form = canonical(node.board);
  const shape = formatShape(form);
  const record = DATA.find((one) => one.shape === shape && one.tiles === formatTiles(tiles));
  if (record === undefined) return undefined;
  const { starts: all, provenance } = gameOf(record);
  const start = all.find(({ board }) => sameBoard(board, form));
  return start && { ...start, provenance };
}

function gameOf(record: PublishedRecord): PublishedGame {
  const game = games.get(record) ?? makeGame(record);
  games.set(record, game);
  return game;
}

function makeGame({ lo, solved, shape, tiles, ...provenance }: PublishedRecord): PublishedGame {
  const all = starts(parseShape(shape)).map((board, i): PublishedStart => {
    const least = lo[i] as number;
    return { board, lo: least, hi: solved ? least : boundByRules({ board, turn: "slider" }).hi };
  });
  return { shape: parseShape(shape), tiles: parseTiles(tiles), provenance, starts: all };
}

/** The tile that the cited proof forces on 4×4. */
const FORCED = 256;

const SLIZKOV: Literature = {
  bound: fewestPoints(FORCED),
  citation: "I. Slizkov, arXiv 2303.07266 (2023)",
  says: `a tile of ${FORCED} can be forced on 4×4`,
  checked: false,
};

/**
 * Returns the lower bound of a start that is known from the literature alone, or `undefined`. It
 * has no `lo` on purpose: it is no {@link Bound} and cannot be merged with one. There is one, for
 * all starts of 4×4 with 2s and 4s: according to a published proof, which Gridlock has not checked,
 * the slider can force a tile of 256, and so at least the {@link fewestPoints} of making it, 1,536.
 */
export function literatureBound(node: Node, tiles: Tiles): Literature | undefined {
  if (!isStart(node) || tiles.length !== 2) return undefined;
  return formatShape(node.board) === "4x4" ? SLIZKOV : undefined;
}
