import { formatBoard, isExact, mergeBounds, type Tiles } from "@gridlock/game";
import { literatureBound, type PublishedBound, publishedBound } from "@gridlock/published";
import { type Answer, type Worth, withVerdicts } from "./answer.js";

/*
 * Published bounds in answers. They are added to what is proven here at the very end, so that
 * nothing rests on them: no search begins with them, and no database stores them.
 */

/** Returns a value with the published bound, if that knows more, and with one of the literature. */
export function withPublished<T extends Worth>(
  worth: T,
  tiles: Tiles,
  warn: (sentence: string) => void,
): T {
  const literature = isExact(worth.bound) ? undefined : literatureBound(worth, tiles);
  const cited = literature ? { ...worth, literature } : worth;
  const published = publishedBound(worth, tiles);
  if (published === undefined) return cited;
  const bound = mergeBounds(worth.bound, published);
  if (bound.lo > bound.hi) warn(contradiction(worth, published));
  const { lo, hi } = worth.bound;
  if (bound.lo > bound.hi || (bound.lo === lo && bound.hi === hi)) return cited;
  return { ...cited, bound, source: "published", provenance: published.provenance };
}

/** Adds the published bound, and what it implies for the moves; see {@link withPublished}. */
export function answerWithPublished(
  answer: Answer,
  tiles: Tiles,
  warn: (sentence: string) => void,
): Answer {
  const published = withPublished(answer, tiles, warn);
  if (published.bound === answer.bound) return published;
  const { turn, bound } = published;
  const moves = published.moves.map((move) => {
    // Published boards are starts, and no slide is worth more than its position.
    const most = { lo: 0, hi: bound.hi - move.score };
    return { ...move, bound: mergeBounds(move.bound, most) };
  });
  return { ...published, moves: withVerdicts(turn, bound, moves) };
}

function contradiction({ board, bound }: Worth, { lo, hi, provenance }: PublishedBound): string {
  return `${provenance.source} gives ${formatBoard(board)} a value from ${lo} to ${hi}, which contradicts the proven ${bound.lo} to ${bound.hi} and is not used; please report this`;
}
