/*
 * Reading ahead: a loop reads what will soon be needed, so that the processor waits for many reads at
 * once. What it reads is summed up and given to {@link keep}; otherwise the compiler would remove it.
 */

export let kept: u64 = 0;

/** Keeps the compiler from removing the reads that have made a sum. */
@inline
export function keep(sum: u64): void {
  kept += sum;
}
