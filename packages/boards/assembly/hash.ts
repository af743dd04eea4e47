/*
 * Hash tables of boards with open addressing, which all threads fill at once: one atomic exchange
 * claims a slot, and a slot is never released, so a board never moves. No reachable board is 0, which
 * marks a free slot. A table has a power of two of slots, 64 bits each.
 */

/** True if the last call of {@link findOrAdd} added its board. */
export let isNew: bool = false;

/**
 * Returns the address of a board in a table, adding it if it is new; 0 if the table is full.
 *
 * @param shift 64 minus the binary logarithm of the number of slots
 */
@inline
export function findOrAdd(table: usize, slots: u32, shift: u64, board: u64): usize {
  let slot = slotOf(board, shift);
  isNew = false;
  for (let probes: u32 = 0; probes < slots; probes++) {
    const at = table + ((<usize>slot) << 3);
    let held = load<u64>(at);
    if (held == 0) {
      held = atomic.cmpxchg<u64>(at, 0, board);
      if (held == 0) {
        isNew = true;
        return at;
      }
    }
    if (held == board) return at;
    slot = (slot + 1) & (slots - 1);
  }
  return 0;
}

/** Returns the address of a board in a table that is not full; 0 if the table lacks the board. */
@inline
export function lookUp(table: usize, slots: u32, shift: u64, board: u64): usize {
  let slot = slotOf(board, shift);
  let at = table + ((<usize>slot) << 3);
  let held = load<u64>(at);
  while (held != board && held != 0) {
    slot = (slot + 1) & (slots - 1);
    at = table + ((<usize>slot) << 3);
    held = load<u64>(at);
  }
  return held == board ? at : 0;
}

@inline
function slotOf(board: u64, shift: u64): u32 {
  return <u32>((board * 0x9e3779b97f4a7c15) >> shift);
}

/** Copies the boards of a table, in no particular order, to an address; returns their number. */
export function copyBoards(table: usize, slots: u32, to: usize): i32 {
  let end = to;
  for (let slot: u32 = 0; slot < slots; slot++) {
    const board = load<u64>(table + ((<usize>slot) << 3));
    if (board == 0) continue;
    store<u64>(end, board);
    end += 8;
  }
  return <i32>((end - to) >> 3);
}
