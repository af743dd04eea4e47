/*
 * The table of a block: the bounds of its boards, and of boards of other blocks (guests).
 *
 * A key's home is proportional to the key, and keys are in ascending order without a gap between a
 * key and its home. So the search for a missing key ends early, reading a table returns its keys
 * sorted, and a sorted list fills it from front to back.
 */
import { KEY_BITS } from "../../kernel/assembly/keys";
import { isGuestIn, NONE, hiOf, loOf } from "./bounds";
import { PAGE_LOG2 } from "./layout";
import { packedForm } from "./packed";
import { pagesFor, returnPages, takePages } from "./pages";
import { Entered, ownerOf } from "./residents";

/** A slot. */
@unmanaged
class Slot {
  /** A mixed afterstate key; 0: empty. */
  key: u64;
  /** Lower bound, points / 4. */
  lo: u16;
  /** Upper bound, points / 4, or NONE. */
  hi: u16;
  /** Address of the board's node (`nodes.ts`), if it has one; flags. */
  node: u32;
}
export const SLOT_BYTES: usize = offsetof<Slot>();
/* Flags; the addresses of nodes leave these bits free. */
const GUEST: u32 = 1;
/** The board has changed since its block was saved. */
const CHANGED: u32 = 2;

/**
 * Bytes between a key's home and the next empty slot from which on a table grows. It is never as
 * many unless the keys are not spread evenly: while a file is read, a table may be full of its first
 * keys.
 */
const MOST_DISPLACED: usize = 1 << 14;

/** Slots after the last home, for keys displaced there. */
const SPARE: u32 = 1024;
/**
 * Bits of a key that determine its home, so that their product with the number of slots fits a u64.
 */
const TOP_BITS: i32 = KEY_BITS < 32 ? KEY_BITS : 32;

export function tableEnd(): usize {
  return Entered.tableAt + ((<usize>Entered.tablePages) << PAGE_LOG2);
}

/**
 * Makes an empty table for `count` keys, which fill at most 7 in 10 slots; {@link append} and
 * {@link endAppending} must follow. The last slot stays empty: it ends every search.
 */
export function beginTable(count: u32): void {
  const wanted = count + <u32>((3 * <u64>count) / 7) + 1;
  const spare = min(wanted, SPARE) + 1;
  const pages = pagesFor(<usize>(wanted + spare) * SLOT_BYTES);
  const all = <u32>(((<usize>pages) << PAGE_LOG2) / SLOT_BYTES);
  Entered.tableAt = takePages(pages, ownerOf(Entered.place));
  Entered.slots = all - spare;
  Entered.most = count;
  Entered.tablePages = pages;
  Entered.held = 0;
  freeSlot = Entered.tableAt;
}

/** Address of the first slot not yet set while keys are appended in order. */
let freeSlot: usize = 0;

/**
 * Returns the slot of the next key in ascending order, and clears those before it; 0 if there is no
 * room.
 */
@inline
function append(key: u64): usize {
  const home = homeOf(key);
  const at = home > freeSlot ? home : freeSlot;
  if (at >= tableEnd() - SLOT_BYTES) return 0;
  for (; freeSlot < at; freeSlot += SLOT_BYTES) store<u64>(freeSlot, 0);
  store<u64>(at, key, offsetof<Slot>("key"));
  freeSlot = at + SLOT_BYTES;
  Entered.held++;
  return at;
}

/** Clears the slots after the last appended key. */
export function endAppending(): void {
  for (const end = tableEnd(); freeSlot < end; freeSlot += SLOT_BYTES) store<u64>(freeSlot, 0);
}

/** Makes room for `count` more keys in the table. */
@inline
export function reserve(count: u32): void {
  if (Entered.held + count > Entered.most) grow(Entered.held + count);
}

/** A table with fewer keys grows by half, a larger one by a quarter, which takes less memory. */
const FEW_KEYS: u32 = 1 << 20;

/** Makes the table larger by a half or a quarter, or large enough for `count` keys. */
function grow(count: u32): void {
  const at = Entered.tableAt;
  const end = tableEnd();
  const pages = Entered.tablePages;
  const more = Entered.held >> (Entered.held < FEW_KEYS ? 1 : 2);
  for (let size = max(count, Entered.held + more); ; size += size >> 3) {
    beginTable(size);
    if (copySlots(at, end)) break;
    returnPages(Entered.tableAt, Entered.tablePages);
  }
  returnPages(at, pages);
}

/** Appends all slots of another table; returns false if they do not fit. */
function copySlots(from: usize, end: usize): bool {
  for (; from < end; from += SLOT_BYTES) {
    const key = load<u64>(from, offsetof<Slot>("key"));
    if (key == 0) continue;
    const to = append(key);
    if (to == 0) return false;
    store<u64>(to, load<u64>(from, offsetof<Slot>("lo")), offsetof<Slot>("lo"));
  }
  endAppending();
  return true;
}

@inline
function copySlot(to: usize, from: usize): void {
  store<u64>(to, load<u64>(from, offsetof<Slot>("key")));
  store<u64>(to, load<u64>(from, offsetof<Slot>("lo")), offsetof<Slot>("lo"));
}

/** Returns the address of a key's home. */
@inline
export function homeOf(key: u64): usize {
  return (
    Entered.tableAt +
    <usize>(((key >> (KEY_BITS - TOP_BITS)) * Entered.slots) >> TOP_BITS) * SLOT_BYTES
  );
}

