/*
 * The nodes of a block in memory: its open boards, and the boards of other blocks to which edges
 * lead (guests). A node is identified by its address; 0 means no node. It has 32 bytes, in a single
 * line of a processor's cache:
 *     0    u64   key
 *     8    u16   lo, points / 4
 *     10   u16   hi, points / 4, or NONE
 *     12   u16   need: the largest demand on it, points / 4; 0: no demand
 *     14   u16   asked: the need on which its edges' demands rest; 0 if they are withdrawn
 *     16   u16   the need that its edges fulfil if they hold; for a guest: the need sent to its
 *                block, or 0
 *     18   u16   at least this many demands are as high as its need
 *     20   u16   number of other blocks' demands on it; for a guest: the place of its block
 *                (`residents.ts`)
 *     22   u8    flags
 *     23   u8    number of its layer in the block; for a guest: number of the starts' demands on it
 *     24   u32   its first edge; for a node that is not in use: the next one
 *     28   u32   the first edge that leads to it
 * While the block is saved, a node's number takes the place of lo and hi, which its slot has, too.
 */
import { find, learn, settles } from "./slots";
import { push } from "./stacks";

export const NODE_BYTES: usize = 32;

/**
 * Flags: in the queue upward, in the queue downward; its need must be recomputed; touched by the
 * visit.
 */
export const UPWARD: u8 = 1;
export const DOWNWARD: u8 = 2;
export const FELL: u8 = 4;
export const TOUCHED: u8 = 8;
/** It is a guest; it was counted as a node with edges; as a demanded and open node. */
const GUEST: u8 = 16;
export const WAS_OPEN: u8 = 32;
export const WAS_LIVE: u8 = 64;
/** Edges that led to it were removed. */
export const LOST: u8 = 128;

/** Address of the stack of the nodes that the visit has touched (`stacks.ts`). */
export let touchedAt: usize = 0;

export function attachTouched(at: usize): void {
  touchedAt = at;
}

/** Remembers that a node may have changed. */
// @ts-ignore: decorator
@inline
export function touch(node: usize): void {
  const flags = flagsOf(node);
  if ((flags & TOUCHED) != 0) return;
  setFlags(node, flags | TOUCHED);
  push(touchedAt, node);
}

// @ts-ignore: decorator
@inline
export function clearNode(node: usize): void {
  store<u64>(node, 0);
  store<u64>(node, 0, 8);
  store<u64>(node, 0, 16);
  store<u64>(node, 0, 24);
}

/** Gives a node its key and its bound. */
// @ts-ignore: decorator
@inline
export function nameNode(node: usize, key: u64, lo: i32, hi: i32): void {
  store<u64>(node, key);
  setBound(node, lo, hi);
}

// @ts-ignore: decorator
@inline
export function setGuest(node: usize, place: u32): void {
  store<u16>(node, <u16>place, 20);
  setFlags(node, flagsOf(node) | GUEST);
}

// @ts-ignore: decorator
@inline
export function isGuest(node: usize): bool {
  return (flagsOf(node) & GUEST) != 0;
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

/** Returns the need that the edges of a node fulfil. */
// @ts-ignore: decorator
@inline
export function fulfilledBy(node: usize): i32 {
  return load<u16>(node, 16);
}

// @ts-ignore: decorator
@inline
export function setFulfilled(node: usize, value: i32): void {
  store<u16>(node, <u16>value, 16);
}

// @ts-ignore: decorator
@inline
export function toldOf(node: usize): i32 {
  return load<u16>(node, 16);
}

// @ts-ignore: decorator
@inline
export function setTold(node: usize, value: i32): void {
  store<u16>(node, <u16>value, 16);
}

/** Returns a number of demands on a node that are as high as its need; there may be more. */
// @ts-ignore: decorator
@inline
export function demandsAtNeed(node: usize): u32 {
  return load<u16>(node, 18);
}

// @ts-ignore: decorator
@inline
export function setDemandsAtNeed(node: usize, count: u32): void {
  store<u16>(node, <u16>min(count, 0xffff), 18);
}

/** Returns the place of a guest's block. */
// @ts-ignore: decorator
@inline
export function homeOfGuest(node: usize): u32 {
  return load<u16>(node, 20);
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
export function firstEdge(node: usize): usize {
  return load<u32>(node, 24);
}

// @ts-ignore: decorator
@inline
export function setFirstEdge(node: usize, edge: usize): void {
  store<u32>(node, <u32>edge, 24);
}

// @ts-ignore: decorator
@inline
export function firstParent(node: usize): usize {
  return load<u32>(node, 28);
}

// @ts-ignore: decorator
@inline
export function setFirstParent(node: usize, edge: usize): void {
  store<u32>(node, <u32>edge, 28);
}

/** Returns the number of other blocks' demands on a node, or of the starts' on a guest. */
// @ts-ignore: decorator
@inline
export function foreignDemands(node: usize): u32 {
  return isGuest(node) ? load<u8>(node, 23) : load<u16>(node, 20);
}

// @ts-ignore: decorator
@inline
export function setForeignDemands(node: usize, count: u32): void {
  if (isGuest(node)) store<u8>(node, <u8>count, 23);
  else store<u16>(node, <u16>count, 20);
}

/** Returns the number of a node while its block is saved. */
// @ts-ignore: decorator
@inline
export function savedAs(node: usize): u32 {
  return load<u32>(node, 8);
}

// @ts-ignore: decorator
@inline
export function setSavedAs(node: usize, number: u32): void {
  store<u32>(node, number, 8);
}

/** Gives a node its bound again, after its block was saved. */
// @ts-ignore: decorator
@inline
export function setBound(node: usize, lo: i32, hi: i32): void {
  store<u32>(node, <u32>lo | ((<u32>hi) << 16), 8);
}

// @ts-ignore: decorator
@inline
export function isKnown(node: usize, need: i32): bool {
  return settles(loOf(node), hiOf(node), need);
}

/** Returns true if a node has a demand that is not settled. */
// @ts-ignore: decorator
@inline
export function isLive(node: usize): bool {
  const need = needOf(node);
  return need != 0 && !isKnown(node, need);
}

/** Merges a bound into a node and its slot. */
export function learnOf(node: usize, lo: i32, hi: i32): void {
  touch(node);
  store<u16>(node, <u16>max(lo, loOf(node)), 8);
  store<u16>(node, <u16>min(hi, hiOf(node)), 10);
  learn(find(keyOf(node)), lo, hi);
}
