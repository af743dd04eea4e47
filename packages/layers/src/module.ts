import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { formatShape, type Game, normalShape, type Shape } from "@gridlock/game";
import { firstLargeTile } from "./blocks.js";

/** The exports of a compiled module; see `assembly/index.ts`. Addresses and counts are unsigned 32 bits. */
export interface LayerExports {
  readonly HEAP: WebAssembly.Global;
  prepare(tiles: number, firstLarge: number): void;
  setRegions(table: number, nodes: number, edges: number, lists: number, end: number): void;
  begin(block: bigint, keys: number): void;
  peerOf(block: bigint): number;
  takeNodes(from: number, count: number, edges: number, isFresh: boolean): void;
  forgetNeeds(): void;
  takeTable(base: number, baseCount: number, visit: number, count: number): void;
  takeAnswers(from: number, count: number, peer: number): void;
  takeDemands(from: number, count: number): void;
  queueWaiting(): void;
  takeChanges(): number;
  forgetDemands(): void;
  pass(firstLayer: number): void;
  lookAtStart(board: bigint, need: number): number;
  boundOfStart(): number;
  closeVisit(order: number): number;
  answer(from: number, count: number, isNew: boolean, at: number): number;
  newAnswersGiven(): number;
  writeNodes(order: number, at: number): void;
  nodesToWrite(): number;
  writeEdges(order: number, at: number): void;
  edgesToWrite(): number;
  writeBase(at: number): number;
  writeTable(isBased: boolean, at: number): number;
  writtenTable(): number;
  written(): number;
  peersMet(): number;
  addressOfPeer(index: number): number;
  slotsHeld(): number;
  slotsChanged(): number;
  expandedNodes(): bigint;
  nodesChosenAgain(): bigint;
  looksMade(): bigint;
  openNodesLeft(): number;
  liveNodesLeft(): number;
  waitingNodesLeft(): number;
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

/** Thrown when a block needs more memory than a visit may use. */
export class OutOfMemory extends RangeError {
  override readonly name = "OutOfMemory";

  constructor() {
    super(
      "a block of the proof needs more memory than a thread may use; expected a larger --memory",
    );
  }
}

/** Instantiates a game's module over a memory. */
export function instantiate(game: Game, memory: WebAssembly.Memory): LayerExports {
  const outOfMemory = () => {
    throw new OutOfMemory();
  };
  const imports = { env: { memory }, regions: { outOfMemory } };
  const instance = new WebAssembly.Instance(compiled(game.shape).module, imports);
  const exports = instance.exports as unknown as LayerExports;
  const tiles = game.tiles.reduce((bits, tile) => bits | (1 << Math.log2(tile)), 0);
  exports.prepare(tiles, firstLargeTile(game.shape));
  return exports;
}
