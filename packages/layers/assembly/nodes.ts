/*
 * The nodes of a visit: the block's open boards, and the boards of other blocks that edges lead to
 * (guests). Indices begin at 1; 0 stands for none. A node has 48 bytes:
 *     0    u64   key
 *     8    u16   lo, points / 4
 *     10   u16   hi, points / 4, or NONE
 *     12   u16   need: the most that is demanded of it, points / 4; 0: nothing is
 *     14   u16   asked: what it must be worth for its edges' demands; need, or 0 if these are withdrawn
 *     16   u16   the most that other blocks demand of it
 *     18   u16   that in the last visit; of a guest: its need in the last visit
 *     20   u16   the need that its edges fulfil if they hold
 *     22   u8    flags
 *     23   u8    number of its layer in the block
 *     24   u32   its first edge
 *     28   u32   the first edge that leads to it
 *     32   u32   the next node in the queue upward
 *     36   u32   the next node in the queue downward
 *     40   u32   index of its block among the peers; 0: this one
 *     44   u32   the next node made in this layer; in the end, its index in the file, or 0
 *
 * An edge has 20 bytes:
 *     0    u32   the child; 0: the edge is gone
 *     4    u32   the node
 *     8    u32   the node's next edge
 *     12   u32   the next edge that leads to the child
 *     16   u16   points / 4 of the slide
 *     18   u8    the cell + 16 if the tile placed is a 4 + 32 · direction of the slide
 */
import { boardOf, unmix } from "../../kernel/assembly/keys";
import { blockOf, layerOf } from "./blocks";
import { LAYER_BYTES, LAYERS, RANGE } from "./layout";
import { peerOf } from "./peers";
import { checkEdges, checkNodes, edgesAt, nodesAt } from "./regions";
import {
  find,
  hiAt,
  INDEX,
  isNewSlot,
  learn,
  loAt,
  OPEN,
  place,
  refAt,
  setRef,
  settles,
} from "./slots";

const NODE_BYTES: i32 = 48;
const EDGE_BYTES: i32 = 20;
/** The cell and the tile of an edge's placement. */
export const PLACE: u32 = 31;
/** Flags: in the queue upward, in the one downward; its need must be found anew; an edge leads to it. */
export const UPWARD: u8 = 1;
export const DOWNWARD: u8 = 2;
export const FELL: u8 = 4;
export const REFERENCED: u8 = 8;

/** Nodes and edges, those of index 0 included. */
export let nodeCount: u32 = 1;
export let edgeCount: u32 = 1;

export function clearNodes(): void {
  nodeCount = 1;
  edgeCount = 1;
  memory.fill(LAYERS, 0, (RANGE + 1) * LAYER_BYTES);
}

// @ts-ignore: decorator
@inline
export function nodeAt(index: u32): usize {
  return nodesAt + <usize>index * NODE_BYTES;
}

// @ts-ignore: decorator
@inline
export function indexOf(node: usize): u32 {
  return <u32>((node - nodesAt) / NODE_BYTES);
}

// @ts-ignore: decorator
@inline
export function edgeAt(index: u32): usize {
  return edgesAt + <usize>index * EDGE_BYTES;
}

/** Makes `count` nodes without keys; returns the index of the first. */
export function makeNodes(count: u32): u32 {
  const first = nodeCount;
  nodeCount += count;
  checkNodes(nodeAt(nodeCount));
  memory.fill(nodeAt(first), 0, <usize>count * NODE_BYTES);
  return first;
}

/** Forgets what is needed of all nodes. */
export function forgetNeeds(): void {
  for (let i: u32 = 1; i < nodeCount; i++) setNeed(nodeAt(i), 0);
}

/** Gives a node its key and what is known of it. */
// @ts-ignore: decorator
@inline
export function nameNode(index: u32, key: u64, lo: i32, hi: i32): void {
  const node = nodeAt(index);
  store<u64>(node, key);
  store<u32>(node, <u32>lo | ((<u32>hi) << 16), 8);
}

