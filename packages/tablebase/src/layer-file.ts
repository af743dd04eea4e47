import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { describeGame, type Game, normalShape } from "@gridlock/game";
import { StoreError } from "@gridlock/store";
import { BLOCK_POSITIONS, decodeBlock, spread } from "./block.js";
import { type Column, columnName } from "./columns.js";
import {
  DIRECTORY_ENTRY_BYTES,
  END,
  END_MARK,
  type EncodedBlocks,
  encodeBlocks,
  FILE_HEAD_BYTES,
  fileHead,
  isWhole,
  LAYER_HEAD_BYTES,
  type LayerCount,
  layerBytes,
  readHead,
  type StoredLayer,
  storedLayer,
} from "./layer-format.js";
import type { Numbers } from "./numbers.js";

/** A block that is not what was written. */
export interface Damage {
  readonly layer: StoredLayer;
  readonly block: number;
}

/** Bytes that are read at once where all blocks are checked. */
const READ_BYTES = 2 ** 22;

/** One column of a game's tabulation in a file. */
export class LayerFile implements Disposable {
  readonly #layers: StoredLayer[] = [];
  readonly #bySum = new Map<number, StoredLayer>();
  readonly #descriptor: number;
  #end = FILE_HEAD_BYTES;
  #headMended = false;
  #complete = false;

  private constructor(
    readonly file: string,
    readonly column: Column,
    readonly game: Game,
    descriptor: number,
  ) {
    this.#descriptor = descriptor;
  }

  /**
   * Opens a column's file; of its layers those are there that can be walked to, head by head.
   *
   * @param write make the file if there is none, and mend its head if that is damaged
   * @throws {StoreError} `missing` or `unusable`, and `other-game` when it is another's
   */
  static open(file: string, game: Game, column: Column, write: boolean): LayerFile {
    const descriptor = openDescriptor(file, column, write);
    const normal = { ...game, shape: normalShape(game.shape) };
    const opened = new LayerFile(file, column, normal, descriptor);
    try {
      opened.#expectHead(write);
      opened.#walk();
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
    return opened;
  }

  /** The layers that the file has, in the order in which they were written. */
  get layers(): readonly StoredLayer[] {
    return this.#layers;
  }

  /** Whether no layer is missing. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Whether the head was damaged, and is written anew. */
  get headMended(): boolean {
    return this.#headMended;
  }

  /** Bytes of the file as far as it is whole. */
  get bytes(): number {
    return this.#end;
  }

  /** How many blocks all layers have. */
  get blocks(): number {
    const last = this.#layers.at(-1);
    return last === undefined ? 0 : last.blocksBefore + last.lengths.length;
  }

  /** The layer of a tile sum. */
  layer(sum: number): StoredLayer | undefined {
    return this.#bySum.get(sum);
  }

  /** Adds a layer. */
  append(count: LayerCount, encoded: EncodedBlocks): void {
    const bytes = layerBytes(count, encoded);
    this.#write(bytes, this.#end);
    this.#take(storedLayer(count, this.#end, this.blocks, encoded.directory));
  }

  /** Writes down that there are no more layers. */
  finish(): void {
    this.#write(END_MARK, this.#end);
    this.#end += END_MARK.length;
    this.#resize(this.#end);
    this.#complete = true;
    fsyncSync(this.#descriptor);
  }

  /**
   * Writes a layer again that was damaged. Returns false, with nothing changed, if its blocks do not come out as they
   * were: another version of the compressor has written the file.
   */
  rewrite(damaged: StoredLayer, boards: Uint32Array, pairs: Uint32Array): boolean {
    const encoded = encodeBlocks(this.column, boards, pairs);
    const directory = this.#read(damaged.at + LAYER_HEAD_BYTES, encoded.directory.length);
    if (!directory.equals(encoded.directory)) return false;
    this.#write(layerBytes(damaged, encoded), damaged.at);
    return true;
  }

  /** Forgets all layers but the first so many; returns how many bytes of the file are given up. */
  keep(layers: number): number {
    for (const { sum } of this.#layers.splice(layers)) this.#bySum.delete(sum);
    const last = this.#layers.at(-1);
    this.#end = last === undefined ? FILE_HEAD_BYTES : last.blocksAt + last.bytes;
    this.#complete = false;
    return this.#resize(this.#end);
  }

  /** Reads all blocks; returns those that are not what was written, the first of each layer. */
  damages(): Damage[] {
    return this.#layers.flatMap((layer) => {
      let data: Buffer | undefined;
      let from = 0;
      for (let block = 0; block < layer.lengths.length; block++) {
        const offset = layer.offsets[block] as number;
        const length = layer.lengths[block] as number;
        if (data === undefined || offset + length > from + data.length) {
          from = offset;
          data = this.#read(from, Math.min(READ_BYTES, layer.blocksAt + layer.bytes - from));
        }
        const bytes = data.subarray(offset - from, offset - from + length);
        if (crc32(bytes) !== layer.checksums[block]) return [{ layer, block }];
      }
      return [];
    });
  }

  /**
   * Reads a block: boards without the first cell, or values.
   *
   * @throws {StoreError} `damaged` when it is not what was written
   */
  block(layer: StoredLayer, block: number): Numbers {
    const bytes = this.#read(layer.offsets[block] as number, layer.lengths[block] as number);
    if (crc32(bytes) !== layer.checksums[block]) throw this.damaged({ layer, block });
    const count = Math.min(BLOCK_POSITIONS, layer.positions - block * BLOCK_POSITIONS);
    return decodeBlock(this.column, bytes, layer.firsts[block] as number, count);
  }

  /** Reads a layer into pairs, as `block.ts` has them; throws as {@link block} does. */
  read(layer: StoredLayer, pairs: Uint32Array): void {
    for (let block = 0; block < layer.lengths.length; block++) {
      const decoded = this.block(layer, block);
      spread(this.column, decoded, pairs, block * BLOCK_POSITIONS, layer.sum);
    }
  }

  /**
   * Makes sure that no layer is missing.
   *
   * @throws {StoreError} `damaged` when one is
   */
  expectComplete(): void {
    if (this.#complete) return;
    throw new StoreError(
      "damaged",
      `${this.file} is not complete; gridlock tabulate goes on from what it holds`,
    );
  }

  /** The error that tells of damage. */
  damaged(damage: Damage): StoreError {
    return new StoreError(
      "damaged",
      `${this.describe(damage)} is not what was written; gridlock tabulate makes it again`,
    );
  }

  /** Where damage is, in words. */
  describe({ layer, block }: Damage): string {
    return `block ${block + 1} of ${layer.lengths.length} of the layer of tile sum ${layer.sum} in ${this.file}`;
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }

  #expectHead(write: boolean): void {
    const expected = fileHead(this.game, this.column);
    const found = this.#read(0, FILE_HEAD_BYTES);
    if (found.equals(expected)) return;
    // A head that is torn, or of which one byte is wrong, is written anew; what differs in more is another's.
    const isTorn = found.equals(expected.subarray(0, found.length));
    const wrong = expected.filter((byte, i) => byte !== found[i]).length;
    if (!(write && (isTorn || wrong === 1))) {
      throw new StoreError(
        "other-game",
        `${this.file} is not the ${columnName(this.column)} of ${describeGame(this.game)}; expected it, or no such file for gridlock tabulate to make`,
      );
    }
    this.#headMended = found.length > 0;
    this.#write(expected, 0);
  }

  /** Takes in all layers from the first on whose heads and directories are what was written. */
  #walk(): void {
    const size = fstatSync(this.#descriptor).size;
    for (;;) {
      const headBytes = this.#read(this.#end, LAYER_HEAD_BYTES);
      if (headBytes.length < LAYER_HEAD_BYTES) return;
      const head = readHead(headBytes);
      if (head.blocks !== Math.ceil(head.positions / BLOCK_POSITIONS)) return;
      const directoryAt = this.#end + LAYER_HEAD_BYTES;
      const directoryBytes = DIRECTORY_ENTRY_BYTES * head.blocks;
      if (directoryAt + directoryBytes + head.bytes > size) return;
      const directory = this.#read(directoryAt, directoryBytes);
      if (!isWhole(headBytes, directory)) return;
      if (head.sum === END) {
        this.#end = directoryAt;
        this.#complete = true;
        return;
      }
      this.#take(storedLayer(head, this.#end, this.blocks, directory));
    }
  }

  #take(layer: StoredLayer): void {
    this.#layers.push(layer);
    this.#bySum.set(layer.sum, layer);
    this.#end = layer.blocksAt + layer.bytes;
  }

