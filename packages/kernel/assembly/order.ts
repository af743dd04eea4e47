/*
 * The order in which to search children. It affects only the time a search takes: an answer is
 * reached with the first child that decides it, and a child that does not costs a whole subtree.
 *
 * A consistent choice helps more than a good guess. A placer guided by merges left, room to move,
 * unevenness, or even certain points (the best guess of all) picks a reply that holds more often
 * and yet searches more nodes, presumably because a placer that always replies in the same place
 * relative to the large tiles keeps reaching the same boards. The canonical board is the smallest
 * number, with its tiles toward the first cells. So the placer's order is that of the cells, every
 * 4 before any 2, and {@link replyRank} departs from it only on boards that are almost full.
 *
 * Features and weights were chosen one at a time by node counts of all starts of 3×3, 2×4 and 2×5
 * and of the question h ≥ 192 of 3×4; near these weights the counts change by a few percent.
 */
import { CELL_ONES, emptyAmong, equalAhead, firstCells } from "../../boards/assembly/cells";
import { COL_COUNT, ROW_COUNT } from "../../boards/assembly/shape";

const ROW_BITS: i32 = 4 * COL_COUNT;
/** All bits of the first and of the last cell of each row. */
const FIRST_IN_ROW: u64 = firstCells(COL_COUNT);
const LAST_IN_ROW: u64 = FIRST_IN_ROW << (ROW_BITS - 4);

/**
 * Weight of an empty cell after a slide, in exponents of {@link exposure}; −4, 0 and 4 were tried.
 */
const EMPTY_WEIGHT: i32 = 4;
/**
 * True if slides are also ranked by pairs of equal tiles and by points. From three rows on, that
 * saves a quarter of the nodes of a question far below the value, and nearly half on large shapes.
 * Close to the value it saves nothing (3×4) or costs 2 % (3×3), and on two rows 4 to 10 %.
 */
const IS_TALL: bool = ROW_COUNT > 2;
/** Weight of two equal tiles side by side, in exponents; 2, 3 and 6 were tried. */
const PAIR_WEIGHT: i32 = 4;
/** Weight of a doubling of a slide's points, in exponents; 0, 2, 4 and 14 were tried. */
const POINTS_WEIGHT: i32 = 7;
/**
 * Maximum number of empty cells before a reply at which the number of slides left to refute counts;
 * 0, 2, 3, 4 and all were tried.
 */
const ALMOST_FULL: i32 = 3;

/**
 * Greatest length of a path at which a machine that shares bounds with others searches replies in
 * an order of its own, and slides in any order where all must be searched. Machines with one order
 * would search the same nodes at the same time, and tell each other too late what they find. But a
 * machine whose order is quite different builds another proof, so replies only change places with
 * near ones. Without this limit, 2, 4 and 16 machines were 1 to 2 % slower in the simulation of
 * 2×6, h ≥ 352.
 */
export const SHIFTED_DEPTH: i32 = 45;
/** The bits of an order's number that say how many machines there are before it. */
const MACHINE: u32 = 255;
/** Number of bits of {@link chanceOf}. */
const CHANCE_BITS: i32 = 24;
/** Most places, in sixteenths, by which a reply is shifted. */
const MOST_SHIFT: u64 = 200;
/**
 * Number of replies that have not refuted an afterstate after which the others are expected not to
 * either. Where a node is expected to hold, all its replies have to be searched, in any order, but
 * the first slide should do. Where it is expected to fail, it is the other way round. So a
 * machine's own order changes that of replies only if they are expected to hold, and that of slides
 * only if they are expected to fail; a question is expected to fail at first. 1 and 2 were tried.
 */
export const HELD: i32 = 2;

/** Adds the two cells of each byte. */
@inline
function addCells(board: u64): u64 {
  return (board & 0x0f0f0f0f0f0f0f0f) + ((board >> 4) & 0x0f0f0f0f0f0f0f0f);
}

/**
 * Returns the sum of the exponents of tiles adjacent to empty cells, once for each such neighbour.
 */
