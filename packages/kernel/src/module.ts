import { cellCount, formatShape, normalShape, type Shape } from "@gridlock/game";
import { kernelFiles } from "./files.js";

/**
 * Exports of a compiled kernel; see `assembly/index.ts`. Addresses and counts are unsigned 32 bits.
 */
export interface KernelExports
  extends Readonly<
    Record<
      | ("STOP" | "POSITIONS" | "AFTERSTATES" | "STEP" | "STEPPED" | "TRANSFER_RECORDS")
      | (
          | "JOURNAL_EFFORT"
          | "JOURNAL_WRITTEN"
          | "JOURNAL_READ"
          | "JOURNAL_MISSED"
          | "JOURNAL_RECORDS"
        )
      | ("KEEPS_POSITIONS" | "KEY_BITS" | "NONE" | "unpackedBytes" | "unpackedHigh"),
      WebAssembly.Global
    >
  > {
  prepare(goal: number): void;
  threadAt(thread: number): number;
  transferAt(thread: number): number;
  journalAt(thread: number): number;
  attach(
    thread: number,
    threads: number,
    buckets: number,
    shards: number,
    tiles: number,
    withoutBound: boolean,
    otherOrder: boolean,
  ): void;
  canonical(board: bigint): bigint;
  ask(
    board: bigint,
    placerToMove: boolean,
    threshold: number,
    budget: bigint,
    together: boolean,
    neighbours: boolean,
    order: number,
  ): number;
  look(board: bigint, placerToMove: boolean): number;
  learn(board: bigint, placerToMove: boolean, lo: number, hi: number, effort: number): void;
  earned(board: bigint, tiles: number): number;
  ends(board: bigint, tiles: number): number;
  read(thread: number, shard: number, from: number, end: number, minEffort: number): bigint;
  unpack(thread: number, bytes: number, before: bigint, limit: bigint): number;
  keyOfRecord(mixed: bigint): bigint;
  boardOf(key: bigint): bigint;
}

/** The most cells of a board that a kernel has been compiled for. */
const MAX_KERNEL_CELLS = 16;
/** The most cells of a single row: a word must hold its slide and the score. */
const MAX_ROW_CELLS = 12;
/** The limits of shapes that have kernels, for messages. */
export const KERNEL_LIMITS = `the search goes up to ${MAX_KERNEL_CELLS} cells, ${MAX_ROW_CELLS} in a single row`;

/** Returns whether there is a kernel for a shape. */
export function hasKernel(shape: Shape): boolean {
  const isRow = Math.min(shape.rows, shape.cols) === 1;
  return cellCount(shape) <= (isRow ? MAX_ROW_CELLS : MAX_KERNEL_CELLS);
}

/** A shape's modules: the search, the search without shared memory, a shard, a small table. */
type Variant = "" | ".solo" | ".shard" | ".small";

/** Returns the name of the file of a module of a shape that {@link hasKernel}. */
export function moduleFile(shape: Shape, variant: Variant = ""): string {
  return `${formatShape(normalShape(shape))}${variant}.wasm`;
}

/** Returns whether threads can share a memory. Some browsers even lack the class for that. */
function isShared({ buffer }: WebAssembly.Memory): boolean {
  return typeof SharedArrayBuffer !== "undefined" && buffer instanceof SharedArrayBuffer;
}

/** Exports of a shard's module, in the order that a kernel expects; see `assembly/shard.ts`. */
const SHARD_OPERATIONS = ["find", "merge", "entry", "fetch", "rest"] as const;

/**
 * Instantiates a kernel over a memory, shared or not. The caller must then attach it as a thread.
 *
 * @param shards the memories of its table, unless the table is in `memory`
 */
export function instantiate(
  shape: Shape,
  memory: WebAssembly.Memory,
  shards: readonly WebAssembly.Memory[] = [],
): KernelExports {
  const functions = shards.flatMap((shard) => {
    const variant = isShared(shard) ? ".shard" : ".small";
    const { exports } = new WebAssembly.Instance(kernelFiles.module(moduleFile(shape, variant)), {
      env: { memory: shard },
    });
    return SHARD_OPERATIONS.map((operation) => exports[operation]);
  });
  const table = new WebAssembly.Table({ element: "anyfunc", initial: 1 + functions.length });
  functions.forEach((operation, i) => {
    table.set(i, operation);
  });
  const file = moduleFile(shape, isShared(memory) ? "" : ".solo");
  const instance = new WebAssembly.Instance(kernelFiles.module(file), { env: { memory, table } });
  return instance.exports as unknown as KernelExports;
}
