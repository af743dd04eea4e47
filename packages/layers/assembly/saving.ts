/*
 * The contents of a block's files. The first file has all boards of the block; each later one, all
 * that changed since the one before. Boards are sorted by key; points are divided by 4. A chunk of
 * boards begins with the number of bytes of a difference, one byte, and the first key less 1, eight
 * bytes. A board is
 *
 *     the difference from the key before, the lowest byte first
 *     two bytes, the lowest first: if it has no node, and unless its bounds are too large, the form
 *         of its bounds (`bounds.ts`); otherwise 0, and these numbers, as varints unless they are
 *         bytes:
 *     bound: 4·lo + 1, or 4·hi + 2, or 4·lo + 3 and hi − lo, or 0 if nothing is known
 *     a byte: 1 if it is a guest, + 2 if it has a node, + 4 if the node's need is settled,
 *         + 8 if it watches a board
 *     if it has a node: need, and
 *         for a guest   the need sent to its block
 *         for others    the smallest lower bound of its settled placements, less the need, + 1, or
 *                       0 if none is settled; its open placements, one bit each; if it watches a
 *                       board, the slide to that board (a byte) and the lowest bits of its key (3
 *                       bytes); the number of demands by other blocks, and for each the block's
 *                       number and need
 *
 * Most boards have a form. A reader finds the next of these without having decoded
 * it, so a processor decodes several at once. Demands are sorted by block, so that the bytes depend
 * only on the proof's state.
 */
import { formOf, NONE } from "./bounds";
import { KEY_BITS } from "../../kernel/assembly/keys";
import { area, STAGE_BYTES, STAGE_OUT } from "./layout";
import { BlockNode, Demand, SETTLED, WATCHING } from "./nodes";
import { listedForm, listedKey, listPacked, nextPacked } from "./packed";
import { block, numberOf } from "./residents";
import { MARK_BYTES, markOf } from "./sleepers";
import { nextChanged, nextHeld, Slot, SLOT_BYTES, slotAt, tableEnd } from "./slots";
import { maskOf, writeAt, writeByte, writeFixed, writeNumber, writeTo } from "./varint";

/* Flags in a board's byte. */
export const IS_GUEST: u32 = 1;
export const HAS_NODE: u32 = 2;
export const IS_SETTLED: u32 = 4;
export const IS_WATCHING: u32 = 8;

/** Bytes at the beginning of a chunk. */
export const CHUNK_HEAD_BYTES: usize = 9;

/** Most bytes of a board with its node: as many demands of blocks as fit. */
const MOST_BYTES: usize = STAGE_BYTES / 4;

let savesAll: bool = false;
/** Address of the next slot to save, or the end of the table. */
let next: usize = 0;
/** True if a packed board is left to save. */
let hasPacked: bool = false;
/** Bytes of a difference between keys. */
let width: u32 = 8;
/** Boards written so far, and those of them with nodes. */
export let writtenBoards: u32 = 0;
export let writtenNodes: u32 = 0;

/** Begins to save all boards of the current block, or those that have changed since it was saved. */
export function beginSaving(all: bool): void {
  savesAll = all;
  width = widthFor(all ? block.boards : block.changedBoards);
  next = nextSlot(block.table);
  hasPacked = all && listPacked();
  block.changedBoards = 0;
  writtenBoards = 0;
  writtenNodes = 0;
}

/** A difference this many times the mean, as a binary logarithm, still fits. */
const SPREAD_LOG2: i32 = 4;

/** Returns the bytes of a difference for `count` boards, so that hardly any is too large. */
function widthFor(count: u32): u32 {
  const bits = KEY_BITS - (31 - clz<i32>(count | 1)) + SPREAD_LOG2;
  return min((bits + 7) >> 3, 8);
}

/**
 * Writes a chunk of boards to the thread's output stage, and none from a difference on that is too
 * large; returns its bytes, 0 if no board is left.
 */
export function saveMore(): usize {
  if (!hasSlot() && !hasPacked) return 0;
  const at = area + STAGE_OUT;
  writeTo(at);
  let before = nextKey() - 1;
  writeByte(width);
  writeFixed(before, 8);
  while (writeAt + MOST_BYTES <= at + STAGE_BYTES && (hasSlot() || hasPacked)) {
    const key = nextKey();
    if (key - before > maskOf(width)) break;
    writeFixed(key - before, width);
    before = key;
    const isPacked = hasPacked && listedKey == key;
    if (hasSlot() && slotAt(next).key == key) {
      writeBoard(slotAt(next));
      slotAt(next).setSaved();
      next = nextSlot(next + SLOT_BYTES);
    } else writeFixed(listedForm(), 2);
    writtenBoards++;
    if (isPacked) hasPacked = nextPacked();
  }
  return writeAt - at;
}

/** Returns the address of the first slot to save from `at` on, or the end of the table. */
@inline
function nextSlot(at: usize): usize {
  return savesAll ? nextHeld(at, tableEnd()) : nextChanged(at, tableEnd());
}

@inline
function hasSlot(): bool {
  return next < tableEnd();
}

/** Returns the key of the next board, in a slot or packed. */
@inline
function nextKey(): u64 {
  if (!hasSlot()) return listedKey;
  const key = slotAt(next).key;
  return hasPacked ? min(key, listedKey) : key;
}

@inline
function writeBoard(slot: Slot): void {
  const node = slot.node();
  const isGuest = slot.isGuest();
  writtenNodes += u32(node != null);
  const form = node ? 0 : formOf(slot.lo, slot.hi, isGuest);
  writeFixed(form, 2);
  if (form != 0) return;
  writeBound(slot.lo, slot.hi);
  if (!node) writeByte(isGuest ? IS_GUEST : 0);
  else if (!isGuest) writeNode(node);
  else {
    writeByte(IS_GUEST | HAS_NODE);
    writeNumber(node.need);
    writeNumber(node.fulfilled);
  }
}

@inline
function writeBound(lo: u32, hi: u32): void {
  if (hi == NONE) writeNumber(lo == 0 ? 0 : (lo << 2) | 1);
  else if (lo == 0) writeNumber((hi << 2) | 2);
  else {
    writeNumber((lo << 2) | 3);
    writeNumber(hi - lo);
  }
}

function writeNode(node: BlockNode): void {
  const isWatching = node.is(WATCHING);
  writeByte(HAS_NODE | (node.is(SETTLED) ? IS_SETTLED : 0) | (isWatching ? IS_WATCHING : 0));
  const need: i32 = node.need;
  const fulfilled: i32 = node.fulfilled;
  writeNumber(need);
  writeNumber(fulfilled == NONE ? 0 : fulfilled - need + 1);
  writeNumber(node.open);
  if (isWatching) {
    writeByte(node.slide);
    writeFixed(markOf(node.watchedKey()), MARK_BYTES);
  }
  let demands: u32 = 0;
  for (let demand = node.demand; demand; demand = demand!.next) demands++;
  writeNumber(demands);
  let before: u64 = 0;
  for (; demands > 0; demands--) {
    const demand = demandFrom(node, before);
    before = numberOf(demand.from) + 1;
    writeNumber(before - 1);
    writeNumber(demand.value);
  }
}

/** Returns the demand on a node by the block with the smallest number not below `least`. */
function demandFrom(node: BlockNode, least: u64): Demand {
  let first: Demand | null = null;
  for (let demand = node.demand; demand; demand = demand!.next) {
    const number = numberOf(demand.from);
    if (number >= least && (!first || number < numberOf(first.from))) first = demand;
  }
  return first!;
}
