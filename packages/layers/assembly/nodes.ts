/*
 * The nodes of a block in memory: boards of the block that are demanded and not yet settled, and
 * demanded boards of other blocks (guests). A node is identified by its address; 0 means no node.
 * It is in a single line of a processor's cache.
 *
 * A node watches one of the boards that it demands. Until that board is settled, nothing is done
 * about the node.
 */
import { afterstateKey, boardOf, mix, unmix } from "../../kernel/assembly/keys";
import { slide } from "../../kernel/assembly/moves";

/** A node. */
@unmanaged
class BlockNode {
  key: u64;
  /** The largest demand on it, points / 4. */
  need: u16;
  /**
   * The smallest lower bound of the placements that are settled, points / 4, or NONE; for a guest:
   * the need sent to its block, or 0.
   */
  fulfilled: u16;
  /**
   * Placements that are not settled, one bit each: the cell, + 16 for a 4; 0: it was not yet expanded
   * with its need.
   */
  open: u32;
  /** The first node that watches it. */
  watcher: u32;
  /**
   * The next node that watches the same board, or sleeps in the same bucket; for a node that is not
   * in use: the next one.
   */
  next: u32;
  /** The first demand of another block (`demands.ts`). */
  demand: u32;
  flags: u8;
  /** Number of its layer in the block. */
  layer: u8;
  /** The slide to the board that it watches: the placement + 32 · direction. */
  slide: u8;
  /** Bits of that board's key, while it sleeps (`sleepers.ts`). */
  tag: u8;
}

export const NODE_BYTES: usize = offsetof<BlockNode>();

/** In the queue upward, or waiting to be expanded by the next visit. */
export const UPWARD: u8 = 1;
/** In the queue downward. */
export const DOWNWARD: u8 = 2;
/** A board of another block. */
const GUEST: u8 = 4;
/** It watches a board. */
export const WATCHING: u8 = 8;
/** Its need is settled; it remains only until it no longer watches. */
export const SETTLED: u8 = 16;

/** Gives a new node its key. Nothing is demanded of it yet. */
@inline
export function nameNode(node: usize, key: u64): void {
  store<u64>(node, key, offsetof<BlockNode>("key"));
  // the rest, in three words
  store<u64>(node, 0, offsetof<BlockNode>("need"));
  store<u64>(node, 0, offsetof<BlockNode>("watcher"));
  store<u64>(node, 0, offsetof<BlockNode>("demand"));
  setFlags(node, SETTLED);
}

@inline
export function setGuest(node: usize): void {
  setFlags(node, flagsOf(node) | GUEST);
}

@inline
export function isGuest(node: usize): bool {
  return (flagsOf(node) & GUEST) != 0;
}

@inline
export function keyOf(node: usize): u64 {
  return load<u64>(node, offsetof<BlockNode>("key"));
}

@inline
export function needOf(node: usize): i32 {
  return load<u16>(node, offsetof<BlockNode>("need"));
}

@inline
export function setNeed(node: usize, value: i32): void {
  store<u16>(node, <u16>value, offsetof<BlockNode>("need"));
}

/** Returns the smallest lower bound of a node's settled placements, or NONE. */
@inline
export function fulfilledBy(node: usize): i32 {
  return load<u16>(node, offsetof<BlockNode>("fulfilled"));
}

@inline
export function setFulfilled(node: usize, value: i32): void {
  store<u16>(node, <u16>value, offsetof<BlockNode>("fulfilled"));
}

/** Returns the need of a guest that was sent to its block. */
@inline
export function toldOf(node: usize): i32 {
  return load<u16>(node, offsetof<BlockNode>("fulfilled"));
}

@inline
export function setTold(node: usize, value: i32): void {
  store<u16>(node, <u16>value, offsetof<BlockNode>("fulfilled"));
}

/** Returns the placements of a node that are not settled, one bit each. */
@inline
export function openPlacements(node: usize): u32 {
  return load<u32>(node, offsetof<BlockNode>("open"));
}

@inline
export function setOpenPlacements(node: usize, places: u32): void {
  store<u32>(node, places, offsetof<BlockNode>("open"));
}

@inline
export function firstWatcher(node: usize): usize {
  return load<u32>(node, offsetof<BlockNode>("watcher"));
}

@inline
export function clearWatchers(node: usize): void {
  store<u32>(node, 0, offsetof<BlockNode>("watcher"));
}

/** Returns the next node in a list of watchers, or of unused nodes. */
@inline
export function nextInList(node: usize): usize {
  return load<u32>(node, offsetof<BlockNode>("next"));
}

@inline
export function setNextInList(node: usize, next: usize): void {
  store<u32>(node, <u32>next, offsetof<BlockNode>("next"));
}

/** Makes a node watch the board to which a slide leads. */
@inline
export function watch(node: usize, child: usize, slide: u32): void {
  setNextInList(node, firstWatcher(child));
  store<u32>(child, <u32>node, offsetof<BlockNode>("watcher"));
  setWatchedSlide(node, slide);
}

/** Sets the slide to the board that a node watches. */
@inline
export function setWatchedSlide(node: usize, slide: u32): void {
  store<u8>(node, <u8>slide, offsetof<BlockNode>("slide"));
  setFlags(node, flagsOf(node) | WATCHING);
}

/** Returns the slide to the board that a node watches. */
@inline
export function watchedSlide(node: usize): u32 {
  return load<u8>(node, offsetof<BlockNode>("slide"));
}

/** Returns the key of the board that a node watches. */
export function watchedKey(node: usize): u64 {
  const move = watchedSlide(node);
  const tile = u64(1 + ((move >> 4) & 1)) << ((move & 15) << 2);
  return mix(afterstateKey(slide(boardOf(unmix(keyOf(node))) | tile, move >> 5)));
}

@inline
export function tagOf(node: usize): u8 {
  return load<u8>(node, offsetof<BlockNode>("tag"));
}

@inline
export function setTag(node: usize, tag: u8): void {
  store<u8>(node, tag, offsetof<BlockNode>("tag"));
}

@inline
export function firstDemand(node: usize): usize {
  return load<u32>(node, offsetof<BlockNode>("demand"));
}

@inline
export function setFirstDemand(node: usize, demand: usize): void {
  store<u32>(node, <u32>demand, offsetof<BlockNode>("demand"));
}

@inline
export function flagsOf(node: usize): u8 {
  return load<u8>(node, offsetof<BlockNode>("flags"));
}

@inline
export function setFlags(node: usize, value: u8): void {
  store<u8>(node, value, offsetof<BlockNode>("flags"));
}

@inline
export function isSettled(node: usize): bool {
  return (flagsOf(node) & SETTLED) != 0;
}

@inline
export function layerIn(node: usize): u32 {
  return load<u8>(node, offsetof<BlockNode>("layer"));
}

@inline
export function setLayer(node: usize, value: u32): void {
  store<u8>(node, <u8>value, offsetof<BlockNode>("layer"));
}
