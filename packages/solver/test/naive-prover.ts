import {
  type Board,
  type Bound,
  canonical,
  exponentOf,
  type Game,
  mergeBounds,
  type PackedBoard,
  packBoard,
  placements,
  slides,
  tileSum,
  UNKNOWN,
  unpackBoard,
} from "@gridlock/game";
import type { StartBound } from "@gridlock/solver";

/** Returns whether the value of a node, a position or an afterstate, is at least a threshold. */
export type Reaches = (board: Board, turn: "slider" | "placer", threshold: number) => boolean;

interface Reply {
  readonly board: Board;
  readonly key: PackedBoard;
  readonly tileSum: number;
}

/**
 * Makes a certificate as `assembly/expand.ts` describes it, in plain code. Returns its claims, by
 * the packed board.
 */
export function naiveCertificate(
  game: Game,
  starts: readonly StartBound[],
  reaches: Reaches,
): Map<PackedBoard, Bound> {
  const isLower = starts.every(({ bound }) => bound.hi === Number.POSITIVE_INFINITY);
  const rank = isLower && game.shape.rows > 2 ? rankByPoints : rankOf;
  const claims = new Map<PackedBoard, Bound>();
  const sums = new Map<number, Map<PackedBoard, Bound>>();
  const demand = (sum: number, key: PackedBoard, bound: Bound) => {
    const demands = sums.get(sum) ?? new Map<PackedBoard, Bound>();
    sums.set(sum, demands);
    demands.set(key, mergeBounds(demands.get(key) ?? UNKNOWN, bound));
  };
  for (const { board, bound } of starts) {
    demand(tileSum(board), packBoard(canonical(board)), bound);
  }
  while (sums.size > 0) {
    const sum = Math.min(...sums.keys());
    const demands = sums.get(sum) as Map<PackedBoard, Bound>;
    sums.delete(sum);
    const keys = [...demands.keys()].sort((a, b) => (a < b ? -1 : 1));
    const size = Math.min(16_384, Math.max(64, Math.ceil(keys.length / 64)));
    for (let from = 0; from < keys.length; from += size) {
      const made: [Reply, Bound][] = [];
      for (const key of keys.slice(from, from + size)) {
        const claim = demands.get(key) as Bound;
        claims.set(key, claim);
        const known = (reply: Reply) => sums.get(reply.tileSum)?.get(reply.key) ?? UNKNOWN;
        made.push(...expand(game, unpackBoard(game.shape, key), claim, known, reaches, rank));
      }
      for (const [{ tileSum, key }, bound] of made) demand(tileSum, key, bound);
    }
  }
  return claims;
}

/** Returns the demands for a claim. */
function expand(
  { tiles }: Game,
  board: Board,
  { lo, hi }: Bound,
  known: (reply: Reply) => Bound,
  reaches: Reaches,
  rankSlide: typeof rankByPoints,
): [Reply, Bound][] {
  const choices = different(
    slides(board).map(({ board, score }) => {
      const after = canonical(board);
      return { after, key: packBoard(after), score };
    }),
  ).map((slide) => ({ ...slide, replies: repliesTo(slide.after, tiles) }));
  const made: [Reply, Bound][] = [];
  if (lo > 0 && !choices.some(({ score }) => score >= lo)) {
    const ranked = choices.map(({ after, key, score, replies }) => {
      const need = lo - score;
      const missing = replies.filter((reply) => known(reply).lo < need);
      const part = Math.floor((32 * missing.length) / replies.length);
      const rank = missing.length === 0 ? Number.NEGATIVE_INFINITY : rankSlide(after, score) + part;
      return { after, key, need, missing, rank };
    });
    ranked.sort((a, b) => (a.rank === b.rank ? (a.key < b.key ? -1 : 1) : a.rank - b.rank));
    const chosen = ranked.find(
      ({ after, need, missing }) => missing.length === 0 || reaches(after, "placer", need),
    );
    if (chosen === undefined) throw new Error("a lower claim is false");
    for (const reply of chosen.missing) made.push([reply, { ...UNKNOWN, lo: chosen.need }]);
  }
  if (hi < Number.POSITIVE_INFINITY) {
    for (const { after, score, replies } of choices) {
      const need = hi - score;
      if (replies.some((reply) => known(reply).hi <= need)) continue;
      const isAlmostFull = after.cells.filter((tile) => tile === 0).length <= 3;
      const order = isAlmostFull
        ? replies.toSorted((a, b) => slidesOf(a.board) - slidesOf(b.board))
        : replies;
      const chosen = order.find((reply) => !reaches(reply.board, "slider", need + 4));
      if (chosen === undefined) throw new Error("an upper claim is false");
      made.push([chosen, { ...UNKNOWN, hi: need }]);
    }
  }
  return made;
}

/** Returns the different replies to a canonical afterstate: 4s first, each by cell. */
function repliesTo(after: Board, tiles: Game["tiles"]): Reply[] {
  const replies = placements(after, tiles).map(({ tile, board: placed }) => {
    const board = canonical(placed);
    return { tile, board, key: packBoard(board), tileSum: tileSum(board) };
  });
  return different(replies.sort((a, b) => b.tile - a.tile));
}

function different<T extends { readonly key: PackedBoard }>(items: readonly T[]): T[] {
  return items.filter(({ key }, i) => items.findIndex((other) => other.key === key) === i);
}

/** Returns the number of different boards after the slides of a position. */
function slidesOf(board: Board): number {
  return new Set(slides(board).map((slide) => packBoard(canonical(slide.board)))).size;
}

/** The rank of a slide: exponents beside empty cells, less four for each empty cell. */
function rankOf({ rows, cols, cells }: Board): number {
  const at = (row: number, col: number) =>
    row < 0 || row >= rows || col < 0 || col >= cols
      ? 0
      : exponentOf(cells[row * cols + col] as number);
  let rank = 0;
  cells.forEach((tile, cell) => {
    if (tile !== 0) return;
    const row = Math.floor(cell / cols);
    const col = cell % cols;
    rank += at(row - 1, col) + at(row + 1, col) + at(row, col - 1) + at(row, col + 1) - 4;
  });
  return rank;
}

/** The same, less 4 for each pair of adjacent equal tiles and 7 for each doubling of the points. */
function rankByPoints(board: Board, score: number): number {
  const { cols, cells } = board;
  const pairs = cells.reduce((count, tile, cell) => {
    const isBeside = cell % cols < cols - 1 && tile === cells[cell + 1];
    return tile === 0 ? count : count + Number(isBeside) + Number(tile === cells[cell + cols]);
  }, 0);
  const doublings = score === 0 ? 0 : Math.floor(Math.log2(score / 4)) + 1;
  return rankOf(board) - 4 * pairs - 7 * doublings;
}