@inline
function exposure(board: u64, empty: u64): i32 {
  const cells = empty * 15;
  const bytes = // four sums of at most 30 each
    addCells(board & (cells >> 4) & ~LAST_IN_ROW) +
    addCells(board & (cells << 4) & ~FIRST_IN_ROW) +
    addCells(board & (cells >> ROW_BITS)) +
    addCells(board & (cells << ROW_BITS));
  const words = (bytes & 0x00ff00ff00ff00ff) + ((bytes >> 8) & 0x00ff00ff00ff00ff);
  return <i32>((words * 0x0001000100010001) >> 48);
}

/** Returns the number of pairs of equal tiles side by side. */
@inline
function pairsOf(board: u64): i32 {
  const beside = equalAhead(board, 1) & ~LAST_IN_ROW;
  return <i32>popcnt(beside) + <i32>popcnt(equalAhead(board, COL_COUNT));
}

/**
 * Returns the rank of an afterstate, lowest first: large tiles enclosed, many cells empty.
 */
@inline
export function boardRank(after: u64): i32 {
  const empty = emptyAmong(CELL_ONES, after);
  return exposure(after, empty) - EMPTY_WEIGHT * <i32>popcnt(empty);
}

/**
 * Returns the rank of a slide by its afterstate and the points / 4 that it earns: on tall boards
 * also many pairs and many points.
 */
@inline
export function slideRank(after: u64, score: i32): i32 {
  const rank = boardRank(after);
  if (!IS_TALL) return rank;
  return rank - PAIR_WEIGHT * pairsOf(after) - POINTS_WEIGHT * (32 - <i32>clz(score));
}

/**
 * Returns the rank of a slide in another order, for confirmations: by the number of empty cells
 * alone.
 */
export function otherSlideRank(after: u64): i32 {
  return -(<i32>popcnt(emptyAmong(CELL_ONES, after)));
}

/** Returns true if {@link replyRank} distinguishes the replies to an afterstate. */
@inline
export function isAlmostFull(afterstate: u64): bool {
  return <i32>popcnt(emptyAmong(CELL_ONES, afterstate)) <= ALMOST_FULL;
}

/**
 * Returns the rank of a reply, lowest first: few slides left to refute. Replies of equal rank keep
 * the order of their cells.
 */
@inline
export function replyRank(almostFull: bool, undecided: i32): i32 {
  return almostFull ? undecided : 0;
}

/** Returns a number that seems random by a board and the number of a machine's order. */
@inline
function chanceOf(board: u64, order: u32): i32 {
  const odd = (<u64>order * 0x9e3779b97f4a7c15) | 1;
  return <i32>((board * odd) >> (64 - CHANCE_BITS));
}

/** Returns a reply's rank in a machine's own order, from `rank` and `index` in the common order. */
@inline
export function ownRank(reply: u64, rank: i32, index: i32, order: u32): i32 {
  const shift = ((<u64>chanceOf(reply, order) & 255) * MOST_SHIFT) >> 8;
  return (rank << 10) + (index << 4) + <i32>shift;
}

/**
 * Returns the rank of a slide in a machine's own order. If all slides are expected to fail, it is
 * any. Otherwise the second machine breaks ties differently, and with each doubling of the machines
 * before it a machine also changes the order of slides whose ranks are twice as far apart: the
 * more machines, the more of them would search the same nodes. With ties alone, 16 machines had
 * .38 in place of .40 in the simulation of a whole 2×5, and 64 had .24 in place of .26 in that of
 * 2×6, h ≥ 352; with differences up to 15 for all, 2 machines had .90 there in place of .94.
 */
@inline
export function ownSlideRank(after: u64, rank: i32, isAny: bool, order: u32): i32 {
  const chance = chanceOf(after, order);
  if (isAny) return chance;
  const doublings = 31 - <i32>clz(order & MACHINE);
  return 2 * rank + (chance >> (CHANCE_BITS - 1 - doublings));
}
