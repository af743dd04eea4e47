import {
  type Bound,
  formatShape,
  type Game,
  normalShape,
  type Shape,
  tileBits,
} from "@gridlock/game";
import { WasmFolder } from "@gridlock/store";
import type { ChunkReader } from "./chunk-file.js";

/**
 * The exports of a compiled module; see `assembly/index.ts`. Addresses and counts are unsigned 32
 * bits.
 */
export interface LayerExports {
  readonly MAX_BLOCKS: WebAssembly.Global;
  readonly STAGE_BYTES: WebAssembly.Global;
  prepare(threads: number): void;
  attach(thread: number, threads: number, tiles: number, blockLayers: number, split: number): void;
  stageIn(): number;
  stageOut(): number;
  placeOf(block: bigint): number;
  numberOf(place: number): bigint;
  enter(place: number): void;
  beginEmpty(): void;
  beginReading(nodes: number, settled: number, keys: number): void;
  readMore(bytes: number): void;
  endPacking(): void;
  readChanges(bytes: number): void;
  endReading(boards: number): void;
  release(place: number): void;
  beginVisit(visit: number): void;
  takeLetters(count: number, demands: number, from: number): void;
  pass(): void;
  forgetDemands(): void;
  lookAtStart(board: bigint, need: number): number;
  readonly startBound: WebAssembly.Global;
  endVisit(): number;
  clearVisit(): void;
  isLarge(place: number, most: number): number;
  allPages(): number;
  beginSaving(all: boolean): void;
  saveMore(): number;
  countChanged(): number;
  readonly writtenBoards: WebAssembly.Global;
  readonly writtenNodes: WebAssembly.Global;
  boardsHeld(): number;
  countNodes(): number;
  countWaiting(): number;
  readonly expanded: WebAssembly.Global<"i64">;
  readonly lookedAgain: WebAssembly.Global<"i64">;
  readonly looks: WebAssembly.Global<"i64">;
}

const folder = new WasmFolder(new URL("../wasm/", import.meta.url));

function compiled(shape: Shape, kind: "wasm" | "check.wasm"): WebAssembly.Module {
  return folder.module(`${formatShape(normalShape(shape))}.${kind}`);
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

function tooManyBlocks(): never {
  throw new RangeError("the proof has more blocks than this version can handle");
}

/**
 * Instantiates a game's module over a shared memory.
 *
 * @param makeRoom frees pages by evicting blocks from memory, while another is being visited
 */
export function instantiate(
  game: Game,
  memory: WebAssembly.Memory,
  makeRoom: () => void = () => {},
): LayerExports {
  const imports = { env: { memory }, pages: { makeRoom }, residents: { tooManyBlocks } };
  const instance = new WebAssembly.Instance(compiled(game.shape, "wasm"), imports);
  return instance.exports as unknown as LayerExports;
}

/** The exports of the module that checks claims; see `assembly/check.ts`. */
export interface CheckExports {
  readonly memory: WebAssembly.Memory;
  readonly STAGE: WebAssembly.Global;
  readonly STAGE_BYTES: WebAssembly.Global;
  readonly FAILURES: WebAssembly.Global;
  readonly MAX_FAILURES: WebAssembly.Global;
  readonly ownBoards: WebAssembly.Global;
  readonly guestBoards: WebAssembly.Global;
  readonly lowerBounds: WebAssembly.Global;
  readonly upperBounds: WebAssembly.Global;
  readonly failed: WebAssembly.Global;
  readonly played: WebAssembly.Global<"i64">;
  prepare(tiles: number): void;
  begin(count: number, bits: number, slice: number): number;
  beginFile(): void;
  takeClaims(bytes: number): number;
  claimSlots(): number;
  checkClaims(first: number, end: number): void;
  takeOwn(bytes: number): number;
  checkGuests(bytes: number): number;
  firstBits(bytes: number): number;
  claimOf(board: bigint): number;
  setBlockLayers(layers: number): void;
  setSplit(split: number): void;
  blockOfBoard(board: bigint): bigint;
  keyOf(board: bigint): bigint;
  beginBytes(bytes: number): void;
  nextOwn(): number;
  findOwn(bytes: number, key: bigint): number;
  ownBoard(): bigint;
  ownBound(): number;
}

/** Pages of a memory of 4 GiB, the most that a module can address. */
const MOST_PAGES = 65_536;
/** Initial pages of the memory, more than the fixed tables of any shape. */
const FIRST_PAGES = 64;

/** Instantiates the module that reads and checks the claims of a game, with its own memory. */
export function instantiateCheck({ shape, tiles }: Game): CheckExports {
  const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MOST_PAGES });
  const instance = new WebAssembly.Instance(compiled(shape, "check.wasm"), { env: { memory } });
  const module = { ...instance.exports, memory } as unknown as CheckExports;
  module.prepare(tileBits(tiles));
  module.begin(0, 0, 0); // until a check begins, room for a chunk
  return module;
}

/** Reads the next chunk of a file into the stage of a check; returns the number of bytes. */
export function stageNext({ memory, STAGE, STAGE_BYTES }: CheckExports, file: ChunkReader): number {
  return file.nextInto(new Uint8Array(memory.buffer, STAGE.value, STAGE_BYTES.value));
}

/** Stands for an unknown upper bound. */
const NO_BOUND = 0xffff;

/** Returns a bound of a check's module in points: lo / 4 and, in the upper half, hi / 4. */
export function pointsOf(bound: number): Bound {
  const hi = bound >>> 16;
  return { lo: 4 * (bound & 0xffff), hi: hi === NO_BOUND ? Number.POSITIVE_INFINITY : 4 * hi };
}
