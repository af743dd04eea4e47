/*
 * Functions that the host calls to check the claims of a proof: the bounds in the files of its
 * blocks. They form a separate module, which knows of a proof only the bytes that the host reads
 * from its files.
 *
 * First, each block is checked by itself, with all its files in one table: `begin`, then `beginFile`
 * for each file and `takeClaims` for each chunk, then `checkClaims`. Its own claims must follow from each other and from those
 * about guests. Then, for one slice of all keys after another: `begin`, `takeOwn` for the chunks of
 * all blocks that have keys of the slice, and `checkGuests` for the same chunks. The claims about
 * guests must also be claims of the guests' own blocks.
 *
 * The claims of a chunk about boards of its block can also be listed, by `beginBytes` and `nextOwn`,
 * or looked up, by `findOwn`.
 */
import { prepareBoards } from "../../boards/assembly/board";
import { prepareEarnings, prepareLines } from "../../boards/assembly/lines";
import { afterstateKey, boardOf, KEY_BITS, mix, unmix } from "../../kernel/assembly/keys";
import { preparePlaces } from "../../kernel/assembly/moves";
import { blockOf, hasBlocks, layerOf } from "./blocks";
import { NONE } from "./bounds";
import { Failure, FAILURE_BYTES, FAILURES, MAX_DEPTH, MAX_FAILURES, STAGE } from "./check-layout";
import { beginBytes, hasMore, hi, isGuest, key, lo, readClaim } from "./claim-reader";
import { clearMemo, followsLower, followsUpper, played, setTiles } from "./claim-rules";
import { addClaim, beginClaims, claimSlots, findClaim, isInSlice, slotAt } from "./claims";
import { STAGE_BYTES } from "./layout";

export { beginBytes, claimSlots, FAILURES, MAX_FAILURES, STAGE, STAGE_BYTES };
export { played };
export { setBlockLayers, setSplit } from "./blocks";

/** Sides of a claim that can fail. */
const LOWER: u32 = 0;
const UPPER: u32 = 1;
/** Half the largest tile sum at which every board that is played out can be packed. */
const MOST_LAYER: i32 = 32767 - 2 * (MAX_DEPTH + 2);

/** Boards of the block, guests, bounds checked, and bounds that do not follow. */
export let ownBoards: u32 = 0;
export let guestBoards: u32 = 0;
export let lowerBounds: u32 = 0;
export let upperBounds: u32 = 0;
export let failed: u32 = 0;

/** The last key read from the current file. */
let lastKey: u64 = 0;

/** Begins to read a file of a block. A later file has better bounds of some boards. */
export function beginFile(): void {
  lastKey = 0;
}

/** Fills the read-only tables; sets the tiles that can be placed, one bit for each exponent. */
export function prepare(tiles: u32): void {
  prepareBoards();
  prepareEarnings(0);
  prepareLines();
  preparePlaces();
  setTiles(tiles);
}

/**
 * Begins a table for `count` keys whose first `bits` bits are `slice`. Returns false if there is
 * too little memory.
 */
export function begin(count: u32, bits: i32, slice: u32): bool {
  ownBoards = 0;
  guestBoards = 0;
  lowerBounds = 0;
  upperBounds = 0;
  failed = 0;
  return beginClaims(count, bits, slice);
}

/**
 * Reads all claims of a block's next chunk from the stage. Returns false if the bytes are not
 * claims in the order of their keys, or if there are more claims than were announced.
 */
export function takeClaims(bytes: u32): bool {
  for (beginBytes(bytes); hasMore(); lastKey = key) {
    if (!readClaim() || key <= lastKey || !addClaim(key, lo, hi, isGuest)) return false;
  }
  return true;
}

