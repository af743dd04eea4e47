import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { crc32 } from "node:zlib";
import { StoreError } from "@gridlock/store";

/*
 * The files of a proof by layers. A file belongs to one part of one layer. All numbers are 32 bits,
 * little-endian:
 *
 *     magic, number of sections
 *     for each section: kind, step, part, items, bytes, CRC-32 of its bytes
 *     CRC-32 of all of the above
 *     the sections' bytes, one after the other
 *
 * `assembly/` defines the bytes of each kind. Files are immutable and named by what they were made
 * from, so that whoever makes a file again makes the same.
 */

/** The kinds of sections. */
export const SECTION = {
  /** Bounds of the part's boards. */
  bounds: 0,
  /** The part's open nodes. */
  open: 1,
  /** Demands on boards of the part `part` of the layer `step` above. */
  demands: 2,
  /** Boards that got a bound in the visit of step `step`. */
  news: 3,
} as const;

/** A section of a file, as its directory lists it. */
export interface Section {
  readonly kind: number;
  readonly step: number;
  readonly part: number;
  /** Number of bounds, nodes or demands. */
  readonly items: number;
  readonly bytes: number;
  readonly crc: number;
}

/** A section to write. */
export interface NewSection extends Omit<Section, "bytes" | "crc"> {
  readonly data: Uint8Array;
}

const MAGIC = 0x314c5247; // "GRL1"
const HEAD_BYTES = 8;
const ENTRY_BYTES = 24;
const CRC_BYTES = 4;
/** More sections than any file has: one for each part of two layers, and some. */
const MOST_SECTIONS = 4 * 1024;

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

/** A file of a part, open for reading. */
export class PartFile implements Disposable {
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

  find(kind: number, step = 0, part = 0): Section | undefined {
    return this.sections.find((s) => s.kind === kind && s.step === step && s.part === part);
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
      const number = (field: number) => head.readUInt32LE(HEAD_BYTES + ENTRY_BYTES * i + 4 * field);
      return {
        ...{ kind: number(0), step: number(1), part: number(2), items: number(3) },
        ...{ bytes: number(4), crc: number(5) },
      };
    });
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }
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
export function writePartFile(
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
  for (const { kind, step, part, items, bytes, crc } of listed) {
    for (const number of [kind, step, part, items, bytes, crc]) at = head.writeUInt32LE(number, at);
  }
  head.writeUInt32LE(crc32(head.subarray(0, at)), at);
  const file = join(folder, name);
  const unfinished = `${file}.${process.pid}-${threadId}.tmp`;
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
