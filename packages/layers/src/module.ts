import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { formatShape, type Game, normalShape, type Shape } from "@gridlock/game";

/** The exports of a compiled module; see `assembly/index.ts`. Addresses and counts are unsigned 32 bits. */
export interface LayerExports {
  readonly CACHE: WebAssembly.Global;
  prepare(tiles: number): void;
  slotsFor(count: number): number;
  tableBytes(slots: number): number;
  clearDirectory(): void;
  listPart(step: number, part: number, table: number, slots: number): void;
  setParts(own: number, near: number, far: number): void;
  fill(table: number, slots: number, from: number, count: number): void;
  add(table: number, slots: number, from: number, count: number): void;
  writeBounds(table: number, slots: number, onlyChanged: boolean, at: number): number;
  clearDemands(at: number): void;
  takeDemands(table: number, slots: number, from: number, count: number): void;
  changesOn(step: number, part: number): number;
  writeDemands(
    step: number,
    part: number,
    from: number,
    count: number,
    at: number,
    scratch: number,
  ): number;
  clearNews(): void;
  addNews(from: number, count: number): void;
  beginVisit(
    table: number,
    slots: number,
    demands: number,
    demandsEnd: number,
    open: number,
    openEnd: number,
    to: number,
    news: number,
    fresh: boolean,
  ): void;
  visitNodes(count: number): number;
  isVisited(): number;
  visitStart(board: bigint, need: number): number;
  boundOfStart(): number;
  expandedNodes(): bigint;
  revisitedNodes(): bigint;
  looksMade(): bigint;
  learnedBounds(): number;
  openNodesWritten(): number;
  liveNodesWritten(): number;
  written(): number;
  recorded(): number;
  boardOfKey(key: bigint): bigint;
}

const modules = new Map<string, { bytes: Buffer; module: WebAssembly.Module }>();

function compiled(shape: Shape) {
  const name = formatShape(normalShape(shape));
  let found = modules.get(name);
  if (found === undefined) {
    const bytes = readFileSync(new URL(`../wasm/${name}.wasm`, import.meta.url));
    found = { bytes, module: new WebAssembly.Module(bytes) };
    modules.set(name, found);
  }
  return found;
}

const VERSION_DIGITS = 12;

/**
 * Returns the version of a shape's module: hexadecimal digits of a digest of its code. Files can only be used by
 * modules of the same version.
 */
export function layersVersion(shape: Shape): string {
  return createHash("sha256").update(compiled(shape).bytes).digest("hex").slice(0, VERSION_DIGITS);
}

/**
 * Instantiates a game's module over a memory.
 *
 * @param load called when the bounds of a part of the layer `step` above the visited one are needed
 */
export function instantiate(
  { shape, tiles }: Game,
  memory: WebAssembly.Memory,
  load: (step: number, part: number) => void,
): LayerExports {
  const imports = { env: { memory }, bounds: { loadPart: load } };
  const instance = new WebAssembly.Instance(compiled(shape).module, imports);
  const exports = instance.exports as unknown as LayerExports;
  exports.prepare(tiles.reduce((bits, tile) => bits | (1 << Math.log2(tile)), 0));
  return exports;
}
