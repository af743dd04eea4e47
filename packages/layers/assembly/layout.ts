/*
 * Layout of the linear memory of a thread. The tables of `boards` come first (see its `layout.ts`),
 * then
 *
 *     SLID        slides of the board under way (kernel's `moves.ts`)
 *     FRAME       its replies and their slides
 *     LOOKS       bounds to look up for it
 *     LAYERS      the open nodes of each layer of the block
 *     PEERS       the other blocks
 *     HEAP        the regions of `regions.ts`
 */
import { BOARDS_END } from "../../boards/assembly/layout";
import { CELLS } from "../../boards/assembly/shape";
import { FRAME_BYTES, SLID_BYTES } from "../../kernel/assembly/layout";

/** Layers of a block, as a binary logarithm. */
export const RANGE_LOG2: i32 = 3;
export const RANGE: i32 = 1 << RANGE_LOG2;
/** Maximum number of blocks that a block demands something of. */
export const MAX_PEERS: i32 = 4096;

export const SLID: usize = (BOARDS_END + 63) & ~63;
export const FRAME: usize = SLID + SLID_BYTES;
/** Bytes of a look: u64 key, u32 address of the key's home. */
export const LOOK_BYTES: i32 = 16;
/** A node has at most four slides after each reply. */
export const LOOKS: usize = (FRAME + FRAME_BYTES + 7) & ~7;
/**
 * u32 first and u32 end of the nodes read from a file; u32 first and u32 last of those made since, of
 * those in the queue upward, and of those in the queue downward. Behind the layers: the queue of guests.
 */
export const LAYER_BYTES: i32 = 32;
export const LAYERS: usize = LOOKS + 2 * CELLS * 4 * LOOK_BYTES;
/** Bytes of a peer; see `peers.ts`. */
export const PEER_BYTES: i32 = 32;
export const PEERS: usize = (LAYERS + (RANGE + 1) * LAYER_BYTES + 63) & ~63;
/** Address of the first byte behind the fixed areas. */
export const HEAP: usize = PEERS + MAX_PEERS * PEER_BYTES;
