/* Radix sort of boards by their packed numbers, least significant digit first. */
import { BOARD_BITS } from "../../boards/assembly/shape";

const DIGIT_BITS: i32 = 8;
const DIGITS: u32 = 1 << DIGIT_BITS;

/**
 * Sorts `count` boards at `boards`. Ignores the lowest four bits: no two boards of one tile sum
 * differ in the first cell alone.
 *
 * @param scratch room for as many boards
 * @param counters room for 256 32-bit numbers
 */
export function sortBoards(boards: usize, count: i32, scratch: usize, counters: usize): void {
  let from = boards;
  let to = scratch;
  for (let low = 4; low < BOARD_BITS; low += DIGIT_BITS) {
    memory.fill(counters, 0, 4 * DIGITS);
    for (let i = 0; i < count; i++) {
      const counter = counterOf(load<u64>(from + ((<usize>i) << 3)), low, counters);
      store<u32>(counter, load<u32>(counter) + 1);
    }
    let total: u32 = 0;
    for (let digit: u32 = 0; digit < DIGITS; digit++) {
      const counter = counters + ((<usize>digit) << 2);
      const those = load<u32>(counter);
      store<u32>(counter, total);
      total += those;
    }
    for (let i = 0; i < count; i++) {
      const board = load<u64>(from + ((<usize>i) << 3));
      const counter = counterOf(board, low, counters);
      const rank = load<u32>(counter);
      store<u32>(counter, rank + 1);
      store<u64>(to + ((<usize>rank) << 3), board);
    }
    const sorted = to;
    to = from;
    from = sorted;
  }
  if (from != boards) memory.copy(boards, from, (<usize>count) << 3);
}

@inline
function counterOf(board: u64, low: i32, counters: usize): usize {
  return counters + <usize>(((board >> low) & (DIGITS - 1)) << 2);
}
