/*
 * Makes the nodes of boards, and drops those that are no longer needed.
 */
import { boardOf, unmix } from "../../kernel/assembly/keys";
import { blockOf, hasBlocks, layerInBlock, layerOf } from "./blocks";
import { PAGE_BYTES } from "./layout";
import {
  isGuest,
  keyOf,
  nameNode,
  nextInList,
  NODE_BYTES,
  setGuest,
  setLayer,
  setNextInList,
} from "./nodes";
import { takePages } from "./pages";
import { Entered, numberOf, ownerOf, placeOf, tooManyBlocks } from "./residents";
import { find, isGuestAt, isNewSlot, nodeIn, place, setChanged, setNodeIn } from "./slots";

/** Nodes made by the visit. */
export let made: u32 = 0;

export function clearMade(): void {
  made = 0;
}

/** Makes a node for a board, in a layer of the block or as a guest. */
function makeNode(key: u64): usize {
  let node = Entered.freeNode;
  if (node != 0) Entered.freeNode = nextInList(node);
  else {
    if (Entered.nextNode + NODE_BYTES > Entered.nodesEnd) {
      const page = takePages(1, ownerOf(Entered.place));
      Entered.nextNode = page;
      Entered.nodesEnd = page + PAGE_BYTES;
    }
    node = Entered.nextNode;
    Entered.nextNode = node + NODE_BYTES;
  }
  nameNode(node, key);
  return node;
}

/** Drops a node that no list and no queue has. */
export function dropNode(node: usize): void {
  const slot = find(keyOf(node));
  setNodeIn(slot, 0, isGuest(node));
  setChanged(slot);
  if (!isGuest(node)) Entered.liveNodes--;
  freeThis(node);
}

/** Makes a node available for another board. */
export function freeThis(node: usize): void {
  setNextInList(node, Entered.freeNode);
  Entered.freeNode = node;
}

/** Returns the node of a board, given its key and its layer; makes it if there is none. */
export function nodeOf(key: u64, board: u64, layer: i32): usize {
  const slot = place(key);
  const known = nodeIn(slot);
  if (known != 0) return known;
  const isNew = isNewSlot;
  const node = makeNode(key);
  if (isNew || isGuestAt(slot)) setHome(node, board, layer);
  else setLayer(node, layerInBlock(layer));
  if (!isGuest(node)) Entered.liveNodes++;
  setNodeIn(slot, node, isGuest(node));
  setChanged(slot);
  made++;
  return node;
}

/** Returns the number of a board's block. */
@inline
function homeOf(board: u64, layer: i32): u64 {
  if (!hasBlocks(layer)) tooManyBlocks();
  return blockOf(board, layer);
}

/** Sets the block to which a node belongs. */
@inline
function setHome(node: usize, board: u64, layer: i32): void {
  const number = homeOf(board, layer);
  if (number == numberOf(Entered.place)) setLayer(node, layerInBlock(layer));
  else setGuest(node);
}

/** Returns the place of a guest's block. */
export function homeOfGuest(node: usize): u32 {
  const board = boardOf(unmix(keyOf(node)));
  return placeOf(homeOf(board, layerOf(board)));
}

/** Returns the node of a board of this block, by its key; makes it if there is none. */
export function nodeOfKey(key: u64): usize {
  const slot = find(key);
  if (slot != 0 && nodeIn(slot) != 0) return nodeIn(slot);
  const board = boardOf(unmix(key));
  return nodeOf(key, board, layerOf(board));
}
