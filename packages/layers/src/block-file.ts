import { randomUUID } from "node:crypto";
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { StoreError } from "@gridlock/store";
import type { BlockNumber } from "./blocks.js";

/*
 * The files of a proof by layers, named by their block and the step of the visit that wrote them.
 * All numbers are little-endian and, unless stated otherwise, have 32 bits.
 *
 * A block's file consists of chunks: number of bytes, CRC-32 of the bytes, the bytes. The first
 * chunk has the numbers of boards and of nodes; then follow the boards, in the format of
 * `assembly/files.ts`; the last chunk is empty.
 *
 * A file of letters begins with a chunk that lists its letters: for each addressed block, the block
 * (64 bits), the number of demands on it, the number of answers to it. Then follows one chunk per
 * addressed block, with both; see `assembly/letters.ts`.
 */

export const BLOCK_ENDING = ".block";
export const LETTERS_ENDING = ".letters";

export function blockFileName(block: BlockNumber, step: number): string {
  return `${block}.${step}${BLOCK_ENDING}`;
}

export function lettersFileName(block: BlockNumber, step: number): string {
  return `${block}.${step}${LETTERS_ENDING}`;
}

const HEAD_BYTES = 8;
/** Bytes of a letter in a file. */
export const LETTER_BYTES = 12;
/** Bytes per block in the list at the beginning of a file of letters. */
export const LISTED_BYTES = 16;

/** An error about a damaged or missing file. */
export class DamagedFile extends Error {
  override readonly name = "DamagedFile";

  /** @param file the file's name in the folder */
  constructor(
    readonly file: string,
    reason: string,
  ) {
    super(`${file} ${reason}`);
  }
}

/** A file that is read chunk by chunk. */
export class ChunkReader implements Disposable {
  readonly #name: string;
  readonly #fd: number;
  readonly #size: number;
  readonly #head = Buffer.alloc(HEAD_BYTES);
  #at: number;

  /** Bytes of the file. */
  get bytes(): number {
    return this.#size;
  }

  /** The position of the next chunk. */
  get position(): number {
    return this.#at;
  }

