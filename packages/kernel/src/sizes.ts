import { formatShape, normalShape, type Shape } from "@gridlock/game";
import { fileBytes } from "./files.js";

/**
 * The sizes of a shape's kernel, which must be known before its memory is made; they are the same
 * whether that is shared or not. They are recorded when it is compiled: asking the module would take another memory, for which V8 reserves 10 GiB of
 * address space.
 */
export interface KernelSizes {
  /** Address of the first thread's area. */
  readonly threadsAt: number;
  readonly threadBytes: number;
  readonly bucketBytes: number;
  readonly minBucketsLog2: number;
  readonly maxBucketsLog2: number;
  /** The most placements on a path that a search has room for. */
  readonly maxPlacements: number;
}

const sizes = new Map<string, KernelSizes>();

/** Returns the sizes of the kernel of a shape that `hasKernel`. */
export function sizesOf(shape: Shape): KernelSizes {
  if (sizes.size === 0) {
    const recorded = new TextDecoder().decode(fileBytes("sizes.json"));
    for (const [name, size] of Object.entries(JSON.parse(recorded))) {
      sizes.set(name, size as KernelSizes);
    }
  }
  return sizes.get(formatShape(normalShape(shape))) as KernelSizes;
}
