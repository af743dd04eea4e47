/*
 * The contract between the sweep and what it finds the values of: the game against the placer and
 * against chance (`game.ts`), and games under changed rules (`rules.ts`).
 *
 * The sweep knows which boards follow which, and their tables; an implementation knows what they
 * are worth. In all functions, boards are canonical, and `at` is the address of the board in a
 * table, whose head (`headOf`), and the bytes behind it (`moreOf`), the implementation alone reads
 * and writes. Implementations have no state but that of their module, and exist for the compiler
 * only.
 */
import { afterstatesAt, headOf, put } from "./tables";

@unmanaged
export abstract class Values {
  /**
   * Values a position; without a slide it is worth 0. Called once for each position.
   *
   * Precondition: all positions that placements on its afterstates lead to are in their tables,
   * valued.
   */
  abstract valuePosition(board: u64, at: usize): void;

  /**
   * Values an afterstate, with an empty cell; writes the head, which must not be 0, last.
   * Called by {@link valued} when the afterstate is met first; two threads may call it at the same
   * time, and must come to the same result.
   *
   * Precondition: as above.
   */
  abstract valueAfterstate(board: u64, at: usize): void;
}

/** Returns the address of an afterstate of the layer under way in its table, valued. */
@inline
export function valued<V extends Values>(values: V, board: u64): usize {
  const at = put(afterstatesAt(), board);
  if (atomic.load<u64>(headOf(at)) == 0) values.valueAfterstate(board, at);
  return at;
}