/** Returns the address of a key's slot, or 0 if the table does not have the key. */
@inline
export function find(key: u64): usize {
  return findFrom(homeOf(key), key);
}

/** Returns the address of a key's slot, given its home, or 0 if the table does not have the key. */
@inline
export function findFrom(home: usize, key: u64): usize {
  let at = home;
  while (true) {
    const here = load<u64>(at, offsetof<Slot>("key"));
    if (here == key) return at;
    if (here == 0 || here > key) return 0;
    at += SLOT_BYTES;
  }
}

/** True if the last {@link place} found no such board. */
export let isNewSlot: bool = false;

/**
 * Returns the address of a key's slot. If the table does not have the key, makes a slot: for the
 * packed board if there is one, otherwise for a new board without bounds.
 */
export function place(key: u64): usize {
  reserve(1);
  let at = homeOf(key);
  while (true) {
    const here = load<u64>(at, offsetof<Slot>("key"));
    if (here == key) {
      isNewSlot = false;
      return at;
    }
    if (here == 0 || here > key) break;
    at += SLOT_BYTES;
  }
  let end = at;
  while (load<u64>(end, offsetof<Slot>("key")) != 0) end += SLOT_BYTES;
  if (end >= tableEnd() - SLOT_BYTES || end - homeOf(key) > MOST_DISPLACED) {
    grow(Entered.held + 1);
    return place(key);
  }
  for (; end > at; end -= SLOT_BYTES) copySlot(end, end - SLOT_BYTES);
  Entered.held++;
  store<u64>(at, key, offsetof<Slot>("key"));
  const packed = packedForm(key);
  isNewSlot = packed == 0;
  if (packed != 0) {
    setBoundAt(at, loOf(packed), hiOf(packed));
    clearNodeIn(at, isGuestIn(packed));
    return at;
  }
  store<u64>(at, ((<u64>NONE) << 16) | ((<u64>CHANGED) << 32), offsetof<Slot>("lo"));
  Entered.changedBoards++;
  Entered.boards++;
  return at;
}

/** The bounds that {@link readBounds} finds; 0 and NONE if nothing is known. */
export let lo: i32 = 0;
export let hi: i32 = NONE;

/** Finds the bounds of a key's board in its slot or, if that is 0, among the packed boards. */
@inline
export function readBounds(slot: usize, key: u64): void {
  if (slot != 0) {
    lo = loAt(slot);
    hi = hiAt(slot);
  } else {
    const form = packedForm(key);
    lo = loOf(form);
    hi = hiOf(form);
  }
}

/** Returns the address of the first slot from `at` on that has a key, or `end`. */
@inline
export function nextHeld(at: usize, end: usize): usize {
  while (at < end && load<u64>(at, offsetof<Slot>("key")) == 0) at += SLOT_BYTES;
  return at;
}

@inline
export function loAt(slot: usize): i32 {
  return load<u16>(slot, offsetof<Slot>("lo"));
}

@inline
export function hiAt(slot: usize): i32 {
  return load<u16>(slot, offsetof<Slot>("hi"));
}

/** Returns the node of a slot's board, or 0. */
@inline
export function nodeIn(slot: usize): usize {
  return load<u32>(slot, offsetof<Slot>("node")) & ~(GUEST | CHANGED);
}

@inline
export function isGuestAt(slot: usize): bool {
  return (load<u32>(slot, offsetof<Slot>("node")) & GUEST) != 0;
}

/** Sets the node of a slot's board. */
@inline
export function setNodeIn(slot: usize, node: usize, isGuest: bool): void {
  store<u32>(
    slot,
    <u32>node | u32(isGuest) | (load<u32>(slot, offsetof<Slot>("node")) & CHANGED),
    offsetof<Slot>("node"),
  );
}

/** Sets that a slot's board has no node and is as it was saved. */
@inline
export function clearNodeIn(slot: usize, isGuest: bool): void {
  store<u32>(slot, u32(isGuest), offsetof<Slot>("node"));
}

@inline
function isChanged(slot: usize): bool {
  return (load<u32>(slot, offsetof<Slot>("node")) & CHANGED) != 0;
}

/** Records that a slot's board, or its node, has changed since its block was saved. */
@inline
export function setChanged(slot: usize): void {
  if (isChanged(slot)) return;
  store<u32>(slot, load<u32>(slot, offsetof<Slot>("node")) | CHANGED, offsetof<Slot>("node"));
  Entered.changedBoards++;
}

/** Records that a slot's board is saved. */
@inline
export function setSaved(slot: usize): void {
  store<u32>(slot, load<u32>(slot, offsetof<Slot>("node")) & ~CHANGED, offsetof<Slot>("node"));
}

/** Returns the address of the first slot from `at` on whose board has changed, or `end`. */
export function nextChanged(at: usize, end: usize): usize {
  for (; at < end; at += SLOT_BYTES) {
    if (isChanged(at) && load<u64>(at, offsetof<Slot>("key")) != 0) break;
  }
  return at;
}

@inline
export function setBoundAt(slot: usize, lo: i32, hi: i32): void {
  store<u32>(slot, <u32>lo | ((<u32>hi) << 16), offsetof<Slot>("lo"));
}

/** Merges a bound into a slot. */
@inline
export function learn(slot: usize, lo: i32, hi: i32): void {
  const before = load<u32>(slot, offsetof<Slot>("lo")); // lo and hi
  setBoundAt(slot, max(lo, loAt(slot)), min(hi, hiAt(slot)));
  if (load<u32>(slot, offsetof<Slot>("lo")) != before) setChanged(slot);
}
