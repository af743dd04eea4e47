/*
 * Demands of other blocks on a block's boards.
 */
import { PAGE_BYTES } from "./layout";
import { BlockNode, Demand, DEMAND_BYTES } from "./nodes";
import { takePages } from "./pages";
import { block, owner } from "./residents";

/** Sets a block's demand on a board. */
export function setDemand(node: BlockNode, from: u32, value: u16): void {
  let demand = node.demand;
  while (demand && demand.from != from) demand = demand.next;
  if (!demand) {
    demand = newDemand();
    demand.next = node.demand;
    demand.from = <u16>from;
    node.demand = demand;
  }
  demand.value = value;
}

function newDemand(): Demand {
  const free = block.freeDemand;
  if (free) {
    block.freeDemand = free.next;
    return free;
  }
  if (block.nextNewDemand + DEMAND_BYTES > block.demandsEnd) {
    const page = takePages(1, owner);
    block.nextNewDemand = page;
    block.demandsEnd = page + PAGE_BYTES;
  }
  const demand = changetype<Demand>(block.nextNewDemand);
  block.nextNewDemand += DEMAND_BYTES;
  return demand;
}

/** Frees a demand, given the one before it in the board's list, if any. Returns the next one. */
export function removeDemand(
  node: BlockNode,
  demand: Demand,
  before: Demand | null,
): Demand | null {
  const next = demand.next;
  if (before) before.next = next;
  else node.demand = next;
  demand.next = block.freeDemand;
  block.freeDemand = demand;
  return next;
}

/** Frees all demands on a board. */
export function removeDemands(node: BlockNode): void {
  for (let demand = node.demand; demand; ) demand = removeDemand(node, demand, null);
}
