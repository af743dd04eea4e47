import { WasmFolder } from "@gridlock/threads/wasm";

/**
 * The sizes of a shape's kernel, shared or not, which must be known before its memory is made. They
 * are recorded when it is compiled: asking the module would take another memory, for which V8
 * reserves 10 GiB of address space.
 */
export interface KernelSizes {
  /** Address of the first thread's area. */
  readonly threadsAt: number;
  readonly threadBytes: number;
  readonly bucketBytes: number;
  readonly minBucketsLog2: number;
  /** The same for a small table. */
  readonly smallMinBucketsLog2: number;
  readonly maxBucketsLog2: number;
  /** The most placements on a path that a search has room for. */
  readonly maxPlacements: number;
}

/**
 * The compiled modules and their sizes. In a browser they must be provided: before its first table,
 * a game of 3×3 needs `sizes.json`, `3x3.solo.wasm`, for a small table `3x3.small.wasm`, and for
 * reading or putting records `records.wasm`.
 */
export const kernelFiles = new WasmFolder<KernelSizes>(import.meta.url);
