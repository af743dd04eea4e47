/*
 * The nodes of a block in memory: boards of the block that are demanded and not yet settled, and
 * demanded boards of other blocks (guests). A node is in a single line of a processor's cache.
 *
 * A node watches one of the boards that it demands. Until that board is settled, nothing is done
 * about the node.
 */
import { afterstateKey, boardOf, mix, unmix } from "../../kernel/assembly/keys";
import { slide } from "../../kernel/assembly/moves";

/** In the queue upward, or waiting to be expanded by the next visit. */
export const UPWARD: u8 = 1;
/** In the queue downward. */
export const DOWNWARD: u8 = 2;
/** A board of another block. */
export const GUEST: u8 = 4;
/** It watches a board. */
export const WATCHING: u8 = 8;
/** Its need is settled; it remains only until it no longer watches. */
export const SETTLED: u8 = 16;

/** A demand of another block on a board. */
@unmanaged
export class Demand {
  /** The next demand on the same board, or the next one that is not in use. */
  next: Demand | null;
  /** Place of the demanding block (`residents.ts`). */
  from: u16;
  /** The demand, points / 4. */
  value: u16;
}
export const DEMAND_BYTES: usize = offsetof<Demand>();

/** A node. */
@unmanaged
export class BlockNode {
  key: u64;
  /** The largest demand on it, points / 4. */
  need: u16;
  /**
   * The smallest lower bound of the placements that are settled, points / 4, or NONE; for a guest:
   * the need sent to its block, or 0.
   */
  fulfilled: u16;
  /**
   * Placements that are not settled, one bit each: the cell, + 16 for a 4; 0: it was not yet expanded
   * with its need.
   */
  open: u32;
  /** The first node that watches it. */
  watcher: BlockNode | null;
  /**
   * The next node that watches the same board, or sleeps in the same bucket; for a node that is not
   * in use: the next one.
   */
  next: BlockNode | null;
  /** The first demand of another block. */
  demand: Demand | null;
  flags: u8;
  /** Number of its layer in the block. */
  layer: u8;
  /** The slide to the board that it watches: the placement + 32 · direction. */
  slide: u8;
  /** Bits of that board's key, while it sleeps (`sleepers.ts`). */
  tag: u8;

  /** Returns true if it has one of some flags. */
  is(flags: u8): bool {
    return (this.flags & flags) != 0;
  }

  board(): u64 {
    return boardOf(unmix(this.key));
  }

  /** Returns the key of the board that it watches. */
  watchedKey(): u64 {
    const move: u32 = this.slide;
    const tile = u64(1 + ((move >> 4) & 1)) << ((move & 15) << 2);
    return mix(afterstateKey(slide(this.board() | tile, move >> 5)));
  }
}
export const NODE_BYTES: usize = offsetof<BlockNode>();

/** Gives a new node its key. Nothing is demanded of it yet. */
export function nameNode(node: BlockNode, key: u64): void {
  node.key = key;
  const at = changetype<usize>(node);
  store<u64>(at, 0, offsetof<BlockNode>("need")); // the rest, in three words
  store<u64>(at, 0, offsetof<BlockNode>("watcher"));
  store<u64>(at, 0, offsetof<BlockNode>("demand"));
  node.flags = SETTLED;
}

/** Makes a node watch the board to which a slide leads. */
export function watch(node: BlockNode, child: BlockNode, slide: u32): void {
  node.next = child.watcher;
  child.watcher = node;
  node.slide = <u8>slide;
  node.flags |= WATCHING;
}
