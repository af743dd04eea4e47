/*
 * The conditions under which a claim about an afterstate follows. All points are divided by 4.
 *
 *     h ≥ need    for every placement there is a slide with score + h(its board) ≥ need
 *     h ≤ most    for some placement, score + h(its board) ≤ most for every slide
 *
 * Only claims of the same file count for the boards after slides. Those about boards of the block
 * are checked in the same way, those about guests against the files of their own blocks. Two kinds
 * of bounds are claimed nowhere:
 *
 * - The search counts merges that no placement can prevent (`surelyEarned`), and keeps no bounds of
 *   the boards on the way. So these merges are played out here, after every placement. The count
 *   only suggests slides to try.
 * - A board after which the placer can end the game at once is worth 0.
 */
import { CELL_ONES, emptyAmong } from "../../boards/assembly/cells";
import { surelyEarned } from "../../kernel/assembly/bound";
import { afterstateKey, mix } from "../../kernel/assembly/keys";
import {
  boardAt,
  CHILD_BYTES,
  scoreOf,
  slideCount,
  SLIDES_HEAD,
} from "../../kernel/assembly/children";
import { SLID_BYTES } from "../../kernel/assembly/layout";
import { attachMoves, listSlidesOfReply, slideAll } from "../../kernel/assembly/moves";
import { NONE } from "./bounds";
import { FRAME_BYTES, FRAMES, MAX_DEPTH, MEMO, Memo, MEMO_BYTES, MEMO_LOG2 } from "./check-layout";
import { findClaim } from "./claims";

/** Exponents of the tiles that can be placed, one bit each. */
let tiles: u32 = 6;
/** Boards on which merges were played out. */
export let played: u64 = 0;

export function setTiles(bits: u32): void {
  tiles = bits;
}

/** Forgets all shown bounds. */
export function clearMemo(): void {
  memory.fill(MEMO, 0, MEMO_BYTES);
}

@inline
function frameAt(depth: i32): usize {
  return FRAMES + <usize>depth * FRAME_BYTES;
}

/**
 * Sets the frame of a depth for slides. Slides after which the game ends are listed like others.
 */
@inline
function attachFrame(depth: i32): void {
  attachMoves(frameAt(depth), 0, 0);
}

/** Lists the slides after a placement on the board that was slid in a frame; returns the list. */
@inline
function listAfter(depth: i32, cell: i32, tile: i32): usize {
  const list = frameAt(depth) + SLID_BYTES;
  listSlidesOfReply(list, cell, tile);
  return list;
}

@inline
function boardIn(list: usize, i: i32): u64 {
  return boardAt(list + SLIDES_HEAD + i * CHILD_BYTES);
}

@inline
function scoreIn(list: usize, i: i32): i32 {
  return scoreOf(list + SLIDES_HEAD + i * CHILD_BYTES);
}

/** Returns true if h ≥ need is shown for an afterstate; see the file comment. */
export function followsLower(board: u64, need: i32): bool {
  return isLower(board, need, 0);
}

function isLower(board: u64, need: i32, depth: i32): bool {
  const empties = emptyAmong(CELL_ONES, board);
  if (empties == 0 || depth > MAX_DEPTH) return false; // not an afterstate
  attachFrame(depth);
  slideAll(board);
  for (let tile = 2; tile >= 1; tile--) {
    if (((tiles >> tile) & 1) == 0) continue;
    for (let empty = empties; empty != 0; empty &= empty - 1) {
      const list = listAfter(depth, <i32>ctz(empty) >> 2, tile);
      if (isKnownLower(list, need)) continue;
      if (!isPlayedOut(list, need, depth)) return false;
      attachFrame(depth);
    }
  }
  return true;
}

/** Returns true if a slide of a list reaches `need` by its points alone or by a claim. */
@inline
function isKnownLower(list: usize, need: i32): bool {
  for (let i = 0; i < slideCount(list); i++) {
    if (scoreIn(list, i) >= need) return true;
  }
  for (let i = 0; i < slideCount(list); i++) {
    const claim = findClaim(mix(afterstateKey(boardIn(list, i))));
    if (claim && scoreIn(list, i) + <i32>claim.lo >= need) return true;
  }
  return false;
}

/** Returns a board's entry in the memo. */
@inline
function memoOf(board: u64): Memo {
  const number = <usize>((mix(afterstateKey(board)) * 0x9e3779b97f4a7c15) >> (64 - MEMO_LOG2));
  return changetype<Memo>(MEMO + number * offsetof<Memo>());
}

/** Returns the slide of a list with the most points among those not yet tried, one bit each; or −1. */
function nextSlide(list: usize, tried: u32): i32 {
  let best: i32 = -1;
  for (let i = 0; i < slideCount(list); i++) {
    if (((tried >> i) & 1) != 0) continue;
    if (best < 0 || scoreIn(list, i) > scoreIn(list, best)) best = i;
  }
  return best;
}

/**
 * Returns true if a slide of a list is shown to reach `need` by playing its merges out. Slides with
 * many points come first: they leave fewer merges to play out. In the order of their directions, some
 * blocks of 2×7 had hundreds of times as many boards to play out.
 */
function isPlayedOut(list: usize, need: i32, depth: i32): bool {
  for (let i = 0; i < slideCount(list); i++) {
    const memo = memoOf(boardIn(list, i));
    if (memo.board == boardIn(list, i) && memo.need >= need - scoreIn(list, i)) return true;
  }
  let tried: u32 = 0;
  for (let i = nextSlide(list, tried); i >= 0; i = nextSlide(list, tried)) {
    tried |= 1 << i;
    const rest = need - scoreIn(list, i);
    const board = boardIn(list, i);
    if (surelyEarned(board, false, tiles, tiles, rest) < rest) continue;
    played++;
    if (!isLower(board, rest, depth + 1)) continue;
    const memo = memoOf(board);
    memo.board = board;
    memo.need = rest;
    return true;
  }
  return false;
}

/** Returns true if h ≤ most is shown for an afterstate; see the file comment. */
export function followsUpper(board: u64, most: i32): bool {
  attachFrame(0);
  slideAll(board);
  for (let tile = 2; tile >= 1; tile--) {
    if (((tiles >> tile) & 1) == 0) continue;
    for (let empty = emptyAmong(CELL_ONES, board); empty != 0; empty &= empty - 1) {
      if (isKnownUpper(listAfter(0, <i32>ctz(empty) >> 2, tile), most)) return true;
      attachFrame(0);
    }
  }
  return false;
}

/** Returns true if no slide of a list can be worth more than `most`. */
@inline
function isKnownUpper(list: usize, most: i32): bool {
  for (let i = 0; i < slideCount(list); i++) {
    if (scoreIn(list, i) > most) return false;
  }
  for (let i = 0; i < slideCount(list); i++) {
    const board = boardIn(list, i);
    const claim = findClaim(mix(afterstateKey(board)));
    const hi = claim ? <i32>claim.hi : NONE;
    if (hi != NONE && scoreIn(list, i) + hi <= most) continue;
    if (!canEnd(board)) return false;
  }
  return true;
}

/** Returns true if a placement leaves no slide. */
function canEnd(board: u64): bool {
  const empty = emptyAmong(CELL_ONES, board);
  // With another empty cell left, some tile can always move.
  if (empty == 0 || (empty & (empty - 1)) != 0) return false;
  attachFrame(1);
  slideAll(board);
  for (let tile = 2; tile >= 1; tile--) {
    if (((tiles >> tile) & 1) == 0) continue;
    if (slideCount(listAfter(1, <i32>ctz(empty) >> 2, tile)) == 0) return true;
  }
  return false;
}
