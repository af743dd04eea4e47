/*
 * The table of claims: bounds of boards, by key.
 *
 * The keys of a table lie in one slice of all keys: those whose first bits are the slice's number.
 * A key's home is proportional to the key within its slice, so a sorted file fills the table from
 * front to back. A key is in the first slot that was free from its home on.
 */
import { KEY_BITS } from "../../kernel/assembly/keys";
import { CLAIMS } from "./check-layout";

/** A slot. */
@unmanaged
export class Claim {
  /** A mixed afterstate key; 0: an empty slot. */
  key: u64;
  /** Lower bound, points / 4. */
  lo: u16;
  /** Upper bound, points / 4, or NONE. */
  hi: u16;
  /** 1 if the board is a guest. */
  isGuest: u32;
}
const SLOT_BYTES: usize = offsetof<Claim>();

let slots: u32 = 0;
let end: usize = CLAIMS;
/** Keys that still fit. */
let room: u32 = 0;
/** Bits of a key that determine its slice. */
let sliceBits: i32 = 0;
let slice: u64 = 0;

/**
 * Makes an empty table for `count` keys of a slice; returns false if there is too little memory.
 */
export function beginClaims(count: u32, bits: i32, number: u32): bool {
  const wanted = <u64>count + (count >> 1) + 8; // at most two of three slots are used
  const bytes = wanted * SLOT_BYTES;
  const missing = <i64>((CLAIMS + bytes + 0xffff) >> 16) - memory.size();
  if (missing > 0xffff || (missing > 0 && memory.grow(<i32>missing) < 0)) return false;
  slots = <u32>wanted;
  end = CLAIMS + <usize>bytes;
  room = count;
  sliceBits = bits;
  slice = number;
  memory.fill(CLAIMS, 0, <usize>bytes);
  return true;
}

/** Returns true if a key is in the slice of the table. */
@inline
export function isInSlice(key: u64): bool {
  return sliceBits == 0 || key >> (KEY_BITS - sliceBits) == slice;
}

@inline
export function homeOf(key: u64): usize {
  const first = (key << (64 - KEY_BITS + sliceBits)) >> 32;
  return CLAIMS + <usize>((first * slots) >> 32) * SLOT_BYTES;
}

/** Returns a key's slot, or the free slot that it would get. */
@inline
function slotOf(key: u64): Claim {
  let at = homeOf(key);
  while (true) {
    const slot = changetype<Claim>(at);
    if (slot.key == key || slot.key == 0) return slot;
    at += SLOT_BYTES;
    if (at == end) at = CLAIMS;
  }
}

/** Returns the claim about the board of a key, if there is one. */
@inline
export function findClaim(key: u64): Claim | null {
  const claim = slotOf(key);
  return claim.key == 0 ? null : claim;
}

/** Adds a claim, or merges it with one about the same board. Returns false if there is no room. */
@inline
export function addClaim(key: u64, lo: i32, hi: i32, isGuest: bool): bool {
  const claim = slotOf(key);
  if (claim.key != 0) {
    lo = max(lo, <i32>claim.lo);
    hi = min(hi, <i32>claim.hi);
  } else {
    if (room == 0) return false;
    room--;
  }
  claim.key = key;
  claim.lo = <u16>lo;
  claim.hi = <u16>hi;
  claim.isGuest = u32(isGuest);
  return true;
}

/** Returns the number of slots. */
export function claimSlots(): u32 {
  return slots;
}

/** Returns a slot by its number. */
@inline
export function slotAt(index: u32): Claim {
  return changetype<Claim>(CLAIMS + <usize>index * SLOT_BYTES);
}
