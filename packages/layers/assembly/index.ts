/*
 * Functions that the host calls. `prepare` is called once for a memory; then each thread that uses
 * it has an instance and calls `attach`. Blocks are identified by their places (`residents.ts`). A
 * visit:
 *
 *     enter                                        enters a block in memory; otherwise
 *     begin, beginReading, readMore, endPacking,
 *     readChanges, endReading                      make an empty one and read its files
 *     beginVisit, takeDemands, takeAnswers         read its letters
 *     pass, endVisit                               do the work and return the written letters
 *
 * `beginSaving` and `saveMore` save a block; `release` evicts it from memory.
 */
import { prepareBoards } from "../../boards/assembly/board";
import { prepareEarnings, prepareLines } from "../../boards/assembly/lines";
import { attachMoves, preparePlaces } from "../../kernel/assembly/moves";
import { setBlockLayers } from "./blocks";
import { attachExpansion } from "./expand";
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
import { attachPages, countPages, preparePages, returnAll } from "./pages";
import { beginPasses, endPasses, forgetDemands } from "./passes";
import { attachQueues, clearQueues } from "./queues";
import { block, clearBlock, enter, ownerOf } from "./residents";
import { beginTable, endAppending } from "./slots";
import { attachStacks } from "./stacks";

export { expanded, lookAtStart, lookedAgain, startBound } from "./expand";
export { looks } from "./look-ups";
export { beginReading, endReading, readChanges, readMore } from "./loading";
export { takeAnswers, takeDemands } from "./inbox";
export { endPacking } from "./packed";
export { setSplit } from "./blocks";
export { allPages } from "./pages";
export { forgetDemands, pass } from "./passes";
export { enter, numberOf, placeOf } from "./residents";
export { beginSaving, saveMore, writtenBoards, writtenNodes } from "./saving";
export { BLOCK_BYTES, BLOCKS, LOCK, MAX_BLOCKS, STAGE_BYTES };

/** Keys that the table of a new block can hold. */
const FIRST_KEYS: u32 = 512;

/**
 * Fills the read-only tables, and frees all pages of a memory of `bytes`. Called once for a memory.
 */
export function prepare(threads: u32, bytes: usize): void {
  prepareBoards();
  prepareEarnings(0);
  prepareLines();
  preparePlaces();
  preparePages(threads, bytes);
}

/**
 * Makes this instance thread number `thread` of `threads`; sets the tiles that can be placed, one
 * bit for each exponent, and the number of a block's layers (`blocks.ts`).
 */
export function attach(
  thread: u32,
  threads: u32,
  bytes: usize,
  tiles: u32,
  blockLayers: u32,
): void {
  const at = threadAt(thread);
  attachMoves(at + SLID, 0, tiles);
  attachExpansion(at, tiles);
  attachQueues(at + QUEUES);
  attachLetters(thread);
  attachStacks(thread);
  attachPages(threads, bytes);
  setBlockLayers(blockLayers);
}

/** Returns the address of a thread's input stage. */
export function stageIn(thread: u32): usize {
  return threadAt(thread) + STAGE_IN;
}

/** Returns the address of a thread's output stage. */
export function stageOut(thread: u32): usize {
  return threadAt(thread) + STAGE_OUT;
}

/** Enters a block that is not in memory; its table must be made next. */
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
 * Begins a visit of the current block; `visit` distinguishes it from others. With `isNewRound`, all
 * demands are forgotten.
 */
export function beginVisit(visit: u32, isNewRound: bool): void {
  clearVisit();
  clearMade();
  if (isNewRound) forgetDemands();
  beginPasses(visit);
}

/** Ends the visit; returns the address of the last page of its letters, or 0. */
export function endVisit(): usize {
  endPasses();
  return lettersAt;
}

/** Gives back the pages of a visit, so that other threads have them. */
export function clearVisit(): void {
  clearLetters();
  clearQueues();
}

/** Returns true if the block at a place has `most` pages or more. */
export function isLarge(place: u32, most: i32): bool {
  return countPages(ownerOf(place)) >= most;
}

/** Evicts a block from memory. */
export function release(place: u32): void {
  returnAll(ownerOf(place));
  clearBlock(place);
}

/** Returns the number of boards of the current block. */
export function boardsHeld(): u32 {
  return block.boards;
}

/** Returns the number of nodes of the current block. */
export function countNodes(): u32 {
  return block.liveNodes;
}

/** Returns the number of those nodes that wait to be expanded. */
export function countWaiting(): u32 {
  return block.waitingNodes;
}

/** Returns the number of boards that have changed since the current block was saved. */
export function countChanged(): u32 {
  return block.changedBoards;
}
