import { type Bound, type Game, type PackedBoard, packedFromBits } from "@gridlock/game";
import { type BlockFile, BlockFiles } from "./block-file.js";
import { ChunkReader, malformed } from "./chunk-file.js";
import { type CheckExports, instantiateCheck, pointsOf, stageNext } from "./module.js";
import { partsOf } from "./names.js";

/** A bound in a block's file that does not follow. */
export interface BlockFailure {
  readonly file: string;
  /** An afterstate. */
  readonly board: PackedBoard;
  readonly side: "lower" | "upper";
  /** The bound, in points. */
  readonly value: number;
  /** True if the board belongs to another block, which must prove the bound. */
  readonly isGuest: boolean;
}

/** Counts of checked bounds. */
export interface BoundCounts {
  readonly lower: number;
  readonly upper: number;
  /** Bounds that do not follow, and the first of them. */
  readonly failed: number;
  readonly failures: readonly BlockFailure[];
}

/** A chunk of a block's file: its position in the file, and the first 32 bits of its first key. */
export interface Chunk {
  readonly position: number;
  readonly first: number;
}

/** Consecutive chunks of a file. */
export interface FileChunks {
  readonly file: string;
  readonly chunks: readonly Chunk[];
}

/** A canonical afterstate and its proven bound, in points. */
export interface ProvenNode extends Bound {
  readonly board: PackedBoard;
}

/** The result of checking a block by itself. */
export interface BlockReport extends BoundCounts {
  /** The last file, and the bytes of all. */
  readonly file: string;
  readonly bytes: number;
  /** Boards of the block, and of others. */
  readonly boards: number;
  readonly guests: number;
  /** Boards without a stored bound on which merges were played out. */
  readonly played: number;
  /** The block's files, the whole one first. */
  readonly files: readonly FileChunks[];
  /** The block's claims about the requested afterstates. */
  readonly known: readonly ProvenNode[];
}

/** A slice of all keys: those whose first bits have a value. */
export interface Slice {
  readonly bits: number;
  readonly value: number;
  /** The most boards that it can have. */
  readonly boards: number;
  /** The chunks with keys of the slice. */
  readonly files: readonly FileChunks[];
}

/** The result of comparing guests with the claims of their own blocks. */
export interface GuestReport extends BoundCounts {
  /** The number of bounds that do not follow, for each file that has such bounds. */
  readonly byFile: readonly (readonly [file: string, failed: number])[];
}

/** Slots of the table that are checked between two reports of progress. */
const SLOTS_AT_ONCE = 2 ** 17;
/** Bytes per slot, and slots per board. */
const SLOT_BYTES = 16;
const SLOTS_PER_BOARD = 1.5;
const FAILURE_BYTES = 16;
/** Fewest bytes of a board: a difference between keys, and two more. */
const LEAST_BYTES = 3;

/** Returns the bytes of a table of claims. */
export function tableBytesFor(boards: number): number {
  return SLOT_BYTES * SLOTS_PER_BOARD * boards;
}

/**
 * Checks the bounds in the files of a proof by the rules of the game. Each thread has its own
 * checker.
 */
export class BlockChecker {
  readonly #folder: string;
  readonly #module: CheckExports;

  constructor(game: Game, folder: string) {
    this.#folder = folder;
    this.#module = instantiateCheck(game);
  }

