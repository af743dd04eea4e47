/*
 * The lists in the files of a block. Keys ascend, and a list has their differences; numbers are
 * varints or, where it says so, raw, little-endian; points are divided by 4.
 *
 *     peers     the numbers of the peers (raw, 64 bits), those of the base first
 *     table     key; 4·lo + 1, or 4·hi + 2, or 4·lo + 3 and hi − lo, or 0 if nothing is known;
 *               4·i + 1 if the board has node number i, else 4·(index of its block among the peers),
 *               + 2 if the bound has changed since the base was written
 *     nodes     raw: the number of the block's nodes in each layer (32 bits each); for each of these its
 *               need, what other blocks demand of it, the need that its edges fulfil, and their number
 *               (16 bits each); for each guest the index of its block among the peers (32 bits) and
 *               its need (32 bits)
 *     edges     raw: child (32 bits), points of the slide (16 bits), move (16 bits), in the order of the
 *               nodes
 *     demands   key, need
 *     answers   key and bound as in a table
 *
 * A base has a table of all bounds that were known when it was written; the table of a visit has those
 * that have changed since, and the boards that have nodes.
 */
import { LAYER_BYTES, LAYERS, RANGE } from "./layout";
import {
  childOf,
  edgeAt,
  firstEdge,
  fulfilledBy,
  isKnown,
  learnOf,
  makeEdge,
  makeNodes,
  moveOf,
  nameNode,
  needOf,
  nextEdge,
  nextOf,
  nodeAt,
  nodeOfKey,
  peerIn,
  scoreOf,
  demandedOf,
  setAsked,
  setDemanded,
  setDemandedBefore,
  setFulfilled,
  setLayer,
  setNeed,
  setPeer,
} from "./nodes";
import { tellParents } from "./queues";
import { nodesKept } from "./passes";
import { DEMANDS, LAST_KEY, LIST, peerAt, peerCount } from "./peers";
import { checkLists, tableAt } from "./regions";
import {
  append,
  CHANGED,
  countChanged,
  endAppending,
  find,
  hiAt,
  INDEX,
  isNewSlot,
  learn,
  loAt,
  NEW,
  nextHeld,
  NONE,
  OPEN,
  place,
  refAt,
  setRef,
  settles,
  SLOT_BYTES,
  tableEnd,
} from "./slots";
import { readAt, readFrom, readNumber, writeAt, writeNumber, writeTo } from "./varint";

/** Most bytes of an item in a list: a key, the largest points twice, and an index. */
const ITEM_BYTES: usize = 10 + 3 + 3 + 5;

let readLo: i32 = 0;
let readHi: i32 = 0;

// @ts-ignore: decorator
@inline
function readBound(): void {
  const code = <i32>readNumber();
  const value = code >> 2;
  readLo = (code & 1) != 0 ? value : 0;
  readHi = (code & 3) == 3 ? value + <i32>readNumber() : (code & 2) != 0 ? value : NONE;
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

/** Takes an item of a table whose key has been read. */
// @ts-ignore: decorator
@inline
function takeItem(key: u64): void {
  const slot = append(key);
  readBound();
  const ref = <u32>readNumber();
  const index = ref >> 2;
  store<u32>(slot, <u32>readLo | ((<u32>readHi) << 16), 8);
  if ((ref & 2) != 0) countChanged();
  setRef(slot, index | ((ref & 1) != 0 ? OPEN : 0) | ((ref & 2) != 0 ? CHANGED : 0));
  if ((ref & 1) == 0) return;
  nameNode(index, key, readLo, readHi);
  const node = nodeAt(index);
  // As the last visit has left it: its edges ask what is needed, if it is open.
  if (firstEdge(node) != 0 && !isKnown(node, needOf(node))) setAsked(node, needOf(node));
}

/**
 * Makes the table, which {@link beginTable} has begun, of a base's list of `baseCount` items and a
 * visit's of `count`; what both have, the second knows better. The nodes must have been made.
 */
export function takeTable(base: usize, baseCount: u32, visit: usize, count: u32): void {
  let baseKey: u64 = 0;
  let key: u64 = 0;
  let hasBase = false;
  while (true) {
    if (!hasBase && baseCount > 0) {
      readFrom(base);
      baseKey += readNumber();
      base = readAt;
      baseCount--;
      hasBase = true;
    }
    if (count == 0) break;
    readFrom(visit);
    const next = key + readNumber();
    if (hasBase && baseKey <= next) {
      readFrom(base);
      if (baseKey < next) takeItem(baseKey);
      else skipItem();
      base = readAt;
      hasBase = false;
      continue;
    }
    key = next;
    takeItem(key);
    visit = readAt;
    count--;
  }
  readFrom(base);
  if (hasBase) takeItem(baseKey);
  for (; baseCount > 0; baseCount--) {
    baseKey += readNumber();
    takeItem(baseKey);
  }
  endAppending();
}

// @ts-ignore: decorator
@inline
function skipItem(): void {
  readBound();
  readNumber();
}

/** Takes a list of `count` answers of a peer. */
export function takeAnswers(from: usize, count: u32, peer: u32): void {
  readFrom(from);
  let key: u64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    key += readNumber();
    readBound();
    const slot = place(key);
    if (isNewSlot) setRef(slot, peer);
    if ((refAt(slot) & OPEN) == 0) {
      learn(slot, readLo, readHi);
      continue;
    }
    const node = nodeAt(refAt(slot) & INDEX);
    learnOf(node, readLo, readHi);
    tellParents(node);
  }
}

