/*
 * Reads the files of a block, in the format of `saving.ts`: all boards from the first file, most of
 * which are packed, then the changes from each later one.
 */
import { NONE } from "./bounds";
import { removeDemands, setDemand } from "./demands";
import { ownLayerOf } from "./blocks";
import { area, PAGE_LOG2, STAGE_IN } from "./layout";
import { freeThis } from "./making";
import { BlockNode, GUEST, nameNode, NODE_BYTES, SETTLED, WATCHING } from "./nodes";
import { beginPacking, FORM_BYTES, lastKey, packRun } from "./packed";
import { pagesFor, takePages } from "./pages";
import { wait } from "./passes";
import { block, owner, placeOf } from "./residents";
import { CHUNK_HEAD_BYTES, HAS_NODE, IS_GUEST, IS_SETTLED, IS_WATCHING } from "./saving";
import { makeBuckets, MARK_BYTES, sleep } from "./sleepers";
import { beginTable, endAppending, place, Slot } from "./slots";
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
    nodes = takePages(pages, owner);
    block.nextNode = nodes + bytes;
    block.nodesEnd = nodes + ((<usize>pages) << PAGE_LOG2);
  }
  next = nodes;
  nodesEnd = nodes + <usize>count * NODE_BYTES;
}

/** Reads a chunk of boards of the first file from the thread's input stage. */
export function readMore(bytes: u32): void {
  const from = area + STAGE_IN;
  const end = from + bytes;
  const width: u32 = load<u8>(from);
  let key = load<u64>(from, 1);
  for (let at = from + CHUNK_HEAD_BYTES; ; at = readAt) {
    at = packRun(at, end, key, width);
    if (at >= end) return;
    readFrom(at);
    key = lastKey + readFixed(width);
    readFixed(FORM_BYTES); // 0
    readBoard(place(key), key, null);
  }
}

/** Reads a chunk of a later file, which replaces what is known of its boards. */
export function readChanges(bytes: u32): void {
  const from = area + STAGE_IN;
  const end = from + bytes;
  const width: u32 = load<u8>(from);
  let key = load<u64>(from, 1);
  readFrom(from + CHUNK_HEAD_BYTES);
  while (readAt < end) {
    key += readFixed(width);
    const slot = place(key);
    const before = slot.node();
    if (before) removeDemands(before);
    const form = <u32>readFixed(FORM_BYTES);
    if (form == 0) readBoard(slot, key, before);
    else {
      slot.setForm(form);
      dropSaved(before);
    }
  }
}

/** Drops the node that a board had in an earlier file, if any. */
function dropSaved(node: BlockNode | null): void {
  if (!node) return;
  nameNode(node, 0);
  freeThis(node);
}

/** Reads a board without a form; `before` is its node from an earlier file, if it has one. */
function readBoard(slot: Slot, key: u64, before: BlockNode | null): void {
  readBound(slot);
  const kind = readByte();
  const isOfGuest = (kind & IS_GUEST) != 0;
  if ((kind & HAS_NODE) == 0) {
    dropSaved(before);
    slot.setSavedNode(null, isOfGuest);
    return;
  }
  const node = before ? before : nextNode();
  nameNode(node, key);
  node.need = <u16>readNumber();
  if (isOfGuest) {
    node.flags = GUEST;
    node.fulfilled = <u16>readNumber();
  } else readNode(node, kind);
  slot.setSavedNode(node, isOfGuest);
}

function nextNode(): BlockNode {
  const node = changetype<BlockNode>(next);
  next += NODE_BYTES;
  if (next > nodesEnd) unreachable(); // no visit leaves such a file
  return node;
}

/** Ends reading a block of `count` boards: nodes wait to be expanded, or sleep while they watch. */
export function endReading(count: u32): void {
  block.boards = count;
  makeBuckets(<u32>((next - nodes) / NODE_BYTES));
  for (let at = nodes; at < next; at += NODE_BYTES) {
    const node = changetype<BlockNode>(at);
    if (node.key == 0 || node.is(GUEST)) continue; // a later file dropped it
    block.liveNodes++;
    if (node.open == 0 && !node.is(SETTLED)) wait(node);
    if (node.is(WATCHING)) sleep(node, <u32>changetype<usize>(node.next));
  }
  block.changedBoards = 0; // those that were placed
}

@inline
function readBound(slot: Slot): void {
  const code = <i32>readNumber();
  const value = code >> 2;
  const lo = (code & 1) != 0 ? value : 0;
  const hi = (code & 3) == 3 ? value + <i32>readNumber() : (code & 2) != 0 ? value : NONE;
  slot.setBound(lo, hi);
}

function readNode(node: BlockNode, kind: u32): void {
  node.layer = <u8>ownLayerOf(node.board());
  const more = <i32>readNumber();
  node.fulfilled = <u16>(more == 0 ? NONE : <i32>node.need + more - 1);
  node.open = <u32>readNumber();
  if ((kind & IS_WATCHING) != 0) {
    node.slide = <u8>readByte();
    node.flags |= WATCHING;
    node.next = changetype<BlockNode>(<usize>readFixed(MARK_BYTES)); // until all files are read
  }
  for (let demands = <u32>readNumber(); demands > 0; demands--) {
    const from = placeOf(readNumber());
    setDemand(node, from, <u16>readNumber());
  }
  if ((kind & IS_SETTLED) == 0) node.flags &= ~SETTLED;
}
