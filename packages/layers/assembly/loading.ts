/*
 * Reads the files of a block, in the format of `saving.ts`: all boards from the first file, which
 * fill the table in order, then the changes from each later one.
 */
import { removeDemand, setDemand } from "./demands";
import { watchAgain } from "./expand";
import { boardOf, unmix } from "../../kernel/assembly/keys";
import { layerOf } from "./blocks";
import { PAGE_LOG2, RANGE } from "./layout";
import { freeThis, makeGuest } from "./making";
import {
  firstDemand,
  flagsOf,
  isGuest,
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
} from "./nodes";
import { pagesFor, takePages } from "./pages";
import { wait } from "./passes";
import {
  current,
  liveNodes,
  ownerOf,
  placeOf,
  setChangedBoards,
  setLiveNodes,
  setNewNodes,
} from "./residents";
import { HAS_NODE, IS_GUEST, IS_SETTLED, IS_WATCHING } from "./saving";
import {
  append,
  beginTable,
  endAppending,
  nodeIn,
  NONE,
  place,
  setBoundAt,
  setNodeIn,
  setSaved,
} from "./slots";
import { readAt, readByte, readFrom, readNumber } from "./varint";

/** The nodes of the block being read: the first one, the next one, and their end. */
let nodes: usize = 0;
let next: usize = 0;
let nodesEnd: usize = 0;

/** Begins to read a block whose files have `count` nodes into a table with room for `keys` keys. */
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
  nodesEnd = nodes + <usize>count * NODE_BYTES;
}

/** Reads boards of the first file, between two addresses. */
export function readMore(from: usize, end: usize): void {
  readFrom(from);
  let key: u64 = 0;
  while (readAt < end) {
    key += readNumber();
    const slot = append(key);
    if (slot == 0) unreachable(); // the host has made room for all keys
    readBoard(slot, key, 0);
  }
}

/** Ends reading the first file. */
export function endAll(): void {
  endAppending();
}

/** Reads boards of a later file, between two addresses: they replace what is known of them. */
export function readChanges(from: usize, end: usize): void {
  readFrom(from);
  let key: u64 = 0;
  while (readAt < end) {
    key += readNumber();
    const slot = place(key);
    const before = nodeIn(slot);
    if (before != 0) {
      for (let demand = firstDemand(before); demand != 0; ) {
        demand = removeDemand(before, demand, 0);
      }
    }
    readBoard(slot, key, before);
  }
}

/** Reads a board, which has a node from an earlier file unless `before` is 0. */
// @ts-ignore: decorator
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
      makeGuest(node);
      setTold(node, <i32>readNumber());
      setFlags(node, flagsOf(node) & ~SETTLED);
    } else readNode(node, kind);
  } else if (before != 0) {
    nameNode(before, 0);
    freeThis(before);
  }
  setNodeIn(slot, node, (kind & IS_GUEST) != 0);
  setSaved(slot);
}

/** Ends reading: nodes wait to be expanded, or watch boards, as before. */
export function endReading(): void {
  for (let node = nodes; node < next; node += NODE_BYTES) {
    if (keyOf(node) == 0 || isGuest(node)) continue; // a later file dropped it
    setLiveNodes(liveNodes + 1);
    if (openPlacements(node) == 0 && !isSettled(node)) wait(node);
  }
  setChangedBoards(0); // those that later files have added
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
  setOpenPlacements(node, <u32>readNumber());
  if ((kind & IS_WATCHING) != 0) setWatchedSlide(node, readByte());
  for (let demands = <u32>readNumber(); demands > 0; demands--) {
    const from = placeOf(readNumber());
    setDemand(node, from, <i32>readNumber());
  }
  if ((kind & IS_SETTLED) == 0) setFlags(node, flagsOf(node) & ~SETTLED);
}
