import { readFileSync } from "node:fs";
import { formatShape, type Game, normalShape, tileBits } from "@gridlock/game";

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
  begin(count: number, bits: number, slice: number): number;
  beginFile(): void;
  takeClaims(bytes: number): number;
  claimSlots(): number;
  checkClaims(first: number, end: number): void;
  takeOwn(bytes: number): number;
  checkGuests(bytes: number): number;
  firstBits(bytes: number): number;
  claimOf(board: bigint): number;
}

/** Pages of a memory of 4 GiB, the most that a module can address. */
const MOST_PAGES = 65_536;
/** Initial pages of the memory, more than the fixed tables of any shape. */
const FIRST_PAGES = 64;

/** Instantiates the module that checks the claims of a game, with its own memory. */
export function instantiateCheck({ shape, tiles }: Game): CheckExports {
  const name = formatShape(normalShape(shape));
  const bytes = readFileSync(new URL(`../wasm/${name}.check.wasm`, import.meta.url));
  const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MOST_PAGES });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  const { prepare, ...exports } = instance.exports as unknown as CheckExports & {
    prepare(tiles: number): void;
  };
  prepare(tileBits(tiles));
  return { ...exports, memory };
}
