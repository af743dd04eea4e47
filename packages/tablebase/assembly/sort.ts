/* Sorting boards by their packed numbers, least digit first. */
import { BOARD_BITS } from "../../boards/assembly/shape";

const DIGIT_BITS: i32 = 8;
const DIGITS: u32 = 1 << DIGIT_BITS;

/**
 * Sorts `count` boards at `boards`. The lowest four bits are left out of account: of boards of one tile sum no two
 * differ in the first cell alone.
 *
 * @param scratch room for as many, and `counters` for 256 numbers of 32 bits
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

// @ts-ignore: decorator
@inline
function counterOf(board: u64, low: i32, counters: usize): usize {
  return counters + <usize>(((board >> low) & (DIGITS - 1)) << 2);
}
