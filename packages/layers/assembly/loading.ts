/*
 * Reads the files of a block, in the format of `saving.ts`: all boards from the first file, most of
 * which are packed, then the changes from each later one.
 */
import { hiOf, isGuestIn, loOf, NONE } from "./bounds";
import { removeDemand, setDemand } from "./demands";
import { boardOf, unmix } from "../../kernel/assembly/keys";
import { ownLayerOf } from "./blocks";
import { PAGE_LOG2 } from "./layout";
import { freeThis } from "./making";
import {
  firstDemand,
  flagsOf,
  isGuest,
  isSettled,
  keyOf,
  nameNode,
  needOf,
  nextInList,
  NODE_BYTES,
  openPlacements,
  setFlags,
  setFulfilled,
  setGuest,
  setLayer,
  setNeed,
  setNextInList,
  setOpenPlacements,
  SETTLED,
  setTold,
  setWatchedSlide,
  WATCHING,
} from "./nodes";
import { beginPacking, FORM_BYTES, lastKey, packRun } from "./packed";
import { pagesFor, takePages } from "./pages";
import { wait } from "./passes";
import { Entered, ownerOf, placeOf } from "./residents";
import { CHUNK_HEAD_BYTES, HAS_NODE, IS_GUEST, IS_SETTLED, IS_WATCHING } from "./saving";
import { makeBuckets, MARK_BYTES, sleep } from "./sleepers";
import {
  beginTable,
  clearNodeIn,
  endAppending,
  nodeIn,
  place,
  setBoundAt,
  setNodeIn,
} from "./slots";
import { readAt, readByte, readFixed, readFrom, readNumber } from "./varint";

/** The nodes of the block being read: the first one, the next one, and their end. */
let nodes: usize = 0;
let next: usize = 0;
let nodesEnd: usize = 0;

/**
 * Begins to read a block whose files have `count` nodes, into a table with room for `keys` keys. At
 * most `settled` boards are packed.
 */
export function beginReading(count: u32, settled: u32, keys: u32): void {
  beginTable(keys);
  endAppending();
  beginPacking(settled);
  nodes = 0;
  if (count > 0) {
    const bytes = <usize>count * NODE_BYTES;
    const pages = pagesFor(bytes);
    nodes = takePages(pages, ownerOf(Entered.place));
    Entered.nextNode = nodes + bytes;
    Entered.nodesEnd = nodes + ((<usize>pages) << PAGE_LOG2);
  }
  next = nodes;
  nodesEnd = nodes + <usize>count * NODE_BYTES;
}

/** Reads a chunk of boards of the first file, between two addresses. */
export function readMore(from: usize, end: usize): void {
  const width: u32 = load<u8>(from);
  let key = load<u64>(from, 1);
  for (let at = from + CHUNK_HEAD_BYTES; ; at = readAt) {
    at = packRun(at, end, key, width);
    if (at >= end) return;
    readFrom(at);
    key = lastKey + readFixed(width);
    readFixed(FORM_BYTES); // 0
    readBoard(place(key), key, 0);
  }
}

/** Reads a chunk of a later file, between two addresses: it replaces what is known of its boards. */
export function readChanges(from: usize, end: usize): void {
  const width: u32 = load<u8>(from);
  let key = load<u64>(from, 1);
  readFrom(from + CHUNK_HEAD_BYTES);
  while (readAt < end) {
    key += readFixed(width);
    const slot = place(key);
    const before = nodeIn(slot);
    if (before != 0) {
      for (let demand = firstDemand(before); demand != 0; ) {
        demand = removeDemand(before, demand, 0);
      }
    }
    const form = <u32>readFixed(FORM_BYTES);
    if (form == 0) readBoard(slot, key, before);
    else {
      setBoundAt(slot, loOf(form), hiOf(form));
      clearNodeIn(slot, isGuestIn(form));
      if (before != 0) dropSaved(before);
    }
  }
}

/** Drops the node that a board had in an earlier file. */
@inline
function dropSaved(node: usize): void {
  nameNode(node, 0);
  freeThis(node);
}

/** Reads a board without a form. It has a node from an earlier file unless `before` is 0. */
@inline
function readBoard(slot: usize, key: u64, before: usize): void {
  readBound(slot);
  const kind = readByte();
  const hasNode = (kind & HAS_NODE) != 0;
  let node: usize = 0;
  if (hasNode) {
    node = before;
    if (node == 0) {
      node = next;
      next += NODE_BYTES;
      if (next > nodesEnd) unreachable(); // no visit leaves such a file
    }
    nameNode(node, key);
    setNeed(node, <i32>readNumber());
    if ((kind & IS_GUEST) != 0) {
      setGuest(node);
      setTold(node, <i32>readNumber());
      setFlags(node, flagsOf(node) & ~SETTLED);
    } else readNode(node, kind);
  } else if (before != 0) dropSaved(before);
  clearNodeIn(slot, (kind & IS_GUEST) != 0);
  if (hasNode) setNodeIn(slot, node, (kind & IS_GUEST) != 0);
}

/** Ends reading a block of `count` boards: nodes wait to be expanded, or sleep while they watch. */
export function endReading(count: u32): void {
  Entered.boards = count;
  makeBuckets(<u32>((next - nodes) / NODE_BYTES));
  for (let node = nodes; node < next; node += NODE_BYTES) {
    if (keyOf(node) == 0 || isGuest(node)) continue; // a later file dropped it
    Entered.liveNodes++;
    if (openPlacements(node) == 0 && !isSettled(node)) wait(node);
    if ((flagsOf(node) & WATCHING) != 0) sleep(node, <u32>nextInList(node));
  }
  Entered.changedBoards = 0; // those that were placed
}

@inline
function readBound(slot: usize): void {
  const code = <i32>readNumber();
  const value = code >> 2;
  const lo = (code & 1) != 0 ? value : 0;
  const hi = (code & 3) == 3 ? value + <i32>readNumber() : (code & 2) != 0 ? value : NONE;
  setBoundAt(slot, lo, hi);
}

function readNode(node: usize, kind: u32): void {
  setLayer(node, ownLayerOf(boardOf(unmix(keyOf(node)))));
  const more = <i32>readNumber();
  setFulfilled(node, more == 0 ? NONE : needOf(node) + more - 1);
  setOpenPlacements(node, <u32>readNumber());
  if ((kind & IS_WATCHING) != 0) {
    setWatchedSlide(node, readByte());
    setNextInList(node, <usize>readFixed(MARK_BYTES)); // until all files are read
  }
  for (let demands = <u32>readNumber(); demands > 0; demands--) {
    const from = placeOf(readNumber());
    setDemand(node, from, <i32>readNumber());
  }
  if ((kind & IS_SETTLED) == 0) setFlags(node, flagsOf(node) & ~SETTLED);
}
