/*
 * Marks on the lines of the blocks' tables. A line is four slots, 64 bytes, and has one bit. A line
 * is marked when one of its slots changes, and a save of the changes reads only marked lines, since
 * a visit to a large table changes few of them. A mark may outlive the change, but no slot changes
 * without one.
 *
 * The marks are at the end of the memory, after the pages.
 */

/** Bytes of a line, and of memory for each byte of marks; binary logarithms. */
const LINE_LOG2: i32 = 6;
const MARKED_LOG2: i32 = LINE_LOG2 + 3;
/** Bytes of a line. */
export const LINE_BYTES: usize = 1 << LINE_LOG2;
/** Bytes of memory whose marks are in one u64. */
const WORD_BYTES: usize = 64 << LINE_LOG2;

let marksAt: usize = 0;

/** Returns the address of the marks in a memory that ends at `end`. */
export function marksBefore(end: usize): usize {
  return (end - (end >> MARKED_LOG2)) & ~(WORD_BYTES - 1);
}

/** Sets the end of the memory. */
export function attachMarks(end: usize): void {
  marksAt = marksBefore(end);
}

/** Marks the line of an address. */
@inline
export function mark(at: usize): void {
  const byte = marksAt + (at >> MARKED_LOG2);
  store<u8>(byte, load<u8>(byte) | ((<u8>1) << (<u8>((at >> LINE_LOG2) & 7))));
}

/** Clears the marks of a table's pages. */
export function clearMarks(from: usize, end: usize): void {
  memory.fill(marksAt + (from >> MARKED_LOG2), 0, (end - from) >> MARKED_LOG2);
}

/** Returns `at` if its line is marked; otherwise the next marked line, or an address ≥ `end`. */
@inline
export function nextMarked(at: usize, end: usize): usize {
  while (at < end) {
    const line = (at >> LINE_LOG2) & 63;
    const marks = load<u64>(marksAt + ((at & ~(WORD_BYTES - 1)) >> MARKED_LOG2)) >> line;
    if ((marks & 1) != 0) return at;
    if (marks != 0) return (at & ~(LINE_BYTES - 1)) + ((<usize>ctz(marks)) << LINE_LOG2);
    at = (at | (WORD_BYTES - 1)) + 1;
  }
  return at;
}