/** Takes a list of `count` demands on the block. */
export function takeDemands(from: usize, count: u32): void {
  readFrom(from);
  let key: u64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    key += readNumber();
    const need = <i32>readNumber();
    const slot = find(key);
    if (slot != 0 && settles(loAt(slot), hiAt(slot), need)) continue;
    const node = nodeAt(nodeOfKey(key));
    if (need > demandedOf(node)) setDemanded(node, need);
  }
}

/** Number of answers by {@link answer} that the other block has not got before. */
export let newAnswers: u32 = 0;

/**
 * Answers a list of `count` demands on the block, those that are settled, to `at`. Returns the number of
 * answers; `isNew` tells that none of the demands was answered before.
 */
export function answer(from: usize, count: u32, isNew: bool, at: usize): u32 {
  checkLists(at + <usize>count * ITEM_BYTES);
  readFrom(from);
  writeTo(at);
  newAnswers = 0;
  let answers: u32 = 0;
  let key: u64 = 0;
  let last: u64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    key += readNumber();
    const need = <i32>readNumber();
    const slot = find(key);
    if (slot == 0 || !settles(loAt(slot), hiAt(slot), need)) continue;
    writeNumber(key - last);
    writeBound(slot);
    last = key;
    answers++;
    if (isNew || (refAt(slot) & NEW) != 0) newAnswers++;
  }
  return answers;
}

/** Bytes of a node and of an edge in a list. */
const LISTED_NODE: i32 = 8;
const LISTED_EDGE: i32 = 8;

/**
 * Makes the nodes of a list with `count` nodes, guests included, without their keys, which the table
 * has, and their edges. With `isFresh`, nothing is demanded of them.
 */
export function takeNodes(from: usize, count: u32, edges: usize, isFresh: bool): void {
  let index = makeNodes(count);
  let fields = from + 4 * RANGE;
  for (let layer: u32 = 0; layer < <u32>RANGE; layer++) {
    const nodes = load<u32>(from + 4 * layer);
    const at = LAYERS + <usize>layer * LAYER_BYTES;
    store<u32>(at, index);
    store<u32>(at, index + nodes, 4);
    for (const end = index + nodes; index < end; index++, fields += LISTED_NODE) {
      const node = nodeAt(index);
      setLayer(node, layer);
      setFulfilled(node, load<u16>(fields, 4));
      if (!isFresh) {
        setNeed(node, load<u16>(fields));
        setDemandedBefore(node, load<u16>(fields, 2));
      }
      // The last edge made is a node's first.
      const count = load<u16>(fields, 6);
      for (let edge = edges + LISTED_EDGE * count; edge > edges; ) {
        edge -= LISTED_EDGE;
        makeEdge(node, load<u32>(edge), load<u16>(edge, 4), load<u16>(edge, 6));
      }
      edges += LISTED_EDGE * count;
    }
  }
  for (; index <= count; index++, fields += LISTED_NODE) {
    const node = nodeAt(index);
    setPeer(node, load<u32>(fields));
    if (!isFresh) {
      setNeed(node, load<u32>(fields, 4));
      setDemandedBefore(node, load<u32>(fields, 4));
    }
  }
}

