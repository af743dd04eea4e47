/*
 * The nodes of a block in memory: boards of the block that are demanded and not yet settled, and
 * demanded boards of other blocks (guests). A node is identified by its address; 0 means no node.
 * It has 32 bytes, in a single line of a processor's cache:
 *     0    u64   key
 *     8    u16   need: the largest demand on it, points / 4
 *     10   u16   the smallest lower bound of the placements that are settled, points / 4, or NONE;
 *                for a guest: the need sent to its block, or 0
 *     12   u32   placements that are not settled, one bit each: the cell, + 16 for a 4; 0: it was
 *                not yet expanded with its need
 *     16   u32   the first node that watches it
 *     20   u32   the next node that watches the same board, or sleeps in the same bucket; for a node
 *                that is not in use: the next one
 *     24   u32   the first demand of another block (`demands.ts`)
 *     28   u8    flags
 *     29   u8    number of its layer in the block
 *     30   u8    the slide to the board that it watches: the placement + 32 · direction
 *     31   u8    bits of that board's key, while it sleeps (`sleepers.ts`)
 *
 * A node watches one of the boards that it demands. Until that board is settled, nothing is done
 * about the node.
 */
import { afterstateKey, boardOf, mix, unmix } from "../../kernel/assembly/keys";
import { slide } from "../../kernel/assembly/moves";

export const NODE_BYTES: usize = 32;

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
  store<u64>(node, key);
  store<u64>(node, 0, 8);
  store<u64>(node, 0, 16);
  store<u64>(node, 0, 24);
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
  return load<u64>(node);
}

@inline
export function needOf(node: usize): i32 {
  return load<u16>(node, 8);
}

@inline
export function setNeed(node: usize, value: i32): void {
  store<u16>(node, <u16>value, 8);
}

/** Returns the smallest lower bound of a node's settled placements, or NONE. */
@inline
export function fulfilledBy(node: usize): i32 {
  return load<u16>(node, 10);
}

@inline
export function setFulfilled(node: usize, value: i32): void {
  store<u16>(node, <u16>value, 10);
}

/** Returns the need of a guest that was sent to its block. */
@inline
export function toldOf(node: usize): i32 {
  return load<u16>(node, 10);
}

@inline
export function setTold(node: usize, value: i32): void {
  store<u16>(node, <u16>value, 10);
}

/** Returns the placements of a node that are not settled, one bit each. */
@inline
export function openPlacements(node: usize): u32 {
  return load<u32>(node, 12);
}

@inline
export function setOpenPlacements(node: usize, places: u32): void {
  store<u32>(node, places, 12);
}

@inline
export function firstWatcher(node: usize): usize {
  return load<u32>(node, 16);
}

@inline
export function clearWatchers(node: usize): void {
  store<u32>(node, 0, 16);
}

/** Returns the next node in a list of watchers, or of unused nodes. */
@inline
export function nextInList(node: usize): usize {
  return load<u32>(node, 20);
}

@inline
export function setNextInList(node: usize, next: usize): void {
  store<u32>(node, <u32>next, 20);
}

/** Makes a node watch the board to which a slide leads. */
@inline
export function watch(node: usize, child: usize, slide: u32): void {
  setNextInList(node, firstWatcher(child));
  store<u32>(child, <u32>node, 16);
  setWatchedSlide(node, slide);
}

/** Sets the slide to the board that a node watches. */
@inline
export function setWatchedSlide(node: usize, slide: u32): void {
  store<u8>(node, <u8>slide, 30);
  setFlags(node, flagsOf(node) | WATCHING);
}

/** Returns the slide to the board that a node watches. */
@inline
export function watchedSlide(node: usize): u32 {
  return load<u8>(node, 30);
}

/** Returns the key of the board that a node watches. */
export function watchedKey(node: usize): u64 {
  const move = watchedSlide(node);
  const tile = u64(1 + ((move >> 4) & 1)) << ((move & 15) << 2);
  return mix(afterstateKey(slide(boardOf(unmix(keyOf(node))) | tile, move >> 5)));
}

@inline
export function tagOf(node: usize): u8 {
  return load<u8>(node, 31);
}

@inline
export function setTag(node: usize, tag: u8): void {
  store<u8>(node, tag, 31);
}

@inline
export function firstDemand(node: usize): usize {
  return load<u32>(node, 24);
}

@inline
export function setFirstDemand(node: usize, demand: usize): void {
  store<u32>(node, <u32>demand, 24);
}

@inline
export function flagsOf(node: usize): u8 {
  return load<u8>(node, 28);
}

@inline
export function setFlags(node: usize, value: u8): void {
  store<u8>(node, value, 28);
}

@inline
export function isSettled(node: usize): bool {
  return (flagsOf(node) & SETTLED) != 0;
}

@inline
export function layerIn(node: usize): u32 {
  return load<u8>(node, 29);
}

@inline
export function setLayer(node: usize, value: u32): void {
  store<u8>(node, <u8>value, 29);
}