  /**
   * Checks that all bounds of a block's own boards follow from others in its files.
   *
   * @param name the block's last file
   * @param boards number of boards that the files must have, including those of other blocks
   * @param asked afterstates for which to return the block's claims
   * @param onProgress called regularly with the number of boards checked since the last call
   * @throws {DamagedFile} if a file is missing or was not written by a visit
   */
  checkBlock(
    name: string,
    boards: number,
    asked: readonly PackedBoard[],
    onProgress?: (boards: number) => void,
  ): BlockReport {
    const module = this.#module;
    const playedBefore = module.played.value;
    const { block, step } = partsOf(name);
    using opened = new BlockFiles(this.#folder, block, step);
    const bytes = opened.sum((file) => file.bytes);
    if (opened.head.boards !== boards || boards > bytes / LEAST_BYTES) throw malformed(name);
    this.#begin(boards, 0, 0);
    const files = opened.files.map((file) => ({ file: file.name, chunks: this.#takeClaims(file) }));
    const slots = module.claimSlots() >>> 0;
    let checked = 0;
    for (let first = 0; first < slots; first += SLOTS_AT_ONCE) {
      module.checkClaims(first, Math.min(first + SLOTS_AT_ONCE, slots));
      const before = checked;
      checked = countOf(module.ownBoards) + countOf(module.guestBoards);
      onProgress?.(checked - before);
    }
    if (checked !== boards) throw malformed(name);
    return {
      ...this.#counts(name, false),
      ...{ file: name, bytes, files },
      ...{ boards: countOf(module.ownBoards), guests: countOf(module.guestBoards) },
      played: Number(module.played.value - playedBefore),
      known: asked
        .map((board) => ({ board, ...pointsOf(module.claimOf(board)) }))
        .filter(({ lo, hi }) => lo > 0 || Number.isFinite(hi)),
    };
  }

  /** Reads all claims of a file. */
  #takeClaims(file: BlockFile): Chunk[] {
    const module = this.#module;
    const chunks: Chunk[] = [];
    module.beginFile();
    for (let { position } = file; ; { position } = file) {
      const bytes = stageNext(module, file);
      if (bytes === 0) return chunks;
      chunks.push({ position, first: module.firstBits(bytes) >>> 0 });
      if (!module.takeClaims(bytes)) throw malformed(file.name);
    }
  }

  /**
   * Checks that the files' claims about guests in a slice of the keys are also claimed by the
   * guests' own blocks.
   *
   * @throws {DamagedFile} if a file is missing or has changed
   */
  checkGuests({ bits, value, boards, files }: Slice): GuestReport {
    const module = this.#module;
    this.#begin(boards, bits, value);
    for (const run of files) this.#forEachChunk(run, (bytes) => module.takeOwn(bytes));
    const byFile: [file: string, failed: number][] = [];
    const failures: BlockFailure[] = [];
    for (const run of files) {
      const { file } = run;
      const before = countOf(module.failed);
      this.#forEachChunk(run, (bytes) => module.checkGuests(bytes));
      const failed = countOf(module.failed) - before;
      if (failed === 0) continue;
      byFile.push([file, failed]);
      failures.push(...this.#counts(file, true).failures.slice(before));
    }
    return { ...this.#counts("", true), failures, byFile };
  }

  #begin(boards: number, bits: number, slice: number): void {
    if (this.#module.begin(boards, bits, slice)) return;
    throw new RangeError(`there is too little memory to check a block of ${boards} boards`);
  }

  #forEachChunk({ file, chunks }: FileChunks, take: (bytes: number) => number): void {
    using reader = new ChunkReader(this.#folder, file, chunks[0]?.position);
    for (const _ of chunks) if (!take(stageNext(this.#module, reader))) throw malformed(file);
  }

  #counts(file: string, isGuest: boolean): BoundCounts {
    const { memory, lowerBounds, upperBounds, failed, FAILURES, MAX_FAILURES } = this.#module;
    const listed = Math.min(countOf(failed), countOf(MAX_FAILURES));
    const view = new DataView(memory.buffer, countOf(FAILURES));
    const failures = Array.from({ length: listed }, (_, i): BlockFailure => {
      const at = FAILURE_BYTES * i;
      return {
        ...{ file, isGuest, board: packedFromBits(view.getBigUint64(at, true)) },
        side: view.getUint32(at + 12, true) === 0 ? "lower" : "upper",
        value: 4 * view.getUint32(at + 8, true),
      };
    });
    return {
      ...{ lower: countOf(lowerBounds), upper: countOf(upperBounds) },
      ...{ failed: countOf(failed), failures },
    };
  }
}

function countOf({ value }: WebAssembly.Global): number {
  return (value as number) >>> 0;
}
