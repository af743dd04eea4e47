import { readFileSync } from "node:fs";
import {
  formatShape,
  type Game,
  normalShape,
  type PackedBoard,
  packedFromBits,
  type Shape,
} from "@gridlock/game";

/**
 * The exports of a compiled module; see `assembly/index.ts`. Addresses and counts are unsigned 32
 * bits.
 */
export interface LayerExports {
  readonly LOCK: WebAssembly.Global;
  readonly BLOCKS: WebAssembly.Global;
  readonly BLOCK_BYTES: WebAssembly.Global;
  readonly MAX_BLOCKS: WebAssembly.Global;
  readonly STAGE_BYTES: WebAssembly.Global;
  prepare(threads: number, bytes: number): void;
  attach(thread: number, threads: number, bytes: number, tiles: number, blockLayers: number): void;
  setSplit(split: number): void;
  stageIn(thread: number): number;
  stageOut(thread: number): number;
  placeOf(block: bigint): number;
  numberOf(place: number): bigint;
  enter(place: number): void;
  leave(): void;
  begin(place: number): void;
  beginEmpty(): void;
  beginReading(nodes: number, settled: number, keys: number): void;
  readMore(from: number, end: number): void;
  endPacking(): void;
  readChanges(from: number, end: number): void;
  endReading(boards: number): void;
  release(place: number): void;
  beginVisit(visit: number, isNewRound: boolean): void;
  takeDemands(at: number, count: number, from: number): void;
  takeAnswers(at: number, count: number): void;
  pass(firstLayer: number): void;
  forgetDemands(): void;
  lookAtStart(board: bigint, need: number): number;
  boundOfStart(): number;
  endVisit(): number;
  clearVisit(): void;
  isLarge(place: number, most: number): number;
  allPages(): number;
  beginSaving(all: boolean): void;
  saveMore(at: number): number;
  countChanged(): number;
  countWritten(): number;
  countWrittenNodes(): number;
  boardsHeld(): number;
  countNodes(): number;
  countWaiting(): number;
  expandedNodes(): bigint;
  nodesLookedAtAgain(): bigint;
  looksMade(): bigint;
  boardOfKey(key: bigint): bigint;
}

/** The functions that a module calls. */
export interface LayerImports {
  /** Frees pages by evicting blocks from memory. */
  makeRoom(pages: number): void;
  /** Aborts the visit: the module has no room for more blocks. */
  tooManyBlocks(): void;
}

const modules = new Map<string, WebAssembly.Module>();

function compiled(shape: Shape): WebAssembly.Module {
  const name = formatShape(normalShape(shape));
  let found = modules.get(name);
  if (found === undefined) {
    const bytes = readFileSync(new URL(`../wasm/${name}.wasm`, import.meta.url));
    found = new WebAssembly.Module(bytes);
    modules.set(name, found);
  }
  return found;
}

/** Thrown when a block needs more memory than a visit may use. */
export class OutOfMemory extends RangeError {
  override readonly name = "OutOfMemory";

  constructor() {
    super(
      "the blocks being visited need more memory than the limit; expected a larger --memory, or a proof begun with a larger --split",
    );
  }
}

/** Thrown when a visit must wait until other threads have ended theirs and freed their memory. */
export class MemoryInUse extends Error {
  override readonly name = "MemoryInUse";
}

/** The functions of a module that visits no blocks. */
const NO_VISITS: LayerImports = { makeRoom: () => undefined, tooManyBlocks: () => undefined };
/** Pages of memory for a module that only computes boards. */
const FEW_PAGES = 2;

/** Returns a function that maps the keys of a game's files to afterstates. */
export function boardsOfKeys(game: Game): (key: bigint) => PackedBoard {
  const pages = { initial: FEW_PAGES, maximum: FEW_PAGES, shared: true };
  const { boardOfKey } = instantiate(game, new WebAssembly.Memory(pages));
  return (key) => packedFromBits(boardOfKey(key));
}

/** Instantiates a game's module over a shared memory. */
export function instantiate(
  game: Game,
  memory: WebAssembly.Memory,
  { makeRoom, tooManyBlocks }: LayerImports = NO_VISITS,
): LayerExports {
  const imports = { env: { memory }, pages: { makeRoom }, residents: { tooManyBlocks } };
  const instance = new WebAssembly.Instance(compiled(game.shape), imports);
  return instance.exports as unknown as LayerExports;
}