/** Returns the index of a board's node; makes the node if it has none. `layer` is that of the board. */
export function nodeOf(key: u64, board: u64, layer: i32): u32 {
  const slot = place(key);
  const ref = refAt(slot);
  if ((ref & OPEN) != 0) return ref & INDEX;
  const peer = isNewSlot ? peerOf(blockOf(board, layer)) : ref & INDEX;
  const index = makeNodes(1);
  const node = nodeAt(index);
  nameNode(index, key, loAt(slot), hiAt(slot));
  setRef(slot, (ref & ~INDEX) | OPEN | index);
  setLayer(node, layer & (RANGE - 1));
  setPeer(node, peer);
  if (peer == 0) link(index, node);
  return index;
}

/** Returns the index of the node of a key. */
export function nodeOfKey(key: u64): u32 {
  const slot = find(key);
  if (slot != 0 && (refAt(slot) & OPEN) != 0) return refAt(slot) & INDEX;
  const board = boardOf(unmix(key));
  return nodeOf(key, board, layerOf(board));
}

/** Appends a node to the list of those made in its layer. */
// @ts-ignore: decorator
@inline
function link(index: u32, node: usize): void {
  const layer = LAYERS + <usize>layerIn(node) * LAYER_BYTES;
  if (load<u32>(layer, 8) == 0) store<u32>(layer, index, 8);
  else setNext(nodeAt(load<u32>(layer, 12)), index);
  store<u32>(layer, index, 12);
}

/** Makes an edge from a node to a child, before its other edges; it demands nothing yet. Returns its index. */
export function makeEdge(node: usize, child: u32, score: i32, move: u32): usize {
  const index = edgeCount++;
  const edge = edgeAt(index);
  checkEdges(edge + EDGE_BYTES);
  const to = nodeAt(child);
  store<u32>(edge, child);
  store<u32>(edge, indexOf(node), 4);
  store<u32>(edge, firstEdge(node), 8);
  store<u32>(edge, firstParent(to), 12);
  store<u32>(edge, <u32>score | (move << 16), 16);
  setFirstEdge(node, index);
  store<u32>(to, index, 28);
  return edge;
}

// @ts-ignore: decorator
@inline
export function keyOf(node: usize): u64 {
  return load<u64>(node);
}

// @ts-ignore: decorator
@inline
export function loOf(node: usize): i32 {
  return load<u16>(node, 8);
}

// @ts-ignore: decorator
@inline
export function hiOf(node: usize): i32 {
  return load<u16>(node, 10);
}

// @ts-ignore: decorator
@inline
export function needOf(node: usize): i32 {
  return load<u16>(node, 12);
}

// @ts-ignore: decorator
@inline
export function setNeed(node: usize, value: i32): void {
  store<u16>(node, <u16>value, 12);
}

// @ts-ignore: decorator
@inline
export function askedOf(node: usize): i32 {
  return load<u16>(node, 14);
}

// @ts-ignore: decorator
@inline
export function setAsked(node: usize, value: i32): void {
  store<u16>(node, <u16>value, 14);
}

// @ts-ignore: decorator
@inline
export function demandedOf(node: usize): i32 {
  return load<u16>(node, 16);
}

// @ts-ignore: decorator
@inline
export function setDemanded(node: usize, value: i32): void {
  store<u16>(node, <u16>value, 16);
}

// @ts-ignore: decorator
@inline
export function demandedBefore(node: usize): i32 {
  return load<u16>(node, 18);
}

// @ts-ignore: decorator
@inline
export function setDemandedBefore(node: usize, value: i32): void {
  store<u16>(node, <u16>value, 18);
}

/** Returns the need that the edges of a node fulfil. */
// @ts-ignore: decorator
@inline
export function fulfilledBy(node: usize): i32 {
  return load<u16>(node, 20);
}

