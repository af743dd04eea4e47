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
import { BlockNode } from "./nodes";
import { packedForm } from "./packed";
import { pagesFor, returnPages, takePages } from "./pages";
import { block, owner } from "./residents";

/* Flags; the addresses of nodes leave these bits free. */
const GUEST: u32 = 1;
/** The board has changed since its block was saved. */
const CHANGED: u32 = 2;

/** A slot. */
@unmanaged
export class Slot {
  /** A mixed afterstate key; 0: empty. */
  key: u64;
  /** Lower bound, points / 4. */
  lo: u16;
  /** Upper bound, points / 4, or NONE. */
  hi: u16;
  /** Address of the board's node, if it has one; flags. */
  private flags: u32;

  /** The board's node, if it has one. */
  node(): BlockNode | null {
    return changetype<BlockNode | null>(<usize>(this.flags & ~(GUEST | CHANGED)));
  }

  isGuest(): bool {
    return (this.flags & GUEST) != 0;
  }

  isChanged(): bool {
    return (this.flags & CHANGED) != 0;
  }

  /** Gives the board a node, or none. */
  setNode(node: BlockNode | null, isGuest: bool): void {
    this.setChanged();
    this.setSavedNode(node, isGuest);
    this.flags |= CHANGED;
  }

  /** Sets the node of a board that is as it was saved. */
  setSavedNode(node: BlockNode | null, isGuest: bool): void {
    this.flags = <u32>changetype<usize>(node) | u32(isGuest);
  }

  /** Sets the bounds of a board that has no node and is as it was saved. */
  setForm(form: u32): void {
    this.setBound(loOf(form), hiOf(form));
    this.setSavedNode(null, isGuestIn(form));
  }

  /** Records that the board, or its node, has changed since its block was saved. */
  setChanged(): void {
    if (this.isChanged()) return;
    this.flags |= CHANGED;
    block.changedBoards++;
  }

  /** Records that the board is saved. */
  setSaved(): void {
    this.flags &= ~CHANGED;
  }

  setBound(lo: i32, hi: i32): void {
    this.lo = <u16>lo;
    this.hi = <u16>hi;
  }

  /** Merges a bound into that of the board. */
  learn(lo: i32, hi: i32): void {
    if (lo <= <i32>this.lo && hi >= <i32>this.hi) return;
    this.setBound(max(lo, <i32>this.lo), min(hi, <i32>this.hi));
    this.setChanged();
  }
}
export const SLOT_BYTES: usize = offsetof<Slot>();

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
  return block.table + ((<usize>block.tablePages) << PAGE_LOG2);
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
  block.table = takePages(pages, owner);
  block.slots = all - spare;
  block.most = count;
  block.tablePages = pages;
  block.held = 0;
  freeSlot = block.table;
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
  slotAt(at).key = key;
  freeSlot = at + SLOT_BYTES;
  block.held++;
  return at;
}

/** Clears the slots after the last appended key. */
export function endAppending(): void {
  for (const end = tableEnd(); freeSlot < end; freeSlot += SLOT_BYTES) store<u64>(freeSlot, 0);
}

/** Makes room for `count` more keys in the table. */
@inline
export function reserve(count: u32): void {
  if (block.held + count > block.most) grow(block.held + count);
}

/** A table with fewer keys grows by half, a larger one by a quarter, which takes less memory. */
const FEW_KEYS: u32 = 1 << 20;

/** Makes the table larger by a half or a quarter, or large enough for `count` keys. */
function grow(count: u32): void {
  const at = block.table;
  const end = tableEnd();
  const pages = block.tablePages;
  const more = block.held >> (block.held < FEW_KEYS ? 1 : 2);
  for (let size = max(count, block.held + more); ; size += size >> 3) {
    beginTable(size);
    if (copySlots(at, end)) break;
    returnPages(block.table, block.tablePages);
  }
  returnPages(at, pages);
}

/** Appends all slots of another table; returns false if they do not fit. */
function copySlots(from: usize, end: usize): bool {
  for (; from < end; from += SLOT_BYTES) {
    if (slotAt(from).key == 0) continue;
    const to = append(slotAt(from).key);
    if (to == 0) return false;
    copySlot(to, from);
  }
  endAppending();
  return true;
}

@inline
function copySlot(to: usize, from: usize): void {
  store<u64>(to, load<u64>(from));
  store<u64>(to, load<u64>(from, 8), 8);
}

/** Returns the address of a key's home. */
@inline
export function homeOf(key: u64): usize {
  const number = <usize>(((key >> (KEY_BITS - TOP_BITS)) * block.slots) >> TOP_BITS);
  return block.table + number * SLOT_BYTES;
}

/** Returns the slot at an address. */
@inline
export function slotAt(at: usize): Slot {
  return changetype<Slot>(at);
}

/** Returns a key's slot; null if the table does not have the key. */
@inline
export function find(key: u64): Slot | null {
  return findFrom(homeOf(key), key);
}

/** Returns the slot of a board that has one. */
@inline
export function slotOf(node: BlockNode): Slot {
  return find(node.key)!;
}

/** Returns a key's slot, given its home; null if the table does not have the key. */
@inline
export function findFrom(home: usize, key: u64): Slot | null {
  let at = home;
  while (true) {
    const here = slotAt(at).key;
    if (here == key) return slotAt(at);
    if (here == 0 || here > key) return null;
    at += SLOT_BYTES;
  }
}

/** True if the last {@link place} found no such board. */
export let isNewSlot: bool = false;

/**
 * Returns a key's slot. If the table does not have the key, makes a slot: for the packed board if
 * there is one, otherwise for a new board without bounds.
 */
export function place(key: u64): Slot {
  reserve(1);
  let at = homeOf(key);
  while (true) {
    const here = slotAt(at).key;
    if (here == key) {
      isNewSlot = false;
      return slotAt(at);
    }
    if (here == 0 || here > key) break;
    at += SLOT_BYTES;
  }
  let end = at;
  while (slotAt(end).key != 0) end += SLOT_BYTES;
  if (end >= tableEnd() - SLOT_BYTES || end - homeOf(key) > MOST_DISPLACED) {
    grow(block.held + 1);
    return place(key);
  }
  for (; end > at; end -= SLOT_BYTES) copySlot(end, end - SLOT_BYTES);
  block.held++;
  const slot = slotAt(at);
  slot.key = key;
  const packed = packedForm(key);
  isNewSlot = packed == 0;
  if (packed != 0) {
    slot.setForm(packed);
    return slot;
  }
  slot.setBound(0, NONE);
  slot.setSavedNode(null, false);
  slot.setChanged();
  block.boards++;
  return slot;
}

/** The bounds that {@link readBounds} finds; 0 and NONE if nothing is known. */
export let lo: i32 = 0;
export let hi: i32 = NONE;

/** Finds the bounds of a key's board in its slot or, if it has none, among the packed boards. */
@inline
export function readBounds(slot: Slot | null, key: u64): void {
  if (slot) {
    lo = slot.lo;
    hi = slot.hi;
  } else {
    const form = packedForm(key);
    lo = loOf(form);
    hi = hiOf(form);
  }
}

/** Returns the address of the first slot from `at` on that has a key, or `end`. */
@inline
export function nextHeld(at: usize, end: usize): usize {
  while (at < end && slotAt(at).key == 0) at += SLOT_BYTES;
  return at;
}

/** Returns the address of the first slot from `at` on whose board has changed, or `end`. */
export function nextChanged(at: usize, end: usize): usize {
  for (; at < end; at += SLOT_BYTES) {
    if (slotAt(at).isChanged() && slotAt(at).key != 0) break;
  }
  return at;
}
