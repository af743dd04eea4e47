/*
 * The parts of a layer. A part holds the boards with certain places of tiles of 16 or more: a slide
 * rarely moves or makes such tiles, so most children of a part's boards lie in few parts.
 */
import { CELL_ONES } from "../../boards/assembly/cells";

/** Returns the number of a canonical board's part in a layer of 2^partsLog2 parts. */
// @ts-ignore: decorator
@inline
export function partOf(board: u64, partsLog2: u32): u32 {
  if (partsLog2 == 0) return 0;
  const large = ((board >> 2) | (board >> 3)) & CELL_ONES;
  let x = board & (large * 15);
  x = (x ^ (x >> 32)) * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9;
  return <u32>(x >> (64 - partsLog2));
}
