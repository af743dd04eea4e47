/*
 * Functions that the host calls. `prepare` is called once for a memory; then each thread that uses
 * it has an instance and calls `attach`. Blocks are identified by their places (`residents.ts`). A
 * visit:
 *
 *     enter                                      enters a block; if it is not in memory,
 *     beginEmpty or beginReading, readMore,
 *     endPacking, readChanges, endReading        give it a table and read its files
 *     beginVisit, takeLetters                    read its letters
 *     pass, endVisit                             do the work and return the written letters
 *
 * `beginSaving` and `saveMore` save a block; `release` evicts it from memory.
 */
import { prepareBoards } from "../../boards/assembly/board";
import { prepareEarnings, prepareLines } from "../../boards/assembly/lines";
import { attachMoves, preparePlaces } from "../../kernel/assembly/moves";
import { setBlockLayers, setSplit } from "./blocks";
import { setTiles } from "./expand";
import { area, attachThread, MAX_BLOCKS, SLID, STAGE_BYTES, STAGE_IN, STAGE_OUT } from "./layout";
import { clearLetters } from "./letters";
import { attachPages, clearOwn, countPages, preparePages, returnAll } from "./pages";
import { clearQueues } from "./queues";
import { block, clearBlock, ownerOf } from "./residents";
import { beginTable, endAppending } from "./slots";

export { expanded, lookAtStart, lookedAgain, startBound } from "./expand";
export { looks } from "./look-ups";
export { beginReading, endReading, readChanges, readMore } from "./loading";
export { takeLetters } from "./inbox";
export { endPacking } from "./packed";
export { allPages } from "./pages";
export { beginVisit, endVisit, forgetDemands, pass } from "./passes";
export { enter, numberOf, placeOf } from "./residents";
export { beginSaving, saveMore, writtenBoards, writtenNodes } from "./saving";
export { MAX_BLOCKS, STAGE_BYTES };

/** Keys that the table of a new block can hold. */
const FIRST_KEYS: u32 = 512;

/** Fills the read-only tables, and frees all pages of a memory. Called once for a memory. */
export function prepare(threads: u32): void {
  prepareBoards();
  prepareEarnings(0);
  prepareLines();
  preparePlaces();
  preparePages(threads);
}

/**
 * Makes this instance thread number `thread` of `threads`; sets the tiles that can be placed, one
 * bit for each exponent, the number of a block's layers, and the number of blocks into which the hash
 * splits one (`blocks.ts`).
 */
export function attach(thread: u32, threads: u32, tiles: u32, blockLayers: u32, split: u32): void {
  attachThread(thread);
  attachMoves(area + SLID, 0, tiles);
  setTiles(tiles);
  attachPages(threads);
  setBlockLayers(blockLayers);
  setSplit(split);
}

/** Returns the address of the thread's input stage. */
export function stageIn(): usize {
  return area + STAGE_IN;
}

/** Returns the address of the thread's output stage. */
export function stageOut(): usize {
  return area + STAGE_OUT;
}

/** Gives a block an empty table. */
export function beginEmpty(): void {
  beginTable(FIRST_KEYS);
  endAppending();
}

/** Gives back the pages of a visit, so that other threads have them. */
export function clearVisit(): void {
  clearLetters();
  clearQueues();
  clearOwn();
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
