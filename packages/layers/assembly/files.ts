/*
 * The contents of a block's file: its boards, sorted by key. Numbers are varints; points are
 * divided by 4. A board is
 *
 *     difference from the previous key in the same chunk of the file
 *     bound: 4·lo + 1, or 4·hi + 2, or 4·lo + 3 and hi − lo, or 0 if nothing is known
 *     a byte: 1 if it is a guest, + 2 if it has a node, + 4 · its layer in the block
 *     if it has a node: need, and
 *         for a guest   the need sent to its block
 *         for others    the need that its edges fulfil, the number of edges, and for each the child, by
 *                       its number among the nodes, points of the slide, and its move (a byte); the
 *                       number of demands by other blocks, and for each the block's number and need
 *
 * Edges are sorted by placement, and demands by block, so that the bytes depend only on the proof's
 * state.
 */
import {
  childOf,
  demander,
  demandOf,
  isForeign,
  makeEdge,
  makeForeign,
  moveOf,
  nextEdge,
  nextParent,
  PLACE,
  scoreOf,
} from "./edges";
import { PAGE_LOG2, PLACES, STAGE_BYTES } from "./layout";
import { makeGuest } from "./making";
import {
  firstEdge,
  firstParent,
  flagsOf,
  foreignDemands,
  fulfilledBy,
  isLive,
  layerIn,
  nameNode,
  needOf,
  NODE_BYTES,
  savedAs,
  setAsked,
  setBound,
  setFlags,
  setFulfilled,
  setLayer,
  setNeed,
  setSavedAs,
  setTold,
  toldOf,
  WAS_LIVE,
  WAS_OPEN,
} from "./nodes";
import { pagesFor, takePages } from "./pages";
import {
  current,
  liveNodes,
  numberOf,
  openNodes,
  ownerOf,
  placeOf,
  setCounts,
  setNewNodes,
  tableAt,
  waitingAt,
  waitingNodes,
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
import { pushFor } from "./stacks";
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
const LAYER_SHIFT: u32 = 2;

/**
 * Most bytes of a board with its node: 2·16 edges, and as many demands of blocks as fit the rest.
 */
const MOST_BYTES: usize = STAGE_BYTES / 4;

/** Edges of a node by placement; u32 each. */
let places: usize = 0;

export function attachFiles(at: usize): void {
  places = at + PLACES;
}

/** The next slot to save. */
let slot: usize = 0;

/**
 * Begins to save the current block: numbers its nodes from 0, and returns their number. Until
 * {@link endSaving}, nodes have no bounds.
 */
export function beginSaving(): u32 {
  let number: u32 = 0;
  const end = tableEnd();
  for (let at = nextHeld(tableAt, end); at < end; at = nextHeld(at + SLOT_BYTES, end)) {
    const node = nodeIn(at);
    if (node != 0) setSavedAs(node, number++);
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
    const isGuest = isGuestAt(slot);
    writeByte(
      (isGuest ? IS_GUEST : 0) |
        (node == 0 ? 0 : HAS_NODE | (isGuest ? 0 : layerIn(node) << LAYER_SHIFT)),
    );
    if (node != 0) writeNode(node, isGuest);
    slot = nextHeld(slot + SLOT_BYTES, end);
  }
  return writeAt;
}

/** Ends saving the current block, whether all of it was saved or not. */
export function endSaving(): void {
  const end = tableEnd();
  for (let at = nextHeld(tableAt, end); at < end; at = nextHeld(at + SLOT_BYTES, end)) {
    const node = nodeIn(at);
    if (node != 0) setBound(node, loAt(at), hiAt(at));
  }
}

/** Slots whose nodes are read ahead together. */
const SLOTS_AHEAD: usize = 32;
/** Keeps the compiler from removing reads. */
export let fetched: u64 = 0;

/** Reads what is written of the nodes of the next slots, from `from` on; returns their end. */
function fetchNodes(from: usize, last: usize): usize {
  const end = min(from + SLOTS_AHEAD * SLOT_BYTES, last);
  let sum: u64 = 0;
  for (let at = from; at < end; at += SLOT_BYTES) sum += <u64>firstEdge(nodeAtSlot(at));
  for (let at = from; at < end; at += SLOT_BYTES) sum += <u64>childOf(firstEdge(nodeAtSlot(at)));
  for (let at = from; at < end; at += SLOT_BYTES) {
    for (let edge = firstEdge(nodeAtSlot(at)); edge != 0; edge = nextEdge(edge)) {
      sum += <u64>savedAs(childOf(edge));
    }
  }
  fetched += sum;
  return end;
}

/** Returns the node of a slot that may be empty, or 0. */
// @ts-ignore: decorator
@inline
function nodeAtSlot(at: usize): usize {
  return load<u64>(at) == 0 ? 0 : nodeIn(at);
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

function writeNode(node: usize, isGuest: bool): void {
  writeNumber(needOf(node));
  if (isGuest) {
    writeNumber(toldOf(node));
    return;
  }
  writeNumber(fulfilledBy(node));
  let found: u32 = 0;
  for (let edge = firstEdge(node); edge != 0; edge = nextEdge(edge)) {
    const place = moveOf(edge) & PLACE;
    store<u32>(places + 4 * place, <u32>edge);
    found |= 1 << place;
  }
  writeNumber(popcnt(found));
  for (; found != 0; found &= found - 1) {
    const edge = load<u32>(places + 4 * ctz(found));
    writeNumber(savedAs(childOf(edge)));
    writeNumber(scoreOf(edge));
    writeByte(moveOf(edge));
  }
  let demands = foreignDemands(node);
  writeNumber(demands);
  let before: u64 = 0;
  for (; demands > 0; demands--) {
    const edge = nextDemand(node, before);
    before = numberOf(demander(edge)) + 1;
    writeNumber(before - 1);
    writeNumber(demandOf(edge));
  }
}

/** Returns the demand on a node by the block with the smallest number not below `least`. */
function nextDemand(node: usize, least: u64): usize {
  let first: usize = 0;
  let left = foreignDemands(node);
  for (let edge = firstParent(node); left > 0; edge = nextParent(edge)) {
    if (childOf(edge) == 0 || !isForeign(edge)) continue;
    left--;
    if (numberOf(demander(edge)) < least) continue;
    if (first == 0 || numberOf(demander(edge)) < numberOf(demander(first))) first = edge;
  }
  return first;
}

/** The first node of the block being read, and the number of the next one. */
let nodes: usize = 0;
let nextNumber: u32 = 0;

/** Begins to read a block of `count` nodes into a table with room for `keys` keys. */
export function beginReading(count: u32, keys: u32): void {
  beginTable(keys);
  nodes = 0;
  if (count > 0) {
    const bytes = <usize>count * NODE_BYTES;
    const pages = pagesFor(bytes);
    nodes = takePages(pages, ownerOf(current));
    memory.fill(nodes, 0, bytes);
    setNewNodes(nodes + bytes, nodes + ((<usize>pages) << PAGE_LOG2));
  }
  nextNumber = 0;
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
    const node = nodes + <usize>nextNumber * NODE_BYTES;
    nextNumber++;
    setNodeIn(slot, node, isGuest);
    nameNode(node, key, loAt(slot), hiAt(slot));
    setNeed(node, <i32>readNumber());
    if (isGuest) {
      makeGuest(node);
      setTold(node, <i32>readNumber());
    } else readNode(node, kind >> LAYER_SHIFT);
  }
}

export function endReading(): void {
  endAppending();
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

function readNode(node: usize, layer: u32): void {
  setLayer(node, layer);
  setFulfilled(node, <i32>readNumber());
  const edges = <u32>readNumber();
  const live = isLive(node);
  const wait = live && edges == 0;
  // As after the last visit: a node that is not live has withdrawn its demands.
  const asked = live && edges > 0 ? needOf(node) : 0;
  setAsked(node, asked);
  for (let i: u32 = 0; i < edges; i++) {
    const child = nodes + <usize>readNumber() * NODE_BYTES;
    const score = <i32>readNumber();
    makeEdge(node, child, score, max(0, asked - score), readByte());
  }
  for (let demands = <u32>readNumber(); demands > 0; demands--) {
    const from = placeOf(readNumber());
    makeForeign(node, from, <i32>readNumber());
  }
  if (wait) pushFor(ownerOf(current), waitingAt(), node);
  setFlags(node, flagsOf(node) | (edges > 0 ? WAS_OPEN : 0) | (live ? WAS_LIVE : 0));
  setCounts(openNodes + u32(edges > 0), liveNodes + u32(live), waitingNodes + u32(wait));
}