/** Checks the block's own claims in a range of slots of the table. */
export function checkClaims(first: u32, end: u32): void {
  if (first == 0) clearMemo();
  for (let i = first; i < end; i++) {
    const slot = slotAt(i);
    if (slot.key == 0) continue;
    if (slot.isGuest != 0) {
      guestBoards++;
      continue;
    }
    ownBoards++;
    const board = boardOf(unmix(slot.key));
    const isPlayable = layerOf(board) <= MOST_LAYER;
    const lo: i32 = slot.lo;
    const hi: i32 = slot.hi;
    if (lo > 0) {
      lowerBounds++;
      if (!(isPlayable && followsLower(board, lo))) fail(board, lo, LOWER);
    }
    if (hi != NONE) {
      upperBounds++;
      if (!(isPlayable && followsUpper(board, hi))) fail(board, hi, UPPER);
    }
  }
}

function fail(board: u64, bound: i32, side: u32): void {
  if (failed < MAX_FAILURES) {
    const failure = changetype<Failure>(FAILURES + <usize>failed * FAILURE_BYTES);
    failure.board = board;
    failure.bound = bound;
    failure.side = side;
  }
  failed++;
}

/** Reads the own claims in the slice from a chunk of any block. */
export function takeOwn(bytes: u32): bool {
  for (beginBytes(bytes); hasMore(); ) {
    if (!readClaim()) return false;
    if (!isGuest && isInSlice(key) && !addClaim(key, lo, hi, false)) return false;
  }
  return true;
}

/** Checks the claims in the slice about guests of a chunk. */
export function checkGuests(bytes: u32): bool {
  for (beginBytes(bytes); hasMore(); ) {
    if (!readClaim()) return false;
    if (!isGuest || !isInSlice(key)) continue;
    const claim = findClaim(key);
    if (lo > 0) {
      lowerBounds++;
      if (!claim || <i32>claim.lo < lo) fail(boardOf(unmix(key)), lo, LOWER);
    }
    if (hi != NONE) {
      upperBounds++;
      if (!claim || <i32>claim.hi > hi) fail(boardOf(unmix(key)), hi, UPPER);
    }
  }
  return true;
}

/** Returns the first 32 bits of the first key in the stage. */
export function firstBits(bytes: u32): u32 {
  beginBytes(bytes);
  return hasMore() && readClaim() ? <u32>((key << (64 - KEY_BITS)) >> 32) : 0;
}

/** Returns the block's claim about an own afterstate: lo and, in the upper half, hi or NONE. */
export function claimOf(board: u64): u32 {
  const claim = findClaim(keyOf(board));
  if (!claim || claim.isGuest != 0) return (<u32>NONE) << 16;
  return <u32>claim.lo | ((<u32>claim.hi) << 16);
}

/** Returns the number of an afterstate's block; 0xffffffffffffffff if its tile sum is too large. */
export function blockOfBoard(board: u64): u64 {
  const layer = layerOf(board);
  return hasBlocks(layer) ? blockOf(board, layer) : u64.MAX_VALUE;
}

/** Returns the key of an afterstate. */
export function keyOf(board: u64): u64 {
  return mix(afterstateKey(board));
}

/**
 * Moves on to the chunk's next claim about a board of its block. Returns 1, or 0 after the last one,
 * or −1 if the bytes are not claims.
 */
export function nextOwn(): i32 {
  while (hasMore()) {
    if (!readClaim()) return -1;
    if (!isGuest) return 1;
  }
  return 0;
}

/** Moves on to the claim about the own board of a key. Returns 1, or 0 or −1 as {@link nextOwn} does. */
export function findOwn(bytes: u32, wanted: u64): i32 {
  let found = 0;
  for (beginBytes(bytes); key < wanted; ) {
    found = nextOwn();
    if (found <= 0) return found;
  }
  return i32(found > 0 && key == wanted);
}

/** Returns the afterstate that the claim is about. */
export function ownBoard(): u64 {
  return boardOf(unmix(key));
}

/** Returns its bound as {@link claimOf} does. */
export function ownBound(): u32 {
  return <u32>lo | ((<u32>hi) << 16);
}