// @ts-ignore: decorator
@inline
export function setFulfilled(node: usize, value: i32): void {
  store<u16>(node, <u16>value, 20);
}

// @ts-ignore: decorator
@inline
export function flagsOf(node: usize): u8 {
  return load<u8>(node, 22);
}

// @ts-ignore: decorator
@inline
export function setFlags(node: usize, value: u8): void {
  store<u8>(node, value, 22);
}

// @ts-ignore: decorator
@inline
export function layerIn(node: usize): u32 {
  return load<u8>(node, 23);
}

// @ts-ignore: decorator
@inline
export function setLayer(node: usize, value: u32): void {
  store<u8>(node, <u8>value, 23);
}

// @ts-ignore: decorator
@inline
export function firstEdge(node: usize): u32 {
  return load<u32>(node, 24);
}

// @ts-ignore: decorator
@inline
export function setFirstEdge(node: usize, value: u32): void {
  store<u32>(node, value, 24);
}

// @ts-ignore: decorator
@inline
export function firstParent(node: usize): u32 {
  return load<u32>(node, 28);
}

// @ts-ignore: decorator
@inline
export function nextUpward(node: usize): u32 {
  return load<u32>(node, 32);
}

// @ts-ignore: decorator
@inline
export function setNextUpward(node: usize, value: u32): void {
  store<u32>(node, value, 32);
}

// @ts-ignore: decorator
@inline
export function nextDownward(node: usize): u32 {
  return load<u32>(node, 36);
}

// @ts-ignore: decorator
@inline
export function setNextDownward(node: usize, value: u32): void {
  store<u32>(node, value, 36);
}

/** Returns the index of a node's block among the peers: 0, or that of a guest's block. */
// @ts-ignore: decorator
@inline
export function peerIn(node: usize): u32 {
  return load<u32>(node, 40);
}

// @ts-ignore: decorator
@inline
export function setPeer(node: usize, value: u32): void {
  store<u32>(node, value, 40);
}

// @ts-ignore: decorator
@inline
export function nextOf(node: usize): u32 {
  return load<u32>(node, 44);
}

// @ts-ignore: decorator
@inline
export function setNext(node: usize, value: u32): void {
  store<u32>(node, value, 44);
}

// @ts-ignore: decorator
@inline
export function isKnown(node: usize, need: i32): bool {
  return settles(loOf(node), hiOf(node), need);
}

/** Merges a bound into a node and its slot. */
export function learnOf(node: usize, lo: i32, hi: i32): void {
  store<u16>(node, <u16>max(lo, loOf(node)), 8);
  store<u16>(node, <u16>min(hi, hiOf(node)), 10);
  learn(find(keyOf(node)), lo, hi);
}

// @ts-ignore: decorator
@inline
export function childOf(edge: usize): u32 {
  return load<u32>(edge);
}

// @ts-ignore: decorator
@inline
export function parentOf(edge: usize): u32 {
  return load<u32>(edge, 4);
}

// @ts-ignore: decorator
@inline
export function nextEdge(edge: usize): u32 {
  return load<u32>(edge, 8);
}

// @ts-ignore: decorator
@inline
export function nextParent(edge: usize): u32 {
  return load<u32>(edge, 12);
}

// @ts-ignore: decorator
@inline
export function scoreOf(edge: usize): i32 {
  return load<u16>(edge, 16);
}

// @ts-ignore: decorator
@inline
export function moveOf(edge: usize): u32 {
  return load<u8>(edge, 18);
}

/** Removes an edge from its node's, behind the edge `before`, or as the first if that is 0. */
// @ts-ignore: decorator
@inline
export function removeEdge(node: usize, edge: usize, before: usize): void {
  store<u32>(edge, 0);
  if (before == 0) setFirstEdge(node, nextEdge(edge));
  else store<u32>(before, nextEdge(edge), 8);
}
