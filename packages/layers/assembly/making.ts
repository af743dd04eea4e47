/*
 * Makes the nodes of boards, and drops those that are no longer needed.
 */
import { boardOf, unmix } from "../../kernel/assembly/keys";
import { blockOf, hasBlocks, layerInBlock, layerOf } from "./blocks";
import { PAGE_BYTES } from "./layout";
import { BlockNode, GUEST, nameNode, NODE_BYTES } from "./nodes";
import { takePages } from "./pages";
import { block, owner, placeOf, tooManyBlocks } from "./residents";
import { find, isNewSlot, place, slotOf } from "./slots";

/** Nodes made by the visit. */
export let made: u32 = 0;

export function clearMade(): void {
  made = 0;
}

/** Makes a node for a board, in a layer of the block or as a guest. */
function makeNode(key: u64): BlockNode {
  let node = block.freeNode;
  if (node) block.freeNode = node.next;
  else {
    if (block.nextNode + NODE_BYTES > block.nodesEnd) {
      const page = takePages(1, owner);
      block.nextNode = page;
      block.nodesEnd = page + PAGE_BYTES;
    }
    node = changetype<BlockNode>(block.nextNode);
    block.nextNode += NODE_BYTES;
  }
  nameNode(node, key);
  return node;
}

/** Drops a node that no list and no queue has. */
export function dropNode(node: BlockNode): void {
  slotOf(node).setNode(null, node.is(GUEST));
  if (!node.is(GUEST)) block.liveNodes--;
  freeThis(node);
}

/** Makes a node available for another board. */
export function freeThis(node: BlockNode): void {
  node.next = block.freeNode;
  block.freeNode = node;
}

/** Returns the node of a board, given its key and its layer; makes it if there is none. */
export function nodeOf(key: u64, board: u64, layer: i32): BlockNode {
  const slot = place(key);
  const known = slot.node();
  if (known) return known;
  const isNew = isNewSlot;
  const node = makeNode(key);
  // Other boards are known to be of this block.
  if ((isNew || slot.isGuest()) && homeOf(board, layer) != block.number - 1) node.flags |= GUEST;
  else {
    node.layer = <u8>layerInBlock(layer);
    block.liveNodes++;
  }
  slot.setNode(node, node.is(GUEST));
  made++;
  return node;
}

/** Returns the number of a board's block. */
@inline
function homeOf(board: u64, layer: i32): u64 {
  if (!hasBlocks(layer)) tooManyBlocks();
  return blockOf(board, layer);
}

/** Returns the place of a guest's block. */
export function homeOfGuest(node: BlockNode): u32 {
  const board = node.board();
  return placeOf(homeOf(board, layerOf(board)));
}

/** Returns the node of a board of this block, by its key; makes it if there is none. */
export function nodeOfKey(key: u64): BlockNode {
  const slot = find(key);
  const known = slot ? slot.node() : null;
  if (known) return known;
  const board = boardOf(unmix(key));
  return nodeOf(key, board, layerOf(board));
}
