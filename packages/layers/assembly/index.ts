/*
 * Functions that the host calls. It places everything in memory: lists that it has read from files
 * (`bounds.ts`, `demands.ts`, `visit.ts` define them), and tables, whose memory it clears.
 */
import { prepareBoards } from "../../boards/assembly/board";
import { prepareEarnings, prepareLines } from "../../boards/assembly/lines";
import { boardOf, unmix } from "../../kernel/assembly/keys";
import { attachMoves, preparePlaces } from "../../kernel/assembly/moves";
import { CACHE, SLID } from "./layout";
import {
  expanded,
  learned,
  liveNodes,
  looks,
  openNodes,
  revisited,
  setTiles,
  startBound,
} from "./visit";
import { directoryAt } from "./bounds";
import { recordAt } from "./demands";
import { writeAt } from "./varint";

export { add, clearDirectory, fill, setParts, writeBounds } from "./bounds";
export { changesOn, clearDemands, takeDemands, writeDemands } from "./demands";
export { addNews, clearNews } from "./news";
export { slotsFor, tableBytes } from "./slots";
export { beginVisit, isVisited, visitNodes, visitStart } from "./visit";
export { CACHE };

/** Fills the read-only tables, and sets the tiles that can be placed, one bit for each exponent. */
export function prepare(tiles: u32): void {
  prepareBoards();
  prepareEarnings(0);
  prepareLines();
  preparePlaces();
  attachMoves(SLID, 0, tiles);
  setTiles(tiles);
}

/** Lists a part's bounds in the directory. */
export function listPart(step: i32, part: u32, table: usize, slots: u32): void {
  const entry = directoryAt(step, part);
  store<u32>(entry, <u32>table);
  store<u32>(entry, slots, 4);
}

/** Returns the afterstate of a key. */
export function boardOfKey(key: u64): u64 {
  return boardOf(unmix(key));
}

export function expandedNodes(): u64 {
  return expanded;
}

export function revisitedNodes(): u64 {
  return revisited;
}

export function looksMade(): u64 {
  return looks;
}

export function learnedBounds(): u32 {
  return learned;
}

export function openNodesWritten(): u32 {
  return openNodes;
}

export function liveNodesWritten(): u32 {
  return liveNodes;
}

/** Returns the end of what was last written. */
export function written(): usize {
  return writeAt;
}

/** Returns the end of the demands recorded. */
export function recorded(): usize {
  return recordAt;
}

export function boundOfStart(): i32 {
  return startBound;
}