  /**
   * @param at position of the first chunk to read
   * @throws {DamagedFile} if the file is missing
   */
  constructor(folder: string, name: string, at = 0) {
    this.#name = name;
    this.#at = at;
    try {
      this.#fd = openSync(join(folder, name), "r");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") {
        throw new DamagedFile(name, "is missing");
      }
      throw error;
    }
    this.#size = fstatSync(this.#fd).size;
  }

  /**
   * Reads the next chunk.
   *
   * @throws {DamagedFile} if it does not match its checksum
   */
  next(): Buffer {
    this.#read(this.#head);
    const length = this.#head.readUInt32LE(0);
    if (this.#at + length > this.#size) this.#fail("is damaged");
    const bytes = Buffer.allocUnsafe(length);
    this.#read(bytes);
    if (crc32(bytes) !== this.#head.readUInt32LE(4)) this.#fail("is damaged");
    return bytes;
  }

  /**
   * Skips the next chunk without checking it; returns its position and at most `most` of its first
   * bytes.
   *
   * @throws {DamagedFile} if the file ends before the chunk does
   */
  skipNext(most: number): { readonly at: number; readonly start: Buffer } {
    const at = this.#at;
    this.#read(this.#head);
    const length = this.#head.readUInt32LE(0);
    if (this.#at + length > this.#size) this.#fail("is damaged");
    const start = Buffer.allocUnsafe(Math.min(length, most));
    this.#read(start);
    this.#at += length - start.length;
    return { at, start };
  }

  /**
   * Reads the bytes from `from` to `end` of the next chunk, without checking them.
   *
   * @throws {DamagedFile} if the file ends before they do
   */
  part(from: number, end: number): Buffer {
    this.#at += HEAD_BYTES + from;
    const bytes = Buffer.allocUnsafe(end - from);
    this.#read(bytes);
    return bytes;
  }

  /** Skips a chunk of some bytes. */
  skip(bytes: number): void {
    this.#at += HEAD_BYTES + bytes;
  }

  #read(target: Buffer): void {
    const read = readSync(this.#fd, target, 0, target.length, this.#at);
    if (read !== target.length) this.#fail("is too short");
    this.#at += read;
  }

  #fail(reason: string): never {
    throw new DamagedFile(this.#name, reason);
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }
}

/** A file that is written chunk by chunk, under a temporary name until it is complete. */
class ChunkWriter implements Disposable {
  readonly #file: string;
  readonly #unfinished: string;
  readonly #head = Buffer.alloc(HEAD_BYTES);
  readonly #fd: number;
  #isDone = false;
  #bytes = 0;

  /** Bytes written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  constructor(folder: string, name: string) {
    this.#file = join(folder, name);
    // Other machines may write the same file at the same time.
    this.#unfinished = `${this.#file}.${randomUUID()}.tmp`;
    this.#fd = this.#explained(() => openSync(this.#unfinished, "w"));
  }

  write(bytes: Uint8Array): void {
    this.#head.writeUInt32LE(bytes.length, 0);
    this.#head.writeUInt32LE(crc32(bytes), 4);
    this.#explained(() => {
      for (const part of [this.#head, bytes]) {
        for (let at = 0; at < part.length; ) at += writeSync(this.#fd, part, at);
        this.#bytes += part.length;
      }
    });
  }

  /**
   * Gives the file its name.
   *
   * @param isLasting first has the system write it to the disk, so that a power cut leaves all of
   *   it or nothing
   */
  finish(isLasting: boolean): void {
    this.#explained(() => {
      if (isLasting) fsyncSync(this.#fd);
      renameSync(this.#unfinished, this.#file);
    });
    this.#isDone = true;
  }

  #explained<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      throw explained(this.#file, error);
    }
  }

  /** Closes the file, and removes it if it was not finished. */
  [Symbol.dispose](): void {
    closeSync(this.#fd);
    if (!this.#isDone) rmSync(this.#unfinished, { force: true });
  }
}

function explained(file: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new StoreError(
      "full",
      `cannot write ${file}: the disk is full. What was saved before is safe; free space and run again`,
      { cause: error },
    );
  }
  if (code === undefined) return error;
  return new StoreError("unusable", `cannot write ${file} (${message})`, { cause: error });
}

/** The number of a block's boards, and of those with nodes. */
export interface BlockSize {
  readonly boards: number;
  readonly nodes: number;
}

/** A block's file, open for reading. */
export class BlockFile implements Disposable {
  readonly size: BlockSize;
  readonly #reader: ChunkReader;

  /** @throws {DamagedFile} if the file is missing or damaged */
  constructor(folder: string, name: string) {
    this.#reader = new ChunkReader(folder, name);
    try {
      const head = this.#reader.next();
      this.size = { boards: head.readUInt32LE(0), nodes: head.readUInt32LE(4) };
    } catch (error) {
      this.#reader[Symbol.dispose]();
      throw error;
    }
  }

  /** Bytes of the file. */
  get bytes(): number {
    return this.#reader.bytes;
  }

  /**
   * Reads the boards, chunk by chunk.
   *
   * @throws {DamagedFile} if the file is damaged
   */
  *chunks(): Iterable<Buffer> {
    for (;;) {
      const bytes = this.#reader.next();
      if (bytes.length === 0) return;
      yield bytes;
    }
  }

  [Symbol.dispose](): void {
    this.#reader[Symbol.dispose]();
  }
}

/**
 * Writes a block's file whole or not at all; returns its bytes.
 *
 * @throws {StoreError} if it cannot be written
 */
export function writeBlockFile(
  folder: string,
  name: string,
  { boards, nodes }: BlockSize,
  chunks: Iterable<Uint8Array>,
): number {
  using writer = new ChunkWriter(folder, name);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(boards, 0);
  head.writeUInt32LE(nodes, 4);
  writer.write(head);
  for (const bytes of chunks) writer.write(bytes);
  writer.write(Buffer.alloc(0));
  writer.finish(true);
  return writer.bytes;
}

/** The letters of a visit to one block: first the demands, then the answers, LETTER_BYTES each. */
export interface Letters {
  readonly to: BlockNumber;
  readonly demands: number;
  readonly answers: number;
  readonly bytes: Buffer;
}

/**
 * Writes a file of letters whole or not at all; returns its bytes.
 *
 * @throws {StoreError} if it cannot be written
 */
export function writeLetters(folder: string, name: string, letters: readonly Letters[]): number {
  using writer = new ChunkWriter(folder, name);
  const list = Buffer.alloc(LISTED_BYTES * letters.length);
  for (const [i, { to, demands, answers }] of letters.entries()) {
    list.writeBigUInt64LE(BigInt(`0x${to}`), LISTED_BYTES * i);
    list.writeUInt32LE(demands, LISTED_BYTES * i + 8);
    list.writeUInt32LE(answers, LISTED_BYTES * i + 12);
  }
  writer.write(list);
  for (const { bytes } of letters) writer.write(bytes);
  writer.finish(false); // soon read, and replaced by another round
  return writer.bytes;
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
      reader.skip(length);
      continue;
    }
    const bytes = reader.next();
    if (bytes.length !== length) break;
    return { to, demands, answers, bytes };
  }
  throw new DamagedFile(name, "is damaged");
}
