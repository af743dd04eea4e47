import { closeSync, fstatSync, fsyncSync, ftruncateSync } from "node:fs";
import { crc32 } from "node:zlib";
import { describeGame, formatShape, type Game } from "@gridlock/game";
import {
  FileIdentity,
  makeFolder,
  openPlain,
  orDisposed,
  readBytes,
  reasonOf,
  StoreError,
  writeBytes,
} from "@gridlock/store";
import { BLOCK_POSITIONS, decodeBlock, MOST_BLOCK_BYTES, spread } from "./block.js";
import { type Column, columnFileOf, columnName } from "./columns.js";
import {
  DIRECTORY_ENTRY_BYTES,
  END,
  type EncodedBlocks,
  encodeBlocks,
  endMark,
  FILE_HEAD_BYTES,
  fileHead,
  isWhole,
  LAYER_HEAD_BYTES,
  layerBytes,
  readHead,
  type StoredLayer,
  storedLayer,
} from "./layer-format.js";
import type { Numbers } from "./numbers.js";
import type { LayerCount } from "./sweep.js";
import type { PositionLayers } from "./sweep-forward.js";

/** A damaged block. */
interface Damage {
  readonly layer: StoredLayer;
  readonly block: number;
}

/** Bytes per read when all blocks are checked. */
const READ_BYTES = 2 ** 22;

/** A file that holds one column of a game's tabulation. */
export class LayerFile implements PositionLayers<StoredLayer>, Disposable {
  readonly file: string;
  /** True if no layer is missing. */
  complete = false;
  /** True if the file head was damaged and has been rewritten. */
  #isHeadMended = false;
  readonly #layers: StoredLayer[] = [];
  readonly #descriptor: number;
  readonly #identity: FileIdentity;

  /**
   * Opens a column's file and finds its intact layers, from the first on, head by head.
   *
   * @param db the database beside which it lies
   * @param game in normal shape
   * @param write create the file if it does not exist, and repair a damaged file head
   * @throws {StoreError} `missing` or `unusable`; `other-game` if the file belongs to another game
   * or column
   */
  constructor(
    db: string,
    readonly game: Game,
    readonly column: Column,
    write: boolean,
  ) {
    this.file = columnFileOf(db, game, column);
    this.#descriptor = openDescriptor(this.file, game, column, write);
    this.#identity = new FileIdentity(this.file, fstatSync(this.#descriptor));
    orDisposed(this, () => {
      this.#expectHead(write);
      this.#walk();
    });
  }

  /** The layers in the file, in the order in which they were written. */
  get layers(): readonly StoredLayer[] {
    return this.#layers;
  }

  /** Size of the intact part of the file, in bytes. */
  get bytes(): number {
    return this.#end + (this.complete ? endMark().length : 0);
  }

