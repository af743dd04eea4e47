import { cellCount, formatShape, type Shape } from "@gridlock/game";
import { WasmFolder } from "@gridlock/threads/wasm";

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
  attach(
    slotsLog2: number,
    threads: number,
    thread: number,
    tileSet: number,
    goal: number,
    states: number,
    canPass: boolean,
    isOriented: boolean,
  ): void;
  setRule(
    state: number,
    directions: number,
    pass: number,
    cellFirst: boolean,
    optionChooser: number,
    cellChooser: number,
    share: number,
  ): void;
  addOption(state: number, exponent: number, next: number, weight: number): void;
  setImage(symmetry: number, state: number, image: number): void;
  listAt(half: number): number;
  headsAt(half: number): number;
  clearAfterstates(): void;
  clearPositions(half: number): void;
  add(half: number, board: bigint): void;
  gather(half: number): number;
  fill(half: number, count: number): void;
  expand(half: number, count: number): void;
  value(half: number, count: number): void;
  surveyPositions(half: number, count: number): void;
  surveyAfterstates(half: number, count: number): void;
  valuesAt(half: number, board: bigint): number;
}

/** Maximum number of cells of the shapes that sweeps are compiled for. */
export const MAX_SWEEP_CELLS = 10;
/** Maximum number of cells of shapes whose variants can be solved, with all positions in memory. */
export const MAX_VARIANT_CELLS = 9;

/** Returns true if all positions of a shape can be tabulated. */
export function canTabulate(shape: Shape): boolean {
  return cellCount(shape) <= MAX_SWEEP_CELLS;
}

/** Returns true if the variants of a shape can be solved. */
export function canSolveVariants(shape: Shape): boolean {
  return cellCount(shape) <= MAX_VARIANT_CELLS;
}

/** The modules, each with the address of the threads' scratch and its bytes for each thread. */
const folder = new WasmFolder<{ readonly scratchAt: number; readonly threadBytes: number }>(
  import.meta.url,
);

/** Returns a memory's bytes before its lists and tables, for a shape that {@link canTabulate}. */
export function bytesBeforeTables(shape: Shape, threads: number): number {
  const { scratchAt, threadBytes } = folder.sizes(formatShape(shape));
  return scratchAt + threadBytes * threads;
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
