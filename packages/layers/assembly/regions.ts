/*
 * The memory behind the fixed areas: a region each for the table, the nodes, their edges, and lists
 * that are read from files or written to them. Regions lie far apart and fill from their beginning;
 * what is never touched takes no memory.
 */

/** Ends the visit: a region is full. Does not return. */
declare function outOfMemory(): void;

export let tableAt: usize = 0;
export let nodesAt: usize = 0;
export let edgesAt: usize = 0;
export let listsAt: usize = 0;
let end: usize = 0;

/** Sets where the regions begin and where the last one ends; multiples of 64. */
export function setRegions(
  table: usize,
  nodes: usize,
  edges: usize,
  lists: usize,
  all: usize,
): void {
  tableAt = table;
  nodesAt = nodes;
  edgesAt = edges;
  listsAt = lists;
  end = all;
}

/** Bytes of the table's region. */
export function tableRoom(): usize {
  return nodesAt - tableAt;
}

// @ts-ignore: decorator
@inline
export function checkNodes(to: usize): void {
  if (to > edgesAt) outOfMemory();
}

// @ts-ignore: decorator
@inline
export function checkEdges(to: usize): void {
  if (to > listsAt) outOfMemory();
}

export function checkLists(to: usize): void {
  if (to > end) outOfMemory();
}

export function tableIsFull(): void {
  outOfMemory();
}
