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
class Claim {
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

/** Returns the address of a key's slot, or of the free slot that it would get. */
@inline
function slotOf(key: u64): usize {
  let at = homeOf(key);
  while (true) {
    const here = load<u64>(at, offsetof<Claim>("key"));
    if (here == key || here == 0) return at;
    at += SLOT_BYTES;
    if (at == end) at = CLAIMS;
  }
}

/** Returns the address of a key's slot, or 0 if there is no claim about it. */
@inline
export function findClaim(key: u64): usize {
  const at = slotOf(key);
  return load<u64>(at, offsetof<Claim>("key")) == 0 ? 0 : at;
}

/** Adds a claim, or merges it with one about the same board. Returns false if there is no room. */
@inline
export function addClaim(key: u64, lo: i32, hi: i32, isGuest: bool): bool {
  const at = slotOf(key);
  if (load<u64>(at, offsetof<Claim>("key")) != 0) {
    lo = max(lo, claimedLo(at));
    hi = min(hi, claimedHi(at));
  } else {
    if (room == 0) return false;
    room--;
  }
  store<u64>(at, key, offsetof<Claim>("key"));
  store<u32>(at, <u32>lo | ((<u32>hi) << 16), offsetof<Claim>("lo"));
  store<u32>(at, u32(isGuest), offsetof<Claim>("isGuest"));
  return true;
}

/** Returns the number of slots. */
export function claimSlots(): u32 {
  return slots;
}

/** Returns the address of a slot by its number. */
@inline
export function slotAt(index: u32): usize {
  return CLAIMS + <usize>index * SLOT_BYTES;
}

@inline
export function claimedLo(slot: usize): i32 {
  return load<u16>(slot, offsetof<Claim>("lo"));
}

@inline
export function claimedHi(slot: usize): i32 {
  return load<u16>(slot, offsetof<Claim>("hi"));
}

@inline
export function isGuestClaim(slot: usize): bool {
  return load<u32>(slot, offsetof<Claim>("isGuest")) != 0;
}