  #read(at: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      const read = readSync(this.#descriptor, bytes, done, length - done, at + done);
      if (read === 0) break;
      done += read;
    }
    return bytes.subarray(0, done);
  }

  #write(bytes: Uint8Array, at: number): void {
    try {
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(this.#descriptor, bytes, done, bytes.length - done, at + done);
      }
    } catch (error) {
      throw writeError(this.file, error);
    }
  }

  /** Makes the file so long; returns how many bytes it was longer. */
  #resize(bytes: number): number {
    const { size } = fstatSync(this.#descriptor);
    if (size !== bytes) ftruncateSync(this.#descriptor, bytes);
    return size - bytes;
  }
}

/** Files of layers that are closed together. */
export class LayerFiles implements Disposable {
  readonly #files: LayerFile[] = [];

  /** Opens a further file, as {@link LayerFile.open} does. */
  open(...args: Parameters<typeof LayerFile.open>): LayerFile {
    const file = LayerFile.open(...args);
    this.#files.push(file);
    return file;
  }

  [Symbol.dispose](): void {
    for (const file of this.#files) file[Symbol.dispose]();
  }
}

function openDescriptor(file: string, column: Column, write: boolean): number {
  try {
    if (!write) return openSync(file, "r");
    mkdirSync(dirname(file), { recursive: true });
    closeSync(openSync(file, "a")); // makes it if it is not there, and empties it in no case
    return openSync(file, "r+");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && !write) {
      throw new StoreError(
        "missing",
        `there is no ${file}; gridlock tabulate makes the ${columnName(column)}`,
        { cause: error },
      );
    }
    throw new StoreError(
      "unusable",
      `${file} cannot be opened; expected a file that may be read${write ? " and written" : ""} (${message})`,
      { cause: error },
    );
  }
}

function writeError(file: string, error: unknown): StoreError {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ENOSPC"
    ? new StoreError(
        "full",
        `${file} cannot grow: the disk is full. What was saved before is safe; free space and run again (${message})`,
        { cause: error },
      )
    : new StoreError("unusable", `${file} could not be written (${message})`, { cause: error });
}
