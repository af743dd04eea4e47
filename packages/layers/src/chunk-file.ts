import { randomUUID } from "node:crypto";
import {
  closeSync,
  fstatSync,
  fsync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { isFolderGone, lossOf, openPlain, reasonOf, StoreError } from "@gridlock/store";
import { pathOf } from "./names.js";

/*
 * Files that consist of chunks: number of bytes, CRC-32 of the bytes, the bytes. All numbers are
 * little-endian and, unless stated otherwise, have 32 bits.
 */

/** Bytes before those of a chunk. */
const HEAD_BYTES = 8;

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

/** Returns an error about a file whose checksums are right, and whose contents are not. */
export function malformed(file: string): DamagedFile {
  return new DamagedFile(file, "has contents that no visit writes");
}

/** A file that is read chunk by chunk. */
export class ChunkReader implements Disposable {
  /** Bytes of the file. */
  readonly bytes: number;
  readonly #fd: number;
  readonly #head = Buffer.alloc(HEAD_BYTES);

  /**
   * @param position of the next chunk
   * @throws {DamagedFile} if the file is missing, or is not a file
   */
  constructor(
    folder: string,
    readonly name: string,
    public position = 0,
  ) {
    try {
      this.#fd = openPlain(pathOf(folder, name), "read");
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (error.code === "missing") throw new DamagedFile(name, "is missing");
      if (error.cause === undefined) throw new DamagedFile(name, "is not a regular file");
      throw error; // it may be intact
    }
    this.bytes = fstatSync(this.#fd).size;
  }

  /**
   * Reads the next chunk.
   *
   * @throws {DamagedFile} if it does not match its checksum
   */
  next(): Buffer {
    const bytes = Buffer.allocUnsafe(this.#beginChunk());
    this.#readChecked(bytes);
    return bytes;
  }

  /**
   * Reads the next chunk into a buffer; returns its length.
   *
   * @throws {DamagedFile} if it does not match its checksum, or does not fit
   */
  nextInto(target: Uint8Array): number {
    const length = this.#beginChunk();
    if (length > target.length) this.#fail("is damaged");
    this.#readChecked(target.subarray(0, length));
    return length;
  }

  /** Reads the head of a chunk; returns the chunk's length. */
  #beginChunk(): number {
    this.#read(this.#head);
    const length = this.#head.readUInt32LE(0);
    if (this.position + length > this.bytes) this.#fail("is damaged");
    return length;
  }

  /** Reads the bytes of the chunk that was begun. */
  #readChecked(target: Uint8Array): void {
    this.#read(target);
    if (crc32(target) !== this.#head.readUInt32LE(4)) this.#fail("is damaged");
  }

  /**
   * Skips the next chunk without checking it; returns at most `most` of its first bytes.
   *
   * @throws {DamagedFile} if the file ends before the chunk does
   */
  skipNext(most: number): Buffer {
    const length = this.#beginChunk();
    const start = Buffer.allocUnsafe(Math.min(length, most));
    this.#read(start);
    this.position += length - start.length;
    return start;
  }

  #read(target: Uint8Array): void {
    const read = readSync(this.#fd, target, 0, target.length, this.position);
    if (read !== target.length) this.#fail("is too short");
    this.position += read;
  }

  #fail(reason: string): never {
    throw new DamagedFile(this.name, reason);
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }
}

/** A file that is written chunk by chunk, under a temporary name until it is complete. */
export class ChunkWriter implements Disposable {
  readonly #file: string;
  readonly #unfinished: string;
  readonly #head = Buffer.alloc(HEAD_BYTES);
  readonly #fd: number;
  #isDone = false;
  #bytes = 0;

  constructor(folder: string, name: string) {
    this.#file = pathOf(folder, name);
    this.#unfinished = `${this.#file}.${randomUUID()}.tmp`;
    this.#fd = this.#explained(() => openPlain(this.#unfinished, "create"));
  }

  write(bytes: Uint8Array): void {
    this.#bytes = this.#writeAt(bytes, this.#bytes);
  }

  /** Replaces the first chunk by one of the same length. */
  writeFirst(bytes: Uint8Array): void {
    this.#writeAt(bytes, 0);
  }

  /** Writes a chunk at a position; returns its end. */
  #writeAt(bytes: Uint8Array, position: number): number {
    this.#head.writeUInt32LE(bytes.length, 0);
    this.#head.writeUInt32LE(crc32(bytes), 4);
    let end = position;
    this.#explained(() => {
      for (const part of [this.#head, bytes]) {
        for (let at = 0; at < part.length; ) {
          const written = writeSync(this.#fd, part, at, part.length - at, end);
          at += written;
          end += written;
        }
      }
    });
    return end;
  }

  /** Gives the file its name. A power cut may still damage it, until {@link syncFiles}. */
  finish(): void {
    this.#explained(() => renameSync(this.#unfinished, this.#file));
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

/** Files that are synchronized at the same time: as many as Node.js has threads for that. */
const SYNCED_AT_ONCE = 4;

/**
 * Waits until the disk has some files: a power cut then leaves them whole. A missing file is no
 * error; whoever reads it will find out.
 *
 * @throws {StoreError} if a file cannot be written to the disk
 */
export async function syncFiles(folder: string, names: readonly string[]): Promise<void> {
  const left = names.values();
  const syncSome = async () => {
    for (const name of left) await syncFile(pathOf(folder, name));
  };
  await Promise.all(Array.from({ length: SYNCED_AT_ONCE }, syncSome));
}

/** Not `sync` of a `FileHandle`, which those of Yarn's Plug'n'Play lack. */
const sync = promisify(fsync);

async function syncFile(file: string): Promise<void> {
  try {
    const descriptor = openSync(file, "r");
    try {
      await sync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw explained(file, error);
  }
}

function explained(file: string, error: unknown): unknown {
  const cause = error instanceof StoreError ? error.cause : error;
  if (cause === undefined) return error;
  const { code } = cause as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new StoreError(
      "full",
      `cannot write ${file}: the disk is full. What was saved before is safe; free space and run again`,
      { cause: error },
    );
  }
  if (code === undefined) return error;
  if (isFolderGone(file)) return new StoreError("replaced", lossOf(file), { cause });
  return new StoreError("unusable", `cannot write ${file} (${reasonOf(cause)})`, { cause });
}
