/*
 * The contents of a block's file: its boards, sorted by key. Numbers are varints; points are
 * divided by 4. A board is
 *
 *     difference from the previous key in the same chunk of the file
 *     bound: 4·lo + 1, or 4·hi + 2, or 4·lo + 3 and hi − lo, or 0 if nothing is known
 *     a byte: 1 if it is a guest, + 2 if it has a node, + 4 if the node's need is settled,
 *         + 8 if it watches a board
 *     if it has a node: need, and
 *         for a guest   the need sent to its block
 *         for others    the smallest lower bound of its settled placements, less the need, + 1, or
 *                       0 if none is settled; its open placements, one bit each; if it watches a
 *                       board, the slide to that board (a byte); the number of demands by other
 *                       blocks, and for each the block's number and need
 *
 * Demands are sorted by block, so that the bytes depend only on the proof's state.
 */
import { demander, nextDemand, setDemand, valueOf } from "./demands";
import { watchAgain } from "./expand";
import { boardOf, unmix } from "../../kernel/assembly/keys";
import { layerOf } from "./blocks";
import { PAGE_LOG2, RANGE, STAGE_BYTES } from "./layout";
import { makeGuest } from "./making";
import {
  firstDemand,
  flagsOf,
  fulfilledBy,
  isSettled,
  keyOf,
  nameNode,
  needOf,
  NODE_BYTES,
  openPlacements,
  setFlags,
  setFulfilled,
  setLayer,
  setNeed,
  setOpenPlacements,
  SETTLED,
  setTold,
  setWatchedSlide,
  toldOf,
  watchedSlide,
  WATCHING,
} from "./nodes";
import { wait } from "./passes";
import { pagesFor, takePages } from "./pages";
import {
  current,
  numberOf,
  liveNodes,
  ownerOf,
  placeOf,
  setNewNodes,
  setLiveNodes,
  tableAt,
} from "./residents";
import {
  append,
  beginTable,
  endAppending,
  hiAt,
  isGuestAt,
  loAt,
  nextHeld,
  nodeIn,
  NONE,
  setBoundAt,
  setNodeIn,
  SLOT_BYTES,
  tableEnd,
} from "./slots";
import {
  readAt,
  readByte,
  readFrom,
  readNumber,
  writeAt,
  writeByte,
  writeNumber,
  writeTo,
} from "./varint";

/* Flags in a board's byte. */
const IS_GUEST: u32 = 1;
const HAS_NODE: u32 = 2;
const IS_SETTLED: u32 = 4;
const IS_WATCHING: u32 = 8;

/** Most bytes of a board with its node: as many demands of blocks as fit. */
const MOST_BYTES: usize = STAGE_BYTES / 4;

/** The next slot to save. */
let slot: usize = 0;

/** Begins to save the current block, and returns the number of its nodes. */
export function beginSaving(): u32 {
  let number: u32 = 0;
  const end = tableEnd();
  for (let at = nextHeld(tableAt, end); at < end; at = nextHeld(at + SLOT_BYTES, end)) {
    number += u32(nodeIn(at) != 0);
  }
  slot = nextHeld(tableAt, end);
  return number;
}

/**
 * Writes as many boards to `at` as fit STAGE_BYTES; returns the end address, or `at` if no board is
 * left.
 */
export function saveMore(at: usize): usize {
  writeTo(at);
  let before: u64 = 0;
  const end = tableEnd();
  let fetchedEnd = slot;
  while (slot < end && writeAt + MOST_BYTES <= at + STAGE_BYTES) {
    if (slot >= fetchedEnd) fetchedEnd = fetchNodes(slot, end);
    const key = load<u64>(slot);
    writeNumber(key - before);
    before = key;
    writeBound(slot);
    const node = nodeIn(slot);
    if (isGuestAt(slot)) {
      writeByte(IS_GUEST | (node == 0 ? 0 : HAS_NODE));
      if (node != 0) {
        writeNumber(needOf(node));
        writeNumber(toldOf(node));
      }
    } else if (node == 0) writeByte(0);
    else writeNode(node);
    slot = nextHeld(slot + SLOT_BYTES, end);
  }
  return writeAt;
}

/** Slots whose nodes are read ahead together. */
const SLOTS_AHEAD: usize = 32;
/** Keeps the compiler from removing reads. */
export let fetched: u64 = 0;

/** Reads the nodes of the next slots, from `from` on; returns their end. */
function fetchNodes(from: usize, last: usize): usize {
  const end = min(from + SLOTS_AHEAD * SLOT_BYTES, last);
  let sum: u64 = 0;
  for (let at = from; at < end; at += SLOT_BYTES) {
    if (load<u64>(at) != 0) sum += <u64>flagsOf(nodeIn(at)); // address 0 can be read, too
  }
  fetched += sum;
  return end;
}

