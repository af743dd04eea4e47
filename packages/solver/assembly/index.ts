/*
 * Functions that the loader calls; see `src/proof-memory.ts`. `prepare` is called once for a
 * memory; then each thread that uses it has an instance and calls `attach`. All threads call `work`
 * at the same time, and everything else is called while none of them works.
 */
import { prepareBoards } from "../../boards/assembly/board";
import { prepareEarnings, prepareLines } from "../../boards/assembly/lines";
import { attachMoves, preparePlaces } from "../../kernel/assembly/moves";
import { attachExpansion } from "./expand";
import { ARENA_SLOTS, CLAIM_BYTES, SLID, SPARE, threadAt } from "./layout";
import { attachWork } from "./work";

export { clearClaims, copyClaims, enter, enterClaims, listClaims, makeTable } from "./demands";
export {
  ARENA_SLOTS,
  BY_POINTS,
  CLAIM_BYTES,
  FAR,
  MOST_BATCH,
  MOST_HI,
  NEAR,
  NEXT,
  PHASE,
  SPARE,
  STOP,
  threadAt,
  WRONG,
  WRONG_BOARD,
  WRONG_VALUE,
} from "./layout";
export { beginClaims, FINISHED, FULL, goOn, work } from "./work";

/** Fills the read-only tables of a memory with room for so many slots in each of four arenas. */
export function prepare(threads: i32, arenaSlots: u32): void {
  prepareBoards();
  prepareEarnings(0);
  prepareLines();
  preparePlaces();
  store<u32>(ARENA_SLOTS, arenaSlots);
  store<usize>(SPARE, arenaAt(threads, 3));
}

/** Returns the address of an arena. */
export function arenaAt(threads: i32, arena: u32): usize {
  return threadAt(threads) + arena * load<u32>(ARENA_SLOTS) * CLAIM_BYTES;
}

/** Makes this instance thread number `thread` of `threads`; `tiles` are exponent bits. */
export function attach(thread: i32, threads: i32, tiles: u32): void {
  const area = threadAt(thread);
  attachMoves(area + SLID, 0, 0);
  attachExpansion(area, threads, tiles);
  attachWork(area, threads);
}
