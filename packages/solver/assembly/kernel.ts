/* Functions of the thread's kernel, which its loader imports. */

/** Asks whether a bound is true; see `ask` in the kernel's `search.ts`. */
export declare function ask(
  board: u64,
  placerToMove: bool,
  threshold: i32,
  budget: u64,
  others: bool,
  beside: bool,
  order: u32,
): i32;
