/*
 * Functions that the host calls. A memory is made ready once, by `prepare`; then each thread that uses
 * it has an instance and calls `attach`. Blocks are named by their places (`residents.ts`). A visit:
 *
 *     enter                                     the block, if it is in memory, or else
 *     begin, beginReading, readMore, endReading    an empty one, and what its file has
 *     beginVisit, takeDemands, takeAnswers      what is to be done
 *     pass, endVisit                            the work, and the letters that it has written
 *
 * A block is saved by `beginSaving` and `saveMore`, and taken out of memory by `release`.
 */
import { prepareBoards } from "../../boards/assembly/board";
import { prepareEarnings, prepareLines } from "../../boards/assembly/lines";
import { boardOf, unmix } from "../../kernel/assembly/keys";
import { attachMoves, preparePlaces } from "../../kernel/assembly/moves";
import { setLargeTiles } from "./blocks";
import { attachExpansion, chosenAgain, expanded, looks, startBound } from "./expand";
import { attachFiles } from "./files";
import {
  BLOCK_BYTES,
  BLOCKS,
  LOCK,
  MAX_BLOCKS,
  QUEUES,
  SLID,
  STAGE_BYTES,
  STAGE_IN,
  STAGE_OUT,
  threadAt,
} from "./layout";
import { attachLetters, clearLetters, lettersAt } from "./letters";
import { clearMade } from "./making";
import { clearTouched } from "./nodes";
import { attachPages, preparePages, returnAll } from "./pages";
import { beginPasses, endPasses, forgetDemands } from "./passes";
import { attachQueues } from "./queues";
import {
  clearBlock,
  enter,
  held,
  leave,
  liveNodes,
  openNodes,
  ownerOf,
  waitingNodes,
} from "./residents";
import { beginTable, endAppending } from "./slots";

export { lookAtStart } from "./expand";
export { beginReading, beginSaving, endReading, readMore, saveMore } from "./files";
export { takeAnswers, takeDemands } from "./inbox";
export { pass } from "./passes";
export { enter, leave, numberOf, placeOf } from "./residents";
export { BLOCK_BYTES, BLOCKS, LOCK, MAX_BLOCKS, STAGE_BYTES };

/** Keys for which the table of a new block has room. */
const FIRST_KEYS: u32 = 512;

/** Fills the read-only tables, and makes all pages of a memory of `bytes` free. Called once for a memory. */
export function prepare(threads: u32, bytes: usize): void {
  prepareBoards();
  prepareEarnings(0);
  prepareLines();
  preparePlaces();
  preparePages(threads, bytes);
}

/**
 * Makes this instance thread number `thread` of `threads`; sets the tiles that can be placed, one bit
 * for each exponent, and the exponent of the smallest tile that counts as large (`blocks.ts`).
 */
export function attach(thread: u32, threads: u32, bytes: usize, tiles: u32, firstLarge: u32): void {
  const at = threadAt(thread);
  attachMoves(at + SLID, 0, tiles);
  attachExpansion(at, tiles);
  attachQueues(at + QUEUES);
  attachFiles(at);
  attachLetters(thread);
  attachPages(threads, bytes);
  setLargeTiles(firstLarge);
}

/** Returns the address of the bytes through which a thread reads. */
export function stageIn(thread: u32): usize {
  return threadAt(thread) + STAGE_IN;
}

/** Returns the address of the bytes through which a thread writes. */
export function stageOut(thread: u32): usize {
  return threadAt(thread) + STAGE_OUT;
}

/** Turns to a block that is not in memory; a table must follow. */
export function begin(place: u32): void {
  clearBlock(place);
  enter(place);
}

/** Gives a block an empty table. */
export function beginEmpty(): void {
  beginTable(FIRST_KEYS);
  endAppending();
}

/**
 * Begins the visit of the current block; its number distinguishes it from others. With `isNewRound` or
 * `isFresh`, nothing is demanded any more ({@link forgetDemands}).
 */
export function beginVisit(visit: u32, isFresh: bool, isNewRound: bool): void {
  clearLetters();
  clearMade();
  clearTouched();
  if (isFresh || isNewRound) forgetDemands(isNewRound);
  beginPasses(visit);
}

/** Ends the visit; returns the address of the last page of its letters, or 0. */
export function endVisit(): usize {
  endPasses();
  leave();
  return lettersAt;
}

/** Takes a block out of memory. */
export function release(place: u32): void {
  returnAll(ownerOf(place));
  clearBlock(place);
}

/** Returns the afterstate of a key. */
export function boardOfKey(key: u64): u64 {
  return boardOf(unmix(key));
}

export function expandedNodes(): u64 {
  return expanded;
}

export function nodesChosenAgain(): u64 {
  return chosenAgain;
}

export function looksMade(): u64 {
  return looks;
}

/** Returns the number of boards of the current block. */
export function boardsHeld(): u32 {
  return held;
}

export function openNodesLeft(): u32 {
  return openNodes;
}

export function liveNodesLeft(): u32 {
  return liveNodes;
}

export function waitingNodesLeft(): u32 {
  return waitingNodes;
}

export function boundOfStart(): i32 {
  return startBound;
}
