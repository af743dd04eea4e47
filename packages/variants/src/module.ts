import { cellCount, formatShape, type Shape } from "@gridlock/game";
import { WasmFolder } from "@gridlock/store";

/** Exports of a compiled module; see `assembly/index.ts`. Addresses are unsigned 32-bit numbers. */
export interface VariantExports
  extends Readonly<
    Record<
      | ("COUNTS" | "CURSOR" | "FULL" | "TERMINALS")
      | ("IMAGES" | "LIST" | "RULES" | "RULE_BYTES" | "TILES")
      | ("MAX_OPTIONS" | "MAX_STATES"),
      WebAssembly.Global
    >
  > {
  prepare(): void;
  attach(
    slotsLog2: number,
    states: number,
    ring: number,
    passes: boolean,
    isOriented: boolean,
    thread: number,
  ): void;
  clear(table: number): void;
  add(half: number, board: bigint): void;
  gather(half: number): number;
  expand(half: number, count: number): void;
  value(half: number, count: number): void;
  valuesAt(half: number, board: bigint): number;
}

/** Maximum number of cells of the shapes whose variants can be solved. */
export const MAX_VARIANT_CELLS = 9;

/** Returns true if the variants of a shape can be solved. */
export function canSolveVariants(shape: Shape): boolean {
  return cellCount(shape) <= MAX_VARIANT_CELLS;
}

const folder = new WasmFolder<{ readonly listAt: number }>(new URL("../wasm/", import.meta.url));

/**
 * Returns the address of the list in a shape's module, which is recorded when it is compiled.
 *
 * @param shape in normal form, one of those that {@link canSolveVariants}
 */
export function listAt(shape: Shape): number {
  return folder.sizes(formatShape(shape)).listAt;
}

/**
 * Instantiates a shape's module over a memory.
 *
 * @param shape in normal form, one of those that {@link canSolveVariants}
 */
export function instantiate(shape: Shape, memory: WebAssembly.Memory): VariantExports {
  const module = folder.module(`${formatShape(shape)}.wasm`);
  return new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as VariantExports;
}
