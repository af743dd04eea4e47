import { readFileSync } from "node:fs";
import { cellCount, formatShape, type Shape } from "@gridlock/game";

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

const compiled = new Map<string, WebAssembly.Module>();
let sizes: Readonly<Record<string, { readonly listAt: number }>> | undefined;

/**
 * Returns the address of the list in a shape's module, which is recorded when it is compiled.
 *
 * @param shape in normal form, one of those that {@link canSolveVariants}
 */
export function listAt(shape: Shape): number {
  sizes ??= JSON.parse(readFileSync(new URL("../wasm/sizes.json", import.meta.url), "utf8"));
  return sizes?.[formatShape(shape)]?.listAt as number;
}

/**
 * Instantiates a shape's module over a memory.
 *
 * @param shape in normal form, one of those that {@link canSolveVariants}
 */
export function instantiate(shape: Shape, memory: WebAssembly.Memory): VariantExports {
  const name = formatShape(shape);
  const file = new URL(`../wasm/${name}.wasm`, import.meta.url);
  const module = compiled.get(name) ?? new WebAssembly.Module(readFileSync(file));
  compiled.set(name, module);
  return new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as VariantExports;
}
