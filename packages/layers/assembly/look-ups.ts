/*
 * Look-ups of bounds. Most bounds are far away in memory. So all bounds that a node needs are listed
 * first, then a tight loop reads a word of each: the processor keeps as many reads in flight as it
 * has room for. Only then are the bounds looked up.
 */
import { NONE } from "./bounds";
import { afterstateKey, mix } from "../../kernel/assembly/keys";
import { CHILD_BYTES, SLIDES_HEAD } from "../../kernel/assembly/children";
import { keep } from "./fetch";
import { LOOK_BYTES, LOOKS } from "./layout";
import { keyOf } from "./nodes";
import { firstRecordFor } from "./packed";
import { findFrom, hi, homeOf, lo, nodeIn, readBounds } from "./slots";

/** This thread's look-ups. */
let looksAt: usize = 0;

export function attachLooks(at: usize): void {
  looksAt = at + LOOKS;
}

/** Number of look-ups listed. */
let listed: i32 = 0;
/** Bounds of slides looked up so far. */
export let looks: u64 = 0;
@inline
export function clearLooks(): void {
  listed = 0;
}

/** Returns the address of a look-up. */
@inline
function lookAt(number: i32): usize {
  return looksAt + number * LOOK_BYTES;
}

/** Lists the look-up of a key. */
@inline
export function listLook(key: u64): void {
  const at = lookAt(listed++);
  store<u64>(at, key);
  store<usize>(at, homeOf(key), 8);
}

/** Lists the look-ups of the slides of a list. */
@inline
export function listLooks(list: usize): void {
  const count = load<i32>(list);
  for (let i = 0; i < count; i++) {
    listLook(mix(afterstateKey(load<u64>(list + SLIDES_HEAD + i * CHILD_BYTES))));
  }
  looks += count;
}

@inline
export function fetchLooks(): void {
  let sum: u64 = 0;
  for (let i = 0; i < listed; i++) sum += load<u64>(load<usize>(lookAt(i), 8));
  for (let i = 0; i < listed; i++) sum += load<u8>(firstRecordFor(load<u64>(lookAt(i))));
  keep(sum);
}

/** Reads the nodes of the boards that are looked up. */
export function fetchNodes(): void {
  let sum: u64 = 0;
  for (let i = 0; i < listed; i++) {
    const slot = slotOf(lookAt(i));
    if (slot != 0) sum += keyOf(nodeIn(slot)); // address 0 can be read, too
  }
  keep(sum);
}

/** Returns the address of the slot that a look-up finds, or 0. */
@inline
function slotOf(look: usize): usize {
  return findFrom(load<usize>(look, 8), load<u64>(look));
}

/**
 * Bounds found by {@link look}: of the slide that fulfils the need, or the largest of those that
 * fail.
 */
export let seen: i32 = 0;

/**
 * Looks up the slides of a list, whose look-ups begin at number `first`. Returns true if one is
 * known to reach `need`. Otherwise removes the slides known to fail.
 */
export function look(list: usize, first: i32, need: i32): bool {
  const slides = list + SLIDES_HEAD;
  const count = load<i32>(list);
  seen = load<i32>(list, 4);
  if (seen >= need) return true;
  let open = 0;
  for (let i = 0; i < count; i++) {
    const child = slides + i * CHILD_BYTES;
    const score = load<i32>(child, 12);
    const at = lookAt(first + i);
    readBounds(slotOf(at), load<u64>(at));
    if (score + lo >= need) {
      seen = score + lo;
      return true;
    }
    if (hi != NONE && score + hi < need) {
      seen = max(seen, score + hi);
      continue;
    }
    const to = slides + open * CHILD_BYTES;
    store<u64>(to, load<u64>(child));
    store<u64>(to, load<u64>(child, 8), 8);
    open++;
  }
  store<i32>(list, open);
  return false;
}