/** Writes the nodes listed by {@link closeVisit} at `order` to `at`. */
export function writeNodes(order: usize, at: usize): void {
  checkLists(at + 4 * RANGE + LISTED_NODE * nodesKept);
  memory.copy(at, order, 4 * RANGE);
  const end = order + 4 * (<usize>RANGE + nodesKept);
  at += 4 * RANGE;
  for (let from = order + 4 * RANGE; from < end; from += 4, at += LISTED_NODE) {
    const node = nodeAt(load<u32>(from));
    if (peerIn(node) != 0) {
      const need = needOf(node);
      store<u32>(at, peerIn(node));
      store<u32>(at, isKnown(node, need) ? 0 : need, 4);
      continue;
    }
    let count: u16 = 0;
    for (let edge = firstEdge(node); edge != 0; edge = nextEdge(edgeAt(edge))) count++;
    store<u16>(at, <u16>needOf(node));
    store<u16>(at, <u16>demandedOf(node), 2);
    store<u16>(at, <u16>fulfilledBy(node), 4);
    store<u16>(at, count, 6);
  }
  writeTo(at);
}

/** Writes the edges of the nodes listed at `order` to `at`. */
export function writeEdges(order: usize, at: usize): void {
  const end = order + 4 * (<usize>RANGE + nodesKept);
  for (let from = order + 4 * RANGE; from < end; from += 4) {
    const node = nodeAt(load<u32>(from));
    if (peerIn(node) != 0) break; // guests have none
    for (let index = firstEdge(node); index != 0; at += LISTED_EDGE) {
      const edge = edgeAt(index);
      checkLists(at + LISTED_EDGE);
      store<u32>(at, nextOf(nodeAt(childOf(edge))));
      store<u32>(at, <u32>scoreOf(edge) | (moveOf(edge) << 16), 4);
      index = nextEdge(edge);
    }
  }
  writeTo(at);
}

/** Writes the bounds that are known to `at`, as a base; returns their number. */
export function writeBase(at: usize): u32 {
  writeTo(at);
  let items: u32 = 0;
  let last: u64 = 0;
  const end = tableEnd();
  for (let slot = nextHeld(tableAt, end); slot < end; slot = nextHeld(slot + SLOT_BYTES, end)) {
    if (loAt(slot) == 0 && hiAt(slot) == NONE) continue;
    const ref = refAt(slot);
    checkLists(writeAt + ITEM_BYTES);
    writeNumber(load<u64>(slot) - last);
    writeBound(slot);
    writeNumber(((ref & OPEN) != 0 ? peerIn(nodeAt(ref & INDEX)) : ref & INDEX) << 2);
    last = load<u64>(slot);
    items++;
  }
  return items;
}

/**
 * Writes the table of a visit to `at`, and the demands on its peers behind it; returns the number of
 * items. With `isBased`, the base has all bounds.
 */
export function writeTable(isBased: bool, at: usize): u32 {
  for (let i: u32 = 1; i < peerCount; i++) {
    const peer = peerAt(i);
    store<u32>(peer, at, LIST);
    store<u32>(peer, at, LIST + 4);
    at += ITEM_BYTES * load<u32>(peer, DEMANDS);
  }
  tableList = at;
  let items: u32 = 0;
  let last: u64 = 0;
  const end = tableEnd();
  for (let slot = nextHeld(tableAt, end); slot < end; slot = nextHeld(slot + SLOT_BYTES, end)) {
    const ref = refAt(slot);
    let index = ref & INDEX;
    let kept: u32 = 0;
    if ((ref & OPEN) != 0) {
      const node = nodeAt(index);
      index = peerIn(node);
      kept = nextOf(node);
      const need = needOf(node);
      if (index != 0 && need != 0 && !isKnown(node, need))
        writeDemand(peerAt(index), load<u64>(slot), need);
    }
    const isChanged = !isBased && (ref & CHANGED) != 0;
    if (kept == 0 && !isChanged) continue;
    checkLists(at + ITEM_BYTES);
    writeTo(at);
    writeNumber(load<u64>(slot) - last);
    writeBound(slot);
    writeNumber(((kept == 0 ? index : kept) << 2) | (u32(isChanged) << 1) | u32(kept != 0));
    at = writeAt;
    last = load<u64>(slot);
    items++;
  }
  writeTo(at);
  return items;
}

/** Address of the list that {@link writeTable} has written. */
export let tableList: usize = 0;

// @ts-ignore: decorator
@inline
function writeDemand(peer: usize, key: u64, need: i32): void {
  writeTo(load<u32>(peer, LIST + 4));
  writeNumber(key - load<u64>(peer, LAST_KEY));
  writeNumber(need);
  store<u64>(peer, key, LAST_KEY);
  store<u32>(peer, writeAt, LIST + 4);
}
