import { randomUUID } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, join } from "node:path";
import { crc32 } from "node:zlib";
import { StoreError } from "@gridlock/store";
import type { BlockNumber } from "./blocks.js";

/*
 * The files of a proof by layers. A file belongs to one block. All numbers are 32 bits, little-endian:
 *
 *     magic, number of sections
 *     for each section: kind, block (64 bits), items, other items, bytes, CRC-32 of its bytes
 *     CRC-32 of all of the above
 *     the sections' bytes, one after the other
 *
 * `assembly/lists.ts` defines the bytes of each kind. Files are immutable and named by what they were
 * made from, so that whoever makes a file again makes the same.
 */

/** The kinds of sections. */
export const SECTION = {
  /** The blocks that the other lists name by an index. */
  peers: 0,
  /** Bounds, and which boards have nodes. */
  table: 1,
  nodes: 2,
  edges: 3,
  /** Demands on a block. */
  demands: 4,
  /** Answers to the demands of a block. */
  answers: 5,
} as const;

/** A section of a file, as its directory lists it. */
export interface Section {
  readonly kind: number;
  /** The number of the block that it is for, in hexadecimal. */
  readonly block: string;
  /** Number of its items. */
  readonly items: number;
  /** Number of demands or answers that the block has not got before. */
  readonly other: number;
  readonly bytes: number;
  readonly crc: number;
}

/** A section to write. */
export interface NewSection extends Omit<Section, "bytes" | "crc"> {
  readonly data: Uint8Array;
}

const MAGIC = 0x314c5247; // "GRL1"
const HEAD_BYTES = 8;
const ENTRY_BYTES = 28;
const CRC_BYTES = 4;
/** More sections than any file has. */
const MOST_SECTIONS = 16 * 1024;

/** A file whose contents are not those that were written, or which is not there. */
export class DamagedFile extends Error {
  override readonly name = "DamagedFile";

  constructor(
    readonly file: string,
    reason: string,
  ) {
    super(`${file} ${reason}`);
  }
}

/** Returns the block that a file belongs to, by the file's name. */
export function blockOfFile(name: string): BlockNumber {
  return basename(name).split(".")[0] as BlockNumber;
}

/** A file of a block, open for reading. */
export class BlockFile implements Disposable {
  readonly sections: readonly Section[];
  readonly #fd: number;
  readonly #file: string;
  readonly #offsets: readonly number[];

  /** @throws {DamagedFile} if the file is missing, or its directory is damaged */
  constructor(folder: string, name: string) {
    this.#file = join(folder, name);
    this.#fd = openFile(this.#file);
    try {
      this.sections = this.#readDirectory();
    } catch (error) {
      closeSync(this.#fd);
      throw error;
    }
    let offset = HEAD_BYTES + ENTRY_BYTES * this.sections.length + CRC_BYTES;
    this.#offsets = this.sections.map(({ bytes }) => {
      offset += bytes;
      return offset - bytes;
    });
  }

  /** Size in bytes. */
  get bytes(): number {
    return fstatSync(this.#fd).size;
  }

  find(kind: number, block: string): Section | undefined {
    return this.sections.find((section) => section.kind === kind && section.block === block);
  }

  /**
   * Reads a section into memory at an address.
   *
   * @throws {DamagedFile} if its bytes are not those that were written
   */
  read(section: Section, memory: Uint8Array, at: number): void {
    const target = memory.subarray(at, at + section.bytes);
    const offset = this.#offsets[this.sections.indexOf(section)] as number;
    if (readSync(this.#fd, target, 0, section.bytes, offset) !== section.bytes) {
      throw new DamagedFile(this.#file, "is too short");
    }
    if (crc32(target) !== section.crc) throw new DamagedFile(this.#file, "is damaged");
  }

  #readDirectory(): Section[] {
    // Most directories fit this buffer.
    let head = Buffer.allocUnsafe(4096);
    let got = readSync(this.#fd, head, 0, head.length, 0);
    const count = got < HEAD_BYTES || head.readUInt32LE(0) !== MAGIC ? -1 : head.readUInt32LE(4);
    if (count < 0 || count > MOST_SECTIONS) throw new DamagedFile(this.#file, "is damaged");
    const end = HEAD_BYTES + ENTRY_BYTES * count;
    if (end + CRC_BYTES > head.length) {
      head = Buffer.allocUnsafe(end + CRC_BYTES);
      got = readSync(this.#fd, head, 0, head.length, 0);
    }
    if (got < end + CRC_BYTES || crc32(head.subarray(0, end)) !== head.readUInt32LE(end)) {
      throw new DamagedFile(this.#file, "is damaged");
    }
    return Array.from({ length: count }, (_, i) => {
      const at = HEAD_BYTES + ENTRY_BYTES * i;
      const number = (field: number) => head.readUInt32LE(at + 4 * field);
      return {
        ...{ kind: number(0), block: head.readBigUInt64LE(at + 4).toString(16) },
        ...{ items: number(3), other: number(4), bytes: number(5), crc: number(6) },
      };
    });
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }
}

/** Returns the demands and answers in a file. */
export function lettersIn(folder: string, name: string): Section[] {
  using file = new BlockFile(folder, name);
  return file.sections.filter(({ kind }) => kind === SECTION.demands || kind === SECTION.answers);
}

function openFile(file: string): number {
  try {
    return openSync(file, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      throw new DamagedFile(file, "is missing");
    }
    throw error;
  }
}

/**
 * Writes a file whole or not at all; returns the sections as its directory lists them.
 *
 * @throws {StoreError} if it cannot be written
 */
export function writeBlockFile(
  folder: string,
  name: string,
  sections: readonly NewSection[],
): Section[] {
  const listed = sections.map(({ data, ...section }) => ({
    ...section,
    bytes: data.length,
    crc: crc32(data),
  }));
  const head = Buffer.alloc(HEAD_BYTES + ENTRY_BYTES * listed.length + CRC_BYTES);
  head.writeUInt32LE(MAGIC, 0);
  head.writeUInt32LE(listed.length, 4);
  let at = HEAD_BYTES;
  for (const { kind, block, items, other, bytes, crc } of listed) {
    at = head.writeUInt32LE(kind, at);
    at = head.writeBigUInt64LE(BigInt(`0x${block}`), at);
    for (const number of [items, other, bytes, crc]) at = head.writeUInt32LE(number, at);
  }
  head.writeUInt32LE(crc32(head.subarray(0, at)), at);
  const file = join(folder, name);
  // Other machines may write the same file at the same time.
  const unfinished = `${file}.${randomUUID()}.tmp`;
  try {
    const fd = openSync(unfinished, "w");
    try {
      writeAll(fd, head);
      for (const { data } of sections) writeAll(fd, data);
    } finally {
      closeSync(fd);
    }
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw explained(file, error);
  }
  return listed;
}

function writeAll(fd: number, data: Uint8Array): void {
  for (let at = 0; at < data.length; ) at += writeSync(fd, data, at);
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
