import { readFileSync } from "node:fs";
import { cellCount, formatShape, normalShape, type Shape } from "@gridlock/game";

/** What a compiled kernel exports; see `assembly/index.ts`. Addresses and counts are unsigned 32 bits. */
export interface KernelExports {
  readonly STOP: WebAssembly.Global;
  readonly POSITIONS: WebAssembly.Global;
  readonly AFTERSTATES: WebAssembly.Global;
  readonly BUCKET_BYTES: WebAssembly.Global;
  readonly MIN_BUCKETS_LOG2: WebAssembly.Global;
  readonly MAX_BUCKETS_LOG2: WebAssembly.Global;
  readonly NONE: WebAssembly.Global;
  prepare(): void;
  threadAt(thread: number): number;
  tableAt(threads: number): number;
  transferAt(thread: number): number;
  attach(thread: number, threads: number, buckets: number, tiles: number, together: boolean): void;
  canonical(board: bigint): bigint;
  ask(board: bigint, placerToMove: boolean, threshold: number, budget: bigint): number;
  look(board: bigint, placerToMove: boolean): number;
  learn(board: bigint, placerToMove: boolean, lo: number, hi: number, effort: number): void;
  earned(board: bigint, tiles: number): number;
  read(thread: number, from: number, minEffort: number): bigint;
}

/** Most cells of a board that a kernel has been compiled for. */
export const MAX_KERNEL_CELLS = 12;

/** Whether there is a kernel for a shape. */
export function hasKernel(shape: Shape): boolean {
  return cellCount(shape) <= MAX_KERNEL_CELLS;
}

const modules = new Map<string, WebAssembly.Module>();

/** The compiled kernel of a shape, which must be one that {@link hasKernel}. */
function kernelModule(shape: Shape): WebAssembly.Module {
  const name = formatShape(normalShape(shape));
  let module = modules.get(name);
  if (module === undefined) {
    const bytes = readFileSync(new URL(`../wasm/${name}.wasm`, import.meta.url));
    module = new WebAssembly.Module(bytes);
    modules.set(name, module);
  }
  return module;
}

/** A kernel over a memory; it still has to be attached as a thread. */
export function instantiate(shape: Shape, memory: WebAssembly.Memory): KernelExports {
  const instance = new WebAssembly.Instance(kernelModule(shape), { env: { memory } });
  return instance.exports as unknown as KernelExports;
}