  /** Offset after the last layer. */
  get #end(): number {
    const last = this.#layers.at(-1);
    return last === undefined ? FILE_HEAD_BYTES : last.blocksAt + last.bytes;
  }

  /** Total number of positions in all layers. */
  get count(): number {
    return this.#layers.reduce((count, { positions }) => count + positions, 0);
  }

  /** Total number of blocks in all layers. */
  get blocks(): number {
    const last = this.#layers.at(-1);
    return last === undefined ? 0 : last.blocksBefore + last.lengths.length;
  }

  /** Returns the layer of a tile sum. */
  layer(sum: number): StoredLayer | undefined {
    return this.#layers.find((layer) => layer.sum === sum);
  }

  /**
   * Encodes the positions of the next layer; returns a function that appends them, as
   * {@link append} does, once the layer's counts are known.
   */
  prepare(boards: Uint32Array): (count: LayerCount) => void {
    const encoded = encodeBlocks(this.column, boards, boards);
    return (count) => this.append(count, encoded);
  }

  /**
   * Appends a layer.
   *
   * @throws {StoreError} if it cannot be saved, for instance since the file was removed
   */
  append(count: LayerCount, encoded: EncodedBlocks): void {
    this.#write(layerBytes(count, encoded), this.#end);
    this.#identity.expectInPlace();
    this.#layers.push(storedLayer(count, this.#end, this.blocks, encoded.directory));
  }

  /** Writes the end mark: there are no more layers. */
  finish(): void {
    this.#write(endMark(), this.#end);
    this.complete = true;
    this.#resize();
    fsyncSync(this.#descriptor);
    this.#identity.expectInPlace();
  }

  /** Drops all layers but the first `layers`; returns how many bytes the file shrinks by. */
  truncate(layers: number): number {
    this.#layers.splice(layers);
    this.complete = false;
    return this.#resize();
  }

  /**
   * Checks every block, and cuts off what is damaged or incomplete, with all that follows it: a run
   * then goes on from there, as after an interruption.
   *
   * @param onRepair receives a message on each damage
   */
  mend(onRepair: (text: string) => void = () => {}): void {
    if (this.#isHeadMended) onRepair(`the head of ${this.file} was damaged; it has been rewritten`);
    const cut = this.complete ? 0 : this.truncate(this.#layers.length);
    if (cut > 0) onRepair(`${this.file} ends in ${cut} bytes of incomplete data; recomputing them`);
    const damage = this.#damage();
    if (damage === undefined) return;
    onRepair(`${this.#describe(damage)} is damaged; recomputing the file from that layer on`);
    this.truncate(this.#layers.indexOf(damage.layer));
  }

  /** Reads blocks up to the first damaged one, and returns it. */
  #damage(): Damage | undefined {
    for (const layer of this.#layers) {
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
        if (crc32(bytes) !== layer.checksums[block]) return { layer, block };
      }
    }
    return undefined;
  }

  /**
   * Reads a block: boards without their first cell, or values.
   *
   * @throws {StoreError} `damaged` if its checksum is wrong, or its contents are
   */
  block(layer: StoredLayer, block: number): Numbers {
    const bytes = this.#read(layer.offsets[block] as number, layer.lengths[block] as number);
    if (crc32(bytes) !== layer.checksums[block]) throw this.#damaged({ layer, block });
    const count = Math.min(BLOCK_POSITIONS, layer.positions - block * BLOCK_POSITIONS);
    try {
      return decodeBlock(this.column, bytes, layer.firsts[block] as number, count);
    } catch {
      throw this.#damaged({ layer, block }); // its checksum is right, but no sweep writes this
    }
  }

  /**
   * Reads a layer into pairs as described in `block.ts`: positions in ascending order, the low half
   * of each first. Throws as {@link block} does.
   */
  read(layer: StoredLayer, pairs: Uint32Array): void {
    for (let block = 0; block < layer.lengths.length; block++) {
      const decoded = this.block(layer, block);
      spread(this.column, decoded, pairs, block * BLOCK_POSITIONS, layer.sum);
    }
  }

  /**
   * Checks that no layer is missing.
   *
   * @throws {StoreError} `damaged` if one is
   */
  expectComplete(): void {
    if (this.complete) return;
    throw new StoreError(
      "damaged",
      `${this.file} is incomplete; run gridlock tabulate to complete it`,
    );
  }

  /** Returns an error that reports a damaged block. */
  #damaged(damage: Damage): StoreError {
    return new StoreError(
      "damaged",
      `${this.#describe(damage)} is damaged; run gridlock tabulate to repair it`,
    );
  }

  /** Returns a phrase that locates a damaged block. */
  #describe({ layer, block }: Damage): string {
    return `block ${block + 1} of ${layer.lengths.length} of the layer of tile sum ${layer.sum} in ${this.file}`;
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }

  #expectHead(write: boolean): void {
    const expected = fileHead(this.game, this.column);
    const found = this.#read(0, FILE_HEAD_BYTES);
    if (found.equals(expected)) return;
    // A truncated head, or one with a single wrong byte, is rewritten. Otherwise the file is
    // another game's.
    const isTorn = found.equals(expected.subarray(0, found.length));
    const wrong = expected.filter((byte, i) => byte !== found[i]).length;
    if (!(write && (isTorn || wrong === 1))) {
      throw new StoreError(
        "other-game",
        `${this.file} is not the ${columnName(this.column)} column of ${describeGame(this.game)}; move it away and run gridlock tabulate to create that column`,
      );
    }
    this.#isHeadMended = found.length > 0;
    this.#write(expected, 0);
  }

  /** Collects all layers, from the first on, whose heads and directories are intact. */
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
        this.complete = true;
        return;
      }
      const layer = storedLayer(head, this.#end, this.blocks, directory);
      const before = this.#layers.at(-1)?.sum;
      const isNext = before === undefined || head.sum > before === (this.column === "positions");
      const isPossible =
        isNext &&
        head.sum !== before &&
        layer.bytes === head.bytes &&
        layer.lengths.every((length) => length > 0 && length <= MOST_BLOCK_BYTES);
      if (!isPossible) return;
      this.#layers.push(layer);
    }
  }

  #read(at: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, readBytes(this.#descriptor, bytes, at));
  }

  #write(bytes: Uint8Array, at: number): void {
    try {
      writeBytes(this.#descriptor, bytes, at);
    } catch (error) {
      throw writeError(this.file, error);
    }
  }

  /** Cuts off what follows the intact part of the file; returns how many bytes that were. */
  #resize(): number {
    const { size } = fstatSync(this.#descriptor);
    if (size !== this.bytes) ftruncateSync(this.#descriptor, this.bytes);
    return size - this.bytes;
  }
}

/** Returns the arguments of `gridlock tabulate` that make a column. */
function argumentsFor({ shape, tiles }: Game, column: Column): string {
  const twos = tiles.length === 1 ? " --tiles 2" : "";
  return `${formatShape(shape)}${twos}${typeof column === "string" ? "" : ` --reach ${column.reach}`}`;
}

function openDescriptor(file: string, game: Game, column: Column, write: boolean): number {
  if (write) makeFolder(file);
  try {
    return openPlain(file, write ? "update" : "read"); // never truncates it
  } catch (error) {
    if (!(error instanceof StoreError && error.code === "missing")) throw error;
    throw new StoreError(
      "missing",
      `there is no ${file}; run gridlock tabulate ${argumentsFor(game, column)} first`,
      { cause: error },
    );
  }
}

function writeError(file: string, error: unknown): StoreError {
  return (error as NodeJS.ErrnoException).code === "ENOSPC"
    ? new StoreError(
        "full",
        `cannot write ${file}: the disk is full. Layers saved before are safe; free space and run again (${reasonOf(error)})`,
        { cause: error },
      )
    : new StoreError("unusable", `cannot write ${file} (${reasonOf(error)})`, { cause: error });
}
