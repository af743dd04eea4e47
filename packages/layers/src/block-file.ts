import { orDisposed } from "@gridlock/store";
import type { BlockNumber } from "./blocks.js";
import { ChunkReader, ChunkWriter, DamagedFile } from "./chunk-file.js";
import { blockFileName } from "./names.js";

/*
 * The files of a proof by layers; `names.ts` describes their names.
 * `chunk-file.ts` describes their chunks.
 *
 * The first chunk of a block's file is its head: the number of the block's boards; the numbers of
 * boards and of nodes in this file; and the step of the file on which it builds, plus 1, or 0 if it
 * is whole. Then follow the boards, in the format of `assembly/saving.ts`; the last chunk is empty.
 * A file that builds on another one has only the boards that have changed since then.
 *
 * A file of letters begins with a chunk that lists its letters: for each addressed block, the block
 * (64 bits), the number of demands on it, the number of answers to it. Then follows one chunk per
 * addressed block, with both; see `assembly/letters.ts`.
 */

/** Bytes of the first chunk of a block's file. */
const BLOCK_HEAD_BYTES = 16;
/** Bytes of a letter in a file. */
export const LETTER_BYTES = 12;
/** Bytes per block in the list at the beginning of a file of letters. */
const LISTED_BYTES = 16;

/** The head of a block's file. */
export interface BlockHead {
  /** Boards of the block. */
  readonly boards: number;
  /** Boards in this file, and those of them with nodes. */
  readonly written: number;
  readonly nodes: number;
  /** The step of the file on which this one builds; undefined if it is whole. */
  readonly base: number | undefined;
}

/** A block's file, open for reading after its head. */
export class BlockFile extends ChunkReader {
  readonly head: BlockHead;

  /** @throws {DamagedFile} if the file is missing or damaged */
  constructor(folder: string, name: string) {
    super(folder, name);
    this.head = orDisposed(this, () => headIn(this.next(), name));
  }
}

function headIn(bytes: Buffer, name: string): BlockHead {
  if (bytes.length !== BLOCK_HEAD_BYTES) throw new DamagedFile(name, "is damaged");
  const more = bytes.readUInt32LE(12);
  return {
    boards: bytes.readUInt32LE(0),
    written: bytes.readUInt32LE(4),
    nodes: bytes.readUInt32LE(8),
    base: more === 0 ? undefined : more - 1,
  };
}

/** The most files of a block. */
export const MOST_FILES = 32;

/** The files of a block after a visit, open for reading: first the whole one, then the changes. */
export class BlockFiles implements Disposable {
  readonly files: readonly BlockFile[];

  /** @throws {DamagedFile} if a file is missing or damaged */
  constructor(folder: string, block: BlockNumber, step: number) {
    const files: BlockFile[] = [];
    this.files = files;
    orDisposed(this, () => {
      for (let next: number | undefined = step; next !== undefined; ) {
        const file: BlockFile = new BlockFile(folder, blockFileName(block, next));
        files.unshift(file);
        const { base } = file.head;
        const isPossible = base === undefined || (base < next && files.length < MOST_FILES);
        if (!isPossible) throw new DamagedFile(file.name, "is damaged");
        next = base;
      }
    });
  }

  /** The head of the last file. */
  get head(): BlockHead {
    return (this.files.at(-1) as BlockFile).head;
  }

  /** Sums what the heads say, or the files' bytes. */
  sum(of: (file: BlockFile) => number): number {
    return this.files.reduce((sum, file) => sum + of(file), 0);
  }

  [Symbol.dispose](): void {
    for (const file of this.files) file[Symbol.dispose]();
  }
}

/**
 * Lists the files of a block after the visit in a step, the whole one first; only the last one if the
 * head of one is damaged.
 */
export function filesOfBlock(folder: string, block: BlockNumber, step: number): string[] {
  try {
    using files = new BlockFiles(folder, block, step);
    return files.files.map(({ name }) => name);
  } catch (error) {
    if (error instanceof DamagedFile) return [blockFileName(block, step)];
    throw error;
  }
}

/**
 * Writes a block's file whole or not at all.
 *
 * @param head returns the head once all chunks are written
 * @throws {StoreError} if it cannot be written
 */
export function writeBlockFile(
  folder: string,
  name: string,
  chunks: Iterable<Uint8Array>,
  head: () => BlockHead,
): void {
  using writer = new ChunkWriter(folder, name);
  writer.write(Buffer.alloc(BLOCK_HEAD_BYTES));
  for (const bytes of chunks) writer.write(bytes);
  writer.write(Buffer.alloc(0));
  writer.writeFirst(encodeHead(head()));
  writer.finish();
}

function encodeHead({ boards, written, nodes, base }: BlockHead): Buffer {
  const bytes = Buffer.alloc(BLOCK_HEAD_BYTES);
  for (const [i, number] of [boards, written, nodes, base === undefined ? 0 : base + 1].entries()) {
    bytes.writeUInt32LE(number, 4 * i);
  }
  return bytes;
}

/** The letters of a visit to one block: first the demands, then the answers, LETTER_BYTES each. */
export interface Letters {
  readonly to: BlockNumber;
  readonly demands: number;
  readonly answers: number;
  readonly bytes: Uint8Array;
}

/** Returns the bytes of letters. */
export function bytesOf(letters: readonly Letters[]): number {
  return letters.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/**
 * Writes a file of letters whole or not at all.
 *
 * @throws {StoreError} if it cannot be written
 */
export function writeLetters(folder: string, name: string, letters: readonly Letters[]): void {
  using writer = new ChunkWriter(folder, name);
  const list = Buffer.alloc(LISTED_BYTES * letters.length);
  for (const [i, { to, demands, answers }] of letters.entries()) {
    list.writeBigUInt64LE(BigInt(`0x${to}`), LISTED_BYTES * i);
    list.writeUInt32LE(demands, LISTED_BYTES * i + 8);
    list.writeUInt32LE(answers, LISTED_BYTES * i + 12);
  }
  writer.write(list);
  for (const { bytes } of letters) writer.write(bytes);
  writer.finish();
}

/**
 * Reads the letters for a block from a file.
 *
 * @throws {DamagedFile} if the file is missing, damaged, or has none for the block
 */
export function readLetters(folder: string, name: string, block: BlockNumber): Letters {
  using reader = new ChunkReader(folder, name);
  const list = reader.next();
  for (let at = 0; at < list.length; at += LISTED_BYTES) {
    const to = list.readBigUInt64LE(at).toString(16);
    const [demands, answers] = [list.readUInt32LE(at + 8), list.readUInt32LE(at + 12)];
    const length = LETTER_BYTES * (demands + answers);
    if (to !== block) {
      reader.skipNext(0);
      continue;
    }
    const bytes = reader.next();
    if (bytes.length !== length) break;
    return { to, demands, answers, bytes };
  }
  throw new DamagedFile(name, "is damaged");
}
