/*
 * Functions that the loader calls. Threads share a layer: each takes some positions of its list at
 * a time. A layer is named by half its tile sum.
 */
import { unpack } from "../../boards/assembly/board";
import { CELL_ONES, emptyAmong } from "../../boards/assembly/cells";
import { placed, placeOn, slide } from "../../boards/assembly/moves";
import { GameValues, setGoal } from "./game";
import { CHUNK, CURSOR, FULL, TERMINALS } from "./layout";
import { passes, RuleValues, setRules } from "./rules";
import { sortBoards } from "./sort";
import { attachSurvey, surveyAfterstate, surveyPosition } from "./survey";
import {
  afterstatesAt,
  aim,
  attachTables,
  clearPositions,
  copyToList,
  countAdded,
  find,
  found,
  headOf,
  isNew,
  listAt,
  moreOf,
  addTo,
  positionsAt,
  put,
  slotCount,
  targetOf,
  tiles,
} from "./tables";
import { Values } from "./values";

export {
  COUNTS,
  CURSOR,
  DISTANCES,
  FULL,
  HARDEST,
  HARDEST_KEPT,
  LARGEST_LOSS,
  PLACEMENTS_AT,
  SCRATCH,
  SCRATCH_BYTES,
  SLIDES_AT,
  SMALLEST_LOSS,
  SURVEY,
  SURVEY_BYTES,
  SURVEY_PARTS,
  TERMINALS,
} from "./layout";
export { prepare } from "../../boards/assembly/moves";
export { addOption, setImage, setRule } from "./rules";
export { add, clearAfterstates, clearPositions, listAt } from "./tables";

/** True if the values are those of a variant, by its rules. */
let byRules: bool = false;

/**
 * Attaches this instance, a thread's, to a memory of lists and tables of 2^slotsLog2 boards.
 *
 * @param tileSet the sum of the placer's tiles
 * @param goal exponent of the tile to reach in the game against chance; 0 if points count
 * @param states number of states of the variant to be valued; 0 for the game
 */
export function attach(
  slotsLog2: i32,
  threads: i32,
  thread: i32,
  tileSet: i32,
  goal: u32,
  states: i32,
  canPass: bool,
  oriented: bool,
): void {
  byRules = states > 0;
  attachTables(slotsLog2, threads, thread, tileSet, states);
  setGoal(goal);
  setRules(states, canPass, oriented);
  attachSurvey();
}

/** Moves a layer's positions, ascending, from its table to its list; returns their number. */
export function gather(half: i32): i32 {
  const count = copyToList(half);
  aim(half);
  const spare = afterstatesAt();
  sortBoards(listAt(half), count, spare, headOf(spare));
  clearPositions(half);
  return count;
}

/** Replaces the contents of a layer's table by the listed positions and their heads. */
export function fill(half: i32, count: i32): void {
  clearPositions(half);
  const table = positionsAt(half);
  for (let i = 0; i < count; i++) {
    const listed = listAt(half) + ((<usize>i) << 3);
    store<u64>(headOf(put(table, load<u64>(listed))), load<u64>(headOf(listed)));
  }
}

/** Returns the address of the heads of a layer's listed positions. */
export function headsAt(half: i32): usize {
  return headOf(listAt(half));
}

/** Returns the number of the first position of a chunk that no other thread gets. */
@inline
function nextChunk(): i32 {
  return atomic.add<i32>(CURSOR, CHUNK);
}

/**
 * Adds the successors of a layer's listed positions to the tables. Stops early when a table is
 * full.
 */
export function expand(half: i32, count: i32): void {
  const list = listAt(half);
  aim(half);
  for (let from = nextChunk(); from < count; from = nextChunk()) {
    const end = min(from + CHUNK, count);
    let terminals = 0;
    for (let i = from; i < end; i++) {
      if (atomic.load<i32>(FULL) != 0) return;
      const board = load<u64>(list + ((<usize>i) << 3));
      const cells = unpack(board);
      let isTerminal = true;
      for (let direction = 0; direction < 4; direction++) {
        const afterstate = slide(cells, direction);
        if (afterstate == 0) continue;
        isTerminal = false;
        expandAfterstate(afterstate);
      }
      if (isTerminal) terminals++;
      if (passes && emptyAmong(CELL_ONES, board) != 0) expandAfterstate(board);
    }
    countAdded();
    atomic.add<i32>(TERMINALS, terminals);
  }
}

@inline
function expandAfterstate(afterstate: u64): void {
  addTo(afterstatesAt(), afterstate);
  if (!isNew) return;
  targetOf(0).added++;
  placeOn(afterstate);
  const free = emptyAmong(CELL_ONES, afterstate);
  for (let rest = tiles; rest != 0; rest &= rest - 1) {
    const exponent = ctz(rest);
    // As constants, the exponents of the game make placing faster.
    if (exponent == 1) placeAll(free, 1);
    else if (exponent == 2) placeAll(free, 2);
    else placeAll(free, exponent);
  }
}

/** Adds the positions after a tile in each of some cells of the afterstate that was taken last. */
@inline
function placeAll(cells: u64, exponent: i32): void {
  const target = targetOf(exponent);
  const table = target.table;
  let added = 0;
  for (let empty = cells; empty != 0; empty &= empty - 1) {
    addTo(table, placed(<i32>(ctz(empty) >> 2), exponent));
    added += i32(isNew);
  }
  target.added += added;
}

/**
 * Values a layer's listed positions and adds them to their table; writes their heads to the list
 * too. The tables of the layers that follow hold the values of their positions.
 */
export function value(half: i32, count: i32): void {
  if (byRules) valueAll(changetype<RuleValues>(0), half, count);
  else valueAll(changetype<GameValues>(0), half, count);
}

function valueAll<V extends Values>(values: V, half: i32, count: i32): void {
  const list = listAt(half);
  const table = positionsAt(half);
  aim(half);
  for (let from = nextChunk(); from < count; from = nextChunk()) {
    const end = list + ((<usize>min(from + CHUNK, count)) << 3);
    for (let listed = list + ((<usize>from) << 3); listed < end; listed += 8) {
      const board = load<u64>(listed);
      const at = put(table, board);
      values.valuePosition(board, at);
      store<u64>(headOf(listed), load<u64>(headOf(at)));
    }
  }
}

/** Surveys a valued layer's listed positions. */
export function surveyPositions(half: i32, count: i32): void {
  const list = listAt(half);
  const table = positionsAt(half);
  aim(half);
  for (let from = nextChunk(); from < count; from = nextChunk()) {
    const end = list + ((<usize>min(from + CHUNK, count)) << 3);
    for (let listed = list + ((<usize>from) << 3); listed < end; listed += 8) {
      const board = load<u64>(listed);
      surveyPosition(board, load<u64>(headOf(found(table, board))));
    }
  }
}

/** Surveys all afterstates of a layer whose positions are surveyed. */
export function surveyAfterstates(half: i32, _count: i32): void {
  aim(half);
  const table = afterstatesAt();
  const slots = slotCount();
  for (let from = <u32>nextChunk(); from < slots; from = <u32>nextChunk()) {
    const end = min(from + CHUNK, slots);
    for (let slot = from; slot < end; slot++) {
      const at = table + ((<usize>slot) << 3);
      const board = load<u64>(at);
      if (board != 0) surveyAfterstate(board, load<u64>(headOf(at)));
    }
  }
}

/**
 * Returns the address of the values, in each state, of a position, valued last among its table's; 0
 * if play cannot reach it.
 */
export function valuesAt(half: i32, board: u64): usize {
  const at = find(positionsAt(half), board);
  return at == 0 ? 0 : moreOf(at);
}
