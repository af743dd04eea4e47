/*
 * Look-ups of bounds. Most bounds are far away in memory. So all bounds that a node needs are listed
 * first, then a tight loop reads a word of each: the processor keeps as many reads in flight as it
 * has room for. Only then are the bounds looked up.
 */
import { NONE } from "./bounds";
import { afterstateKey, mix } from "../../kernel/assembly/keys";
import {
  boardAt,
  CHILD_BYTES,
  mostFailed,
  scoreOf,
  Slide,
  slideCount,
  SlideList,
  SLIDES_HEAD,
} from "../../kernel/assembly/children";
import { area, Look, LOOK_BYTES, LOOKS } from "./layout";
import { firstRecordFor } from "./packed";
import { keep } from "./stacks";
import { findFrom, hi, homeOf, lo, readBounds } from "./slots";

/** Number of look-ups listed. */
let listed: i32 = 0;
/** Bounds of slides looked up so far. */
export let looks: u64 = 0;

@inline
export function clearLooks(): void {
  listed = 0;
}

@inline
function lookAt(number: i32): Look {
  return changetype<Look>(area + LOOKS + number * LOOK_BYTES);
}

/** Lists the look-ups of the slides of a list. */
@inline
export function listLooks(list: usize): void {
  const count = slideCount(list);
  for (let i = 0; i < count; i++) {
    const key = mix(afterstateKey(boardAt(list + SLIDES_HEAD + i * CHILD_BYTES)));
    const look = lookAt(listed++);
    look.key = key;
    look.home = homeOf(key);
  }
  looks += count;
}

@inline
export function fetchLooks(): void {
  let sum: u64 = 0;
  for (let i = 0; i < listed; i++) sum += load<u64>(lookAt(i).home);
  for (let i = 0; i < listed; i++) sum += load<u8>(firstRecordFor(lookAt(i).key));
  keep(sum);
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
  const count = slideCount(list);
  seen = mostFailed(list);
  if (seen >= need) return true;
  let open = 0;
  for (let i = 0; i < count; i++) {
    const child = slides + i * CHILD_BYTES;
    const score = scoreOf(child);
    const look = lookAt(first + i);
    readBounds(findFrom(look.home, look.key), look.key);
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
    store<u64>(to, load<u64>(child, offsetof<Slide>("rank")), offsetof<Slide>("rank"));
    open++;
  }
  store<i32>(list, open, offsetof<SlideList>("count"));
  return false;
}
