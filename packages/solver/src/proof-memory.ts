import { formatShape, type Game, tileBits } from "@gridlock/game";
import type { Kernel } from "@gridlock/kernel";
import { WasmFolder } from "@gridlock/threads/wasm";
import { CLAIMS_PER_BLOCK } from "@gridlock/verify";

/**
 * Exports of the module that expands claims; see `assembly/index.ts`. Addresses and counts are
 * unsigned 32 bits.
 */
export interface ProofExports
  extends Readonly<
    Record<
      | ("ARENA_SLOTS" | "BY_POINTS" | "SPARE" | "NEAR" | "FAR" | "NEXT" | "PHASE" | "STOP")
      | ("WRONG" | "WRONG_VALUE" | "WRONG_BOARD" | "MOST_HI" | "MOST_BATCH" | "FINISHED" | "FULL"),
      WebAssembly.Global
    >
  > {
  prepare(threads: number, arenaSlots: number): void;
  attach(thread: number, threads: number, tiles: number): void;
  arenaAt(threads: number, arena: number): number;
  makeTable(table: number, at: number, expected: number): void;
  enter(table: number, board: bigint, lo: number, hi: number): boolean;
  enterClaims(table: number, from: number, count: number): void;
  copyClaims(table: number, to: number): number;
  listClaims(table: number): number;
  clearClaims(at: number, count: number): void;
  beginClaims(at: number, count: number, batch: number): void;
  goOn(): void;
  work(): void;
}

/** The memory in which threads expand claims: plain data, to pass to other threads. */
export interface ProofMemory {
  readonly game: Game;
  readonly memory: WebAssembly.Memory;
  /** Number of threads that work in it. */
  readonly threads: number;
}

/** Bytes of a claim in memory, the same as the words of `@gridlock/verify`. */
export const CLAIM_BYTES = 16;
/** Claims and three tables of demands, one of them to grow; see `assembly/layout.ts`. */
export const ARENAS = 4;
const PAGE_BYTES = 65_536;
/** Pages of a WebAssembly memory: one less than 4 GiB, so that its end address fits 32 bits. */
const MOST_PAGES = 65_535;

/** The modules, with the address of the first thread's area and the bytes of an area in each. */
const folder = new WasmFolder<{ readonly threadsAt: number; readonly threadBytes: number }>(
  import.meta.url,
);

/**
 * Makes a memory of at most `bytes` bytes, or of the least that can be used.
 *
 * @param game its shape in normal form, one with a kernel
 * @throws {RangeError} if the system has too little memory
 */
export function createProofMemory(game: Game, bytes: number, threads: number): ProofMemory {
  const { threadsAt, threadBytes } = folder.sizes(formatShape(game.shape));
  const around = threadsAt + threads * threadBytes;
  const most = Math.min(bytes, MOST_PAGES * PAGE_BYTES) - around;
  const slots = Math.max(CLAIMS_PER_BLOCK, Math.floor(most / (ARENAS * CLAIM_BYTES)));
  const pages = Math.ceil((around + ARENAS * slots * CLAIM_BYTES) / PAGE_BYTES);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const proof = { game, memory, threads };
  instantiate(proof).prepare(threads, slots);
  return proof;
}

/** Attaches a thread to a memory. It searches with its kernel, whose thread must be this one. */
export function attachToProof(proof: ProofMemory, thread: number, kernel: Kernel): ProofExports {
  const exports = instantiate(proof, kernel.functions);
  exports.attach(thread, proof.threads, tileBits(proof.game.tiles));
  return exports;
}

/** Instantiates the module for use by a thread that expands nothing. */
export function instantiate(
  { game, memory }: ProofMemory,
  kernel: WebAssembly.ModuleImports = { ask: () => -1 },
): ProofExports {
  const module = folder.module(`${formatShape(game.shape)}.wasm`);
  const { exports } = new WebAssembly.Instance(module, { env: { memory }, kernel });
  return exports as unknown as ProofExports;
}
