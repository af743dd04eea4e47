import { cellCount, formatShape, type Shape } from "@gridlock/game";
import { WasmFolder } from "@gridlock/store";

/** Exports of a compiled module; see `assembly/index.ts`. Addresses are unsigned 32-bit numbers. */
export interface SweepExports
  extends Readonly<
    Record<
      | ("COUNTS" | "CURSOR" | "FULL" | "TERMINALS")
      | ("SURVEY" | "SURVEY_BYTES" | "SURVEY_PARTS" | "SLIDES_AT" | "PLACEMENTS_AT" | "DISTANCES")
      | ("HARDEST" | "HARDEST_KEPT" | "LARGEST_LOSS" | "SMALLEST_LOSS"),
      WebAssembly.Global
    >
  > {
  prepare(): void;
  attach(slotsLog2: number, placesFours: boolean, goalExponent: number): void;
  listAt(list: number): number;
  clearTable(table: number): void;
  add(table: number, board: bigint): void;
  gather(table: number, list: number): number;
  fill(table: number, list: number, count: number): void;
  expand(list: number, count: number, near: number): void;
  value(list: number, count: number, near: number): void;
  judge(list: number, count: number, near: number): void;
  respond(list: number, count: number, near: number): void;
}

/** Maximum number of cells of the shapes that sweeps are compiled for. */
export const MAX_SWEEP_CELLS = 10;

/** Returns true if all positions of a shape can be tabulated. */
export function canTabulate(shape: Shape): boolean {
  return cellCount(shape) <= MAX_SWEEP_CELLS;
}

/**
 * The modules, and sizes of each: the address of the tables and lists, and the bytes of a slot of each
 * table and a place of each list.
 */
const folder = new WasmFolder<{ readonly areaAt: number; readonly slotBytes: number }>(
  new URL("../wasm/", import.meta.url),
);

/**
 * Returns the bytes of a memory whose tables have 2^slotsLog2 slots.
 *
 * @param shape in normal form, one that {@link canTabulate}
 */
export function memoryBytes(shape: Shape, slotsLog2: number): number {
  const { areaAt, slotBytes } = folder.sizes(formatShape(shape));
  return areaAt + slotBytes * 2 ** slotsLog2;
}

/**
 * Instantiates a shape's module over a memory.
 *
 * @param shape in normal form, one that {@link canTabulate}
 */
export function instantiate(shape: Shape, memory: WebAssembly.Memory): SweepExports {
  const module = folder.module(`${formatShape(shape)}.wasm`);
  return new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as SweepExports;
}
