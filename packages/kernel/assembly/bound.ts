/*
 * A lower bound of an afterstate that holds whatever is placed: the best the slider can do with
 * merges that nothing placed can prevent. The idea is Qiu's LBHSV (Algorithm 2); as printed it can
 * claim too much, since a tile at the end of a run may merge with what lands behind it. This is a
 * sound form.
 *
 * Some cells are known to hold a tile; the content of all others is unknown (0 here). At first the
 * empty cells are unknown. Sliding toward a wall, the tiles of each line from the wall to the first
 * unknown cell move and merge as they always do. All tiles behind that cell become unknown, for
 * nobody can tell where they come to rest. So does the last tile of the run if it has not just been
 * merged and a tile of its value may slide against it: the first known tile behind the gap, or an
 * unknown one. For the latter, `values` is the set of exponents that unknown tiles can have: what is
 * placed, what has become unknown, and what these can merge into by a slide each.
 *
 * A slide is taken only if known tiles merge, so it is legal in the real game; it earns there at
 * least what the known merges earn, and leaves every known tile in its place: what is placed next
 * goes to an empty cell, which is unknown. By induction over the slides the sum of the merges is
 * earned against every placer.
 */
import { CELLS, SQUARE } from "./shape";
import { imagePair, SLIDE_IMAGES, unpack } from "./board";

/** Left by {@link slideKnownLine} beside its result. */
let lineScore: i32 = 0;
let released: u32 = 0;

/** Slides the known tiles of one line; `values` is the set of exponents of unknown tiles. */
function slideKnownLine(line: u64, length: i32, values: u32): u64 {
  let slid: u64 = 0;
  let end = 0;
  let last: u64 = 0;
  let cell = 0;
  for (; cell < length; cell++) {
    const tile = (line >> (4 * cell)) & 15;
    if (tile == 0) break;
    if (tile == last) {
      slid += u64(1) << (end - 4);
      lineScore += 1 << (<i32>tile - 1);
      last = 0;
    } else {
      slid |= tile << end;
      end += 4;
      last = tile;
    }
  }
  if (cell == length) return slid;
  let behind = line >> (4 * cell);
  if (behind != 0) behind >>= ctz(behind) & ~3;
  if (last != 0 && (((values >> <u32>last) & 1) != 0 || (behind & 15) == last)) {
    slid &= ~(u64(15) << (end - 4));
    released |= 1 << <u32>last;
  }
  for (; behind != 0; behind >>= 4) released |= 1 << <u32>(behind & 15);
  return slid & ((u64(1) << (4 * length)) - 1);
}

function slideKnown(board: u64, lines: i32, length: i32, values: u32): u64 {
  const bits = 4 * length;
  const mask = (u64(1) << bits) - 1;
  let slid: u64 = 0;
  lineScore = 0;
  released = 0;
  for (let i = 0; i < lines; i++) {
    slid |= slideKnownLine((board >> (i * bits)) & mask, length, values) << (i * bits);
  }
  return slid;
}

/**
 * Points / 4 that the slider surely gets from an afterstate; stops at `enough`.
 *
 * @param known the known tiles, in the normal layout or, with `transposed`, in the other one
 * @param values exponents of unknown tiles, a bit each; at first those of the tiles placed
 */
export function surelyEarned(known: u64, transposed: bool, values: u32, placed: u32, enough: i32): i32 {
  // @ts-ignore: given by the compiler's command line
  const rows = ROWS;
  // @ts-ignore: given by the compiler's command line
  const cols = COLS;
  const cells = unpack(known);
  const images = SLIDE_IMAGES + (!SQUARE && transposed ? 64 : 0);
  const straight = imagePair(cells, images);
  const turned = imagePair(cells, images + 32);
  let best = 0;
  for (let i = 0; i < 4; i++) {
    const pair = i < 2 ? straight : turned;
    const image = i & 1 ? i64x2.extract_lane(pair, 1) : i64x2.extract_lane(pair, 0);
    const across = (i >= 2) != transposed;
    const slid = across
      ? slideKnown(image, cols, rows, values)
      : slideKnown(image, rows, cols, values);
    const score = lineScore;
    if (score == 0) continue;
    if (score >= enough) return score;
    const unknown = (values | released) & ~1;
    const next = unknown | (unknown << 1) | placed;
    best = max(best, score + surelyEarned(slid, across, next, placed, enough - score));
    if (best >= enough) return best;
  }
  return best;
}
