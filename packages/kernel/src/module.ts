import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { cellCount, formatShape, normalShape, type Shape } from "@gridlock/game";

/** What a compiled kernel exports; see `assembly/index.ts`. Addresses and counts are unsigned 32 bits. */
export interface KernelExports {
  readonly STOP: WebAssembly.Global;
  readonly POSITIONS: WebAssembly.Global;
  readonly AFTERSTATES: WebAssembly.Global;
  readonly ANNOUNCE_AFTER: WebAssembly.Global;
  readonly REUSE_EFFORT: WebAssembly.Global;
  readonly STEP: WebAssembly.Global;
  readonly STEPPED: WebAssembly.Global;
  readonly JOURNAL_EFFORT: WebAssembly.Global;
  readonly JOURNAL_WRITTEN: WebAssembly.Global;
  readonly JOURNAL_READ: WebAssembly.Global;
  readonly JOURNAL_MISSED: WebAssembly.Global;
  readonly JOURNAL_RECORDS: WebAssembly.Global;
  readonly TRANSFER_RECORDS: WebAssembly.Global;
  readonly KEY_BITS: WebAssembly.Global;
  readonly BUCKET_BYTES: WebAssembly.Global;
  readonly MIN_BUCKETS_LOG2: WebAssembly.Global;
  readonly MAX_BUCKETS_LOG2: WebAssembly.Global;
  readonly NONE: WebAssembly.Global;
  prepare(): void;
  threadAt(thread: number): number;
  tableAt(threads: number): number;
  transferAt(thread: number): number;
  journalAt(thread: number): number;
  attach(
    thread: number,
    threads: number,
    buckets: number,
    tiles: number,
    together: boolean,
    tieSeed: bigint,
  ): void;
  canonical(board: bigint): bigint;
  ask(board: bigint, placerToMove: boolean, threshold: number, budget: bigint): number;
  look(board: bigint, placerToMove: boolean): number;
  learn(board: bigint, placerToMove: boolean, lo: number, hi: number, effort: number): void;
  earned(board: bigint, tiles: number): number;
  read(thread: number, from: number, end: number, minEffort: number): bigint;
  write(thread: number, count: number, foreign: boolean): number;
  keyOfRecord(mixed: bigint): bigint;
}

/** Most cells of a board that a kernel has been compiled for. */
export const MAX_KERNEL_CELLS = 12;

const VERSION_DIGITS = 12;

/** Whether there is a kernel for a shape. */
export function hasKernel(shape: Shape): boolean {
  return cellCount(shape) <= MAX_KERNEL_CELLS;
}

interface Compiled {
  readonly module: WebAssembly.Module;
  readonly version: string;
}

const compiled = new Map<string, Compiled>();

/** The compiled kernel of a shape, which must be one that {@link hasKernel}. */
function compiledKernel(shape: Shape): Compiled {
  const name = formatShape(normalShape(shape));
  let kernel = compiled.get(name);
  if (kernel === undefined) {
    const bytes = readFileSync(new URL(`../wasm/${name}.wasm`, import.meta.url));
    const version = createHash("sha256").update(bytes).digest("hex").slice(0, VERSION_DIGITS);
    kernel = { module: new WebAssembly.Module(bytes), version };
    compiled.set(name, kernel);
  }
  return kernel;
}

/**
 * Names what a shape's kernel was compiled to: a digest, in hexadecimal digits. Records are for kernels of
 * the same version alone.
 */
export function kernelVersion(shape: Shape): string {
  return compiledKernel(shape).version;
}

/** A kernel over a memory; it still has to be attached as a thread. */
export function instantiate(shape: Shape, memory: WebAssembly.Memory): KernelExports {
  const instance = new WebAssembly.Instance(compiledKernel(shape).module, { env: { memory } });
  return instance.exports as unknown as KernelExports;
}
