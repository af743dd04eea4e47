/*
 * Demands of other blocks on a block's boards. A demand is identified by its address; 0 means no
 * demand.
 */
import { PAGE_BYTES } from "./layout";
import { firstDemand, setFirstDemand } from "./nodes";
import { takePages } from "./pages";
import { Entered, ownerOf } from "./residents";

/** A demand. */
@unmanaged
class Demand {
  /** The next demand on the same board, or the next one that is not in use. */
  next: u32;
  /** Place of the demanding block (`residents.ts`). */
  from: u16;
  /** The demand, points / 4. */
  value: u16;
}
const DEMAND_BYTES: usize = offsetof<Demand>();

@inline
export function nextDemand(demand: usize): usize {
  return load<u32>(demand, offsetof<Demand>("next"));
}

@inline
function setNextDemand(demand: usize, next: usize): void {
  store<u32>(demand, <u32>next, offsetof<Demand>("next"));
}

/** Returns the place of the block that makes a demand. */
@inline
export function demander(demand: usize): u32 {
  return load<u16>(demand, offsetof<Demand>("from"));
}

@inline
export function valueOf(demand: usize): i32 {
  return load<u16>(demand, offsetof<Demand>("value"));
}

/** Sets a block's demand on a board. */
export function setDemand(node: usize, from: u32, value: i32): void {
  let demand = firstDemand(node);
  while (demand != 0 && demander(demand) != from) demand = nextDemand(demand);
  if (demand == 0) {
    demand = newDemand();
    setNextDemand(demand, firstDemand(node));
    store<u16>(demand, <u16>from, offsetof<Demand>("from"));
    setFirstDemand(node, demand);
  }
  store<u16>(demand, <u16>value, offsetof<Demand>("value"));
}

function newDemand(): usize {
  const free = Entered.freeDemand;
  if (free != 0) {
    Entered.freeDemand = nextDemand(free);
    return free;
  }
  if (Entered.nextNewDemand + DEMAND_BYTES > Entered.demandsEnd) {
    const page = takePages(1, ownerOf(Entered.place));
    Entered.nextNewDemand = page;
    Entered.demandsEnd = page + PAGE_BYTES;
  }
  const demand = Entered.nextNewDemand;
  Entered.nextNewDemand = demand + DEMAND_BYTES;
  return demand;
}

/** Frees a demand, given the one before it in the board's list, or 0. Returns the next one. */
export function removeDemand(node: usize, demand: usize, before: usize): usize {
  const next = nextDemand(demand);
  if (before == 0) setFirstDemand(node, next);
  else setNextDemand(before, next);
  setNextDemand(demand, Entered.freeDemand);
  Entered.freeDemand = demand;
  return next;
}
