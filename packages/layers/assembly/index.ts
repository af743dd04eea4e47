/*
 * Functions that the host calls. A visit of a block:
 *
 *     begin(block, keys), peerOf              an empty table
 *     takeNodes, takeTable                  what the block's files have
 *     queueWaiting, takeAnswers, takeDemands, takeChanges     what is to be done
 *     pass                                  the work
 *     forgetDemands, takeDemands, takeChanges, and pass again while they change something
 *     closeVisit, answer                    what is left of it
 *     writeNodes, writeEdges, writeBase, writeTable
 *
 * The host reads lists from files to the addresses that it passes, in the region for lists.
 */
import { prepareBoards } from "../../boards/assembly/board";
import { prepareEarnings, prepareLines } from "../../boards/assembly/lines";
import { boardOf, unmix } from "../../kernel/assembly/keys";
import { attachMoves, preparePlaces } from "../../kernel/assembly/moves";
import { setLargeTiles } from "./blocks";
import { chosenAgain, expanded, looks, setTiles, startBound } from "./expand";
import { HEAP, SLID } from "./layout";
import { newAnswers, tableList } from "./lists";
import { clearNodes } from "./nodes";
import { edgesLeft, liveNodes, nodesKept, openNodes, waitingNodes } from "./passes";
import { beginPeers, peerAt, peerCount } from "./peers";
import { beginTable } from "./slots";
import { writeAt } from "./varint";

export { lookAtStart } from "./expand";
export {
  answer,
  takeAnswers,
  takeDemands,
  takeNodes,
  takeTable,
  writeBase,
  writeEdges,
  writeNodes,
  writeTable,
} from "./lists";
export { forgetNeeds } from "./nodes";
export { closeVisit, forgetDemands, pass, queueWaiting, takeChanges } from "./passes";
export { peerOf } from "./peers";
export { setRegions } from "./regions";
export { slotsChanged, slotsHeld } from "./slots";
export { HEAP };

/**
 * Fills the read-only tables; sets the tiles that can be placed, one bit for each exponent, and the
 * exponent of the smallest tile that counts as large (`blocks.ts`).
 */
export function prepare(tiles: u32, firstLarge: u32): void {
  prepareBoards();
  prepareEarnings(0);
  prepareLines();
  preparePlaces();
  attachMoves(SLID, 0, tiles);
  setTiles(tiles);
  setLargeTiles(firstLarge);
}

/** Begins the visit of a block, with a table for `keys` keys. */
export function begin(block: u64, keys: u32): void {
  beginPeers(block);
  clearNodes();
  beginTable(keys);
}

/** Returns the afterstate of a key. */
export function boardOfKey(key: u64): u64 {
  return boardOf(unmix(key));
}

export function peersMet(): u32 {
  return peerCount;
}

/** Returns the address of a peer; see `peers.ts`. */
export function addressOfPeer(index: u32): usize {
  return peerAt(index);
}

export function expandedNodes(): u64 {
  return expanded;
}

export function nodesChosenAgain(): u64 {
  return chosenAgain;
}

export function looksMade(): u64 {
  return looks;
}

export function openNodesLeft(): u32 {
  return openNodes;
}

export function liveNodesLeft(): u32 {
  return liveNodes;
}

export function waitingNodesLeft(): u32 {
  return waitingNodes;
}

/** Returns the number of nodes to be written, guests included. */
export function nodesToWrite(): u32 {
  return nodesKept;
}

export function edgesToWrite(): u32 {
  return edgesLeft;
}

/** Returns the address of the table's list. */
export function writtenTable(): usize {
  return tableList;
}

export function newAnswersGiven(): u32 {
  return newAnswers;
}

/** Returns the end of what was last written. */
export function written(): usize {
  return writeAt;
}

export function boundOfStart(): i32 {
  return startBound;
}
