/*
 * Demands of other blocks on a block's boards. A demand is identified by its address; 0 means no
 * demand. It has 8 bytes:
 *     0    u32   the next demand on the same board, or the next one that is not in use
 *     4    u16   the place of the demanding block (`residents.ts`)
 *     6    u16   the demand, points / 4
 */
import { PAGE_BYTES } from "./layout";
import { firstDemand, setFirstDemand } from "./nodes";
import { takePages } from "./pages";
import {
  current,
  demandsEnd,
  freeDemand,
  nextNewDemand,
  ownerOf,
  setFreeDemand,
  setNewDemands,
} from "./residents";

const DEMAND_BYTES: usize = 8;

@inline
export function nextDemand(demand: usize): usize {
  return load<u32>(demand);
}

@inline
function setNextDemand(demand: usize, next: usize): void {
  store<u32>(demand, <u32>next);
}

/** Returns the place of the block that makes a demand. */
@inline
export function demander(demand: usize): u32 {
  return load<u16>(demand, 4);
}

@inline
export function valueOf(demand: usize): i32 {
  return load<u16>(demand, 6);
}

/** Sets a block's demand on a board. */
export function setDemand(node: usize, from: u32, value: i32): void {
  let demand = firstDemand(node);
  while (demand != 0 && demander(demand) != from) demand = nextDemand(demand);
  if (demand == 0) {
    demand = newDemand();
    setNextDemand(demand, firstDemand(node));
    store<u16>(demand, <u16>from, 4);
    setFirstDemand(node, demand);
  }
  store<u16>(demand, <u16>value, 6);
}

function newDemand(): usize {
  const free = freeDemand;
  if (free != 0) {
    setFreeDemand(nextDemand(free));
    return free;
  }
  if (nextNewDemand + DEMAND_BYTES > demandsEnd) {
    const page = takePages(1, ownerOf(current));
    setNewDemands(page, page + PAGE_BYTES);
  }
  const demand = nextNewDemand;
  setNewDemands(demand + DEMAND_BYTES, demandsEnd);
  return demand;
}

/** Frees a demand, given the one before it in the board's list, or 0. Returns the next one. */
export function removeDemand(node: usize, demand: usize, before: usize): usize {
  const next = nextDemand(demand);
  if (before == 0) setFirstDemand(node, next);
  else setNextDemand(before, next);
  setNextDemand(demand, freeDemand);
  setFreeDemand(demand);
  return next;
}