// @ts-ignore: decorator
@inline
function writeBound(slot: usize): void {
  const lo: u32 = loAt(slot);
  const hi: u32 = hiAt(slot);
  if (hi == NONE) writeNumber(lo == 0 ? 0 : (lo << 2) | 1);
  else if (lo == 0) writeNumber((hi << 2) | 2);
  else {
    writeNumber((lo << 2) | 3);
    writeNumber(hi - lo);
  }
}

function writeNode(node: usize): void {
  const isWatching = (flagsOf(node) & WATCHING) != 0;
  writeByte(HAS_NODE | (isSettled(node) ? IS_SETTLED : 0) | (isWatching ? IS_WATCHING : 0));
  const need = needOf(node);
  const fulfilled = fulfilledBy(node);
  writeNumber(need);
  writeNumber(fulfilled == NONE ? 0 : fulfilled - need + 1);
  writeNumber(openPlacements(node));
  if (isWatching) writeByte(watchedSlide(node));
  let demands: u32 = 0;
  for (let demand = firstDemand(node); demand != 0; demand = nextDemand(demand)) demands++;
  writeNumber(demands);
  let before: u64 = 0;
  for (; demands > 0; demands--) {
    const demand = demandFrom(node, before);
    before = numberOf(demander(demand)) + 1;
    writeNumber(before - 1);
    writeNumber(valueOf(demand));
  }
}

/** Returns the demand on a node by the block with the smallest number not below `least`. */
function demandFrom(node: usize, least: u64): usize {
  let first: usize = 0;
  for (let demand = firstDemand(node); demand != 0; demand = nextDemand(demand)) {
    const number = numberOf(demander(demand));
    if (number >= least && (first == 0 || number < numberOf(demander(first)))) first = demand;
  }
  return first;
}

/** The first node of the block being read, and the next one. */
let nodes: usize = 0;
let next: usize = 0;

/** Begins to read a block of `count` nodes into a table with room for `keys` keys. */
export function beginReading(count: u32, keys: u32): void {
  beginTable(keys);
  nodes = 0;
  if (count > 0) {
    const bytes = <usize>count * NODE_BYTES;
    const pages = pagesFor(bytes);
    nodes = takePages(pages, ownerOf(current));
    setNewNodes(nodes + bytes, nodes + ((<usize>pages) << PAGE_LOG2));
  }
  next = nodes;
}

/** Reads the boards between two addresses. */
export function readMore(from: usize, end: usize): void {
  readFrom(from);
  let key: u64 = 0;
  while (readAt < end) {
    key += readNumber();
    const slot = append(key);
    if (slot == 0) unreachable(); // the host has made room for all keys
    readBound(slot);
    const kind = readByte();
    const isGuest = (kind & IS_GUEST) != 0;
    if ((kind & HAS_NODE) == 0) {
      setNodeIn(slot, 0, isGuest);
      continue;
    }
    const node = next;
    next += NODE_BYTES;
    setNodeIn(slot, node, isGuest);
    nameNode(node, key);
    setNeed(node, <i32>readNumber());
    if (isGuest) {
      makeGuest(node);
      setFlags(node, flagsOf(node) & ~SETTLED);
      setTold(node, <i32>readNumber());
    } else readNode(node, kind);
  }
}

/** Ends reading: nodes watch boards as before. */
export function endReading(): void {
  endAppending();
  watchAgain(nodes, next);
}

// @ts-ignore: decorator
@inline
function readBound(slot: usize): void {
  const code = <i32>readNumber();
  const value = code >> 2;
  const lo = (code & 1) != 0 ? value : 0;
  setBoundAt(
    slot,
    lo,
    (code & 3) == 3 ? value + <i32>readNumber() : (code & 2) != 0 ? value : NONE,
  );
}

function readNode(node: usize, kind: u32): void {
  setLayer(node, layerOf(boardOf(unmix(keyOf(node)))) & (RANGE - 1));
  const more = <i32>readNumber();
  setFulfilled(node, more == 0 ? NONE : needOf(node) + more - 1);
  const open = <u32>readNumber();
  setOpenPlacements(node, open);
  setLiveNodes(liveNodes + 1);
  if ((kind & IS_SETTLED) == 0) {
    setFlags(node, flagsOf(node) & ~SETTLED);
    if (open == 0) wait(node);
  }
  if ((kind & IS_WATCHING) != 0) setWatchedSlide(node, readByte());
  for (let demands = <u32>readNumber(); demands > 0; demands--) {
    const from = placeOf(readNumber());
    setDemand(node, from, <i32>readNumber());
  }
}
