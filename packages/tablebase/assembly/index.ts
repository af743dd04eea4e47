/*
 * Functions that the loader calls. Threads share a layer: each takes some positions of its list at
 * a time.
 */
import { emptyAmong, CELL_ONES } from "../../boards/assembly/cells";
import { unpack } from "../../boards/assembly/board";
import { copyBoards } from "../../boards/assembly/hash";
import {
  AFTERSTATES,
  AREA,
  CHUNK,
  CURSOR,
  ENTRY_BYTES,
  FULL,
  LISTS,
  TABLES,
  TERMINALS,
} from "./layout";
import { placed, placeOn, slide } from "../../boards/assembly/moves";
import { sortBoards } from "./sort";
import { attachSurvey } from "./survey";
import {
  attachTables,
  clearTable,
  isNew,
  listAt,
  place,
  slotCount,
  tableAt,
  tellAdded,
  toValue,
} from "./tables";
import { fours, setGame } from "./values";

export {
  COUNTS,
  CURSOR,
  DISTANCES,
  FULL,
  HARDEST,
  HARDEST_KEPT,
  LARGEST_LOSS,
  PLACEMENTS_AT,
  SLIDES_AT,
  SMALLEST_LOSS,
  SURVEY,
  SURVEY_BYTES,
  SURVEY_PARTS,
  TERMINALS,
} from "./layout";
export { prepare } from "../../boards/assembly/moves";
export { judge, respond } from "./survey";
export { value } from "./values";
export { clearTable, listAt };

/** Returns the size in bytes of a memory whose tables have 2^slotsLog2 slots. */
export function bytesFor(slotsLog2: i32): u64 {
  return AREA + ((<u64>((TABLES + LISTS) * ENTRY_BYTES)) << slotsLog2);
}

/** Attaches this instance to tables of 2^slotsLog2 slots. */
export function attach(slotsLog2: i32, placesFours: bool, goalExponent: u32): void {
  attachTables(slotsLog2);
  setGame(placesFours, goalExponent);
  attachSurvey();
}

/** Adds a board to a table. */
export function add(table: i32, board: u64): void {
  place(tableAt(table), board);
  if (isNew) tellAdded(table, 1);
}

/**
 * Copies a table's boards to a list, in ascending order; returns their number. Overwrites the table
 * of afterstates.
 */
export function gather(table: i32, list: i32): i32 {
  const boards = listAt(list);
  const count = copyBoards(tableAt(table), slotCount(), boards);
  const scratch = tableAt(AFTERSTATES);
  sortBoards(boards, count, scratch, toValue(scratch));
  return count;
}

/** Adds a list's boards and their values to a table. */
export function fill(table: i32, list: i32, count: i32): void {
  const at = tableAt(table);
  const boards = listAt(list);
  for (let i = 0; i < count; i++) {
    const from = boards + ((<usize>i) << 3);
    const slot = place(at, load<u64>(from));
    if (slot == 0) return;
    store<u64>(toValue(slot), load<u64>(toValue(from)));
  }
}

/**
 * Adds the successors of a list's positions to the tables: the afterstates, the positions after a 2
 * to table `near`, and those after a 4 to the other. Stops early when a table is full.
 */
export function expand(list: i32, count: i32, near: i32): void {
  const boards = listAt(list);
  const afterstates = tableAt(AFTERSTATES);
  const nearAt = tableAt(near);
  const farAt = tableAt(1 - near);
  for (;;) {
    const from = atomic.add<i32>(CURSOR, CHUNK);
    if (from >= count) return;
    const end = min(from + CHUNK, count);
    let newAfterstates = 0;
    let newNear = 0;
    let newFar = 0;
    let terminals = 0;
    for (let i = from; i < end; i++) {
      if (atomic.load<i32>(FULL) != 0) return;
      const cells = unpack(load<u64>(boards + ((<usize>i) << 3)));
      let legal = false;
      for (let direction = 0; direction < 4; direction++) {
        const afterstate = slide(cells, direction);
        if (afterstate == 0) continue;
        legal = true;
        place(afterstates, afterstate);
        if (!isNew) continue;
        newAfterstates++;
        placeOn(afterstate);
        newNear += placeAll(afterstate, 1, nearAt);
        if (fours) newFar += placeAll(afterstate, 2, farAt);
      }
      if (!legal) terminals++;
    }
    tellAdded(AFTERSTATES, newAfterstates);
    tellAdded(near, newNear);
    tellAdded(1 - near, newFar);
    atomic.add<i32>(TERMINALS, terminals);
  }
}

/**
 * Adds all positions after a tile is placed on the afterstate that was taken last to a table; returns
 * how many are new.
 */
@inline
function placeAll(afterstate: u64, exponent: i32, table: usize): i32 {
  let added = 0;
  for (let empty = emptyAmong(CELL_ONES, afterstate); empty != 0; empty &= empty - 1) {
    place(table, placed(<i32>(ctz(empty) >> 2), exponent));
    added += i32(isNew);
  }
  return added;
}
