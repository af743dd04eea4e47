import { type BlockReport, type Chunk, type Slice, tableBytesFor } from "./block-check.js";

/** Boards that make a slice worth a thread. */
const SLICE_BOARDS = 2 ** 17;
/** Room in the table of a slice beyond its share of all boards; keys are spread evenly. */
const SLICE_ROOM = 1.2;
const SLICE_SPARE = 4096;
/** Fewest bytes of a table with which {@link slicesOf} finds slices. */
export const LEAST_SLICE_BYTES = tableBytesFor(2 * SLICE_SPARE);

/**
 * Divides all keys into as few slices as possible, so that the table of each has room, and so that
 * there are at least `least` slices unless they are small.
 *
 * @param bytes the most bytes of a table, at least {@link LEAST_SLICE_BYTES}
 */
export function slicesOf(blocks: readonly BlockReport[], least: number, bytes: number): Slice[] {
  const boards = blocks.reduce((sum, block) => sum + block.boards, 0);
  const boardsIn = (bits: number) =>
    bits === 0 ? boards : Math.ceil((SLICE_ROOM * boards) / 2 ** bits) + SLICE_SPARE;
  let bits = 0;
  while (
    tableBytesFor(boardsIn(bits)) > bytes ||
    (2 ** bits < least && boardsIn(bits) > 2 * SLICE_BOARDS)
  ) {
    bits++;
  }
  return Array.from({ length: 2 ** bits }, (_, value) => {
    const files = blocks
      .flatMap((block) => block.files)
      .map(({ file, chunks }) => ({ file, chunks: chunksIn(chunks, bits, value) }))
      .filter(({ chunks }) => chunks.length > 0);
    return { bits, value, boards: boardsIn(bits), files };
  });
}

/** Returns the chunks of a file that may have keys of a slice. */
function chunksIn(chunks: readonly Chunk[], bits: number, value: number): Chunk[] {
  const sliceOf = ({ first }: Chunk) => Math.floor(first / 2 ** (32 - bits));
  return chunks.filter((chunk, i) => {
    const next = chunks[i + 1];
    return sliceOf(chunk) <= value && (next === undefined || value <= sliceOf(next));
  });
}
