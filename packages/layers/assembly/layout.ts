/*
 * Layout of the linear memory of a thread. The tables of `boards` come first (see its `layout.ts`),
 * then
 *
 *     DIRECTORY   the bound tables of the parts of three layers       8 bytes per part
 *     CHAINS      the demands on each part of these layers            8 bytes per part
 *     SLID        slides of the board under way (kernel's `moves.ts`)
 *     FRAME       its replies and their slides
 *     EDGES       edges of the node under way
 *     LOOKS       bounds to look up for it
 *     NEWS        a bit for each board that has a new bound
 *     CACHE       bound tables of child parts, until there is no room for another
 *     visit       whatever the visit of a part needs; grows with it
 */
import { BOARDS_END } from "../../boards/assembly/layout";
import { CELLS } from "../../boards/assembly/shape";
import { FRAME_BYTES, SLID_BYTES } from "../../kernel/assembly/layout";

/** Maximum number of parts of a layer. */
export const MAX_PARTS: i32 = 1024;
/** Layers that a visit reads: its own and the two that hold the children. */
export const LAYERS_READ: i32 = 3;

/** For each layer read and each of its parts: u32 address and u32 slots of its bound table; 0: not loaded. */
export const DIRECTORY: usize = (BOARDS_END + 63) & ~63;
/** For each of these parts: u32 address of the last demand on it, u32 number of demands. */
export const CHAINS: usize = DIRECTORY + LAYERS_READ * MAX_PARTS * 8;
export const SLID: usize = CHAINS + LAYERS_READ * MAX_PARTS * 8;
export const FRAME: usize = SLID + SLID_BYTES;
/** Bytes of an edge under way; see `visit.ts`. */
export const EDGE_BYTES: i32 = 32;
export const EDGES: usize = (FRAME + FRAME_BYTES + 7) & ~7;
/** Bytes of a look: u64 key, u32 address of the key's home. */
export const LOOK_BYTES: i32 = 16;
/** A node has at most one edge for each placement, and one more while it replaces another. */
const MOST_EDGES: i32 = 2 * CELLS + 1;
/** A node has at most four slides after each reply. */
export const LOOKS: usize = EDGES + MOST_EDGES * EDGE_BYTES;
/**
 * Bits of a key that its place in NEWS is made of. With fewer, more nodes are looked at in vain; with
 * more, NEWS does not fit a processor's nearest caches. 19, 21 and 23 were tried.
 */
export const NEWS_KEY_BITS: i32 = 20;
export const NEWS: usize = (LOOKS + 2 * CELLS * 4 * LOOK_BYTES + 63) & ~63;
export const NEWS_BYTES: i32 = 1 << (NEWS_KEY_BITS - 3);
/** Address of the first byte behind the fixed areas. */
export const CACHE: usize = NEWS + NEWS_BYTES;
