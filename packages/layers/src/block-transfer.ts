import { type BlockFile, BlockFiles, MOST_FILES, writeBlockFile } from "./block-file.js";
import type { BlockMemory, Residents } from "./block-memory.js";
import type { BlockNumber } from "./blocks.js";
import type { LayerExports } from "./module.js";
import { blockFileName } from "./names.js";

/**
 * Keys for which a block's table has room when it is read, besides those of its nodes and changes:
 * a number, and a share of its boards.
 */
const MORE_KEYS = 512;
const MORE_KEYS_SHARE = 0.05;

/** A block gets a whole file if changes would make up more than this share of its boards... */
const MOST_CHANGED = 1 / 8;
/** ... or if it has fewer boards than this. */
const FEW_BOARDS = 4096;

/** Reads blocks from their files into a memory, and writes them, for one of its threads. */
export class BlockTransfer {
  readonly #folder: string;
  readonly #module: LayerExports;
  readonly #residents: Residents;
  /** The thread's stages for what it reads and writes. */
  readonly stage: Uint8Array;
  readonly #stageOut: Uint8Array;

  constructor(folder: string, module: LayerExports, residents: Residents, { memory }: BlockMemory) {
    this.#folder = folder;
    this.#module = module;
    this.#residents = residents;
    const bytes = new Uint8Array(memory.buffer);
    const [stageIn, stageOut] = [module.stageIn() >>> 0, module.stageOut() >>> 0];
    this.stage = bytes.subarray(stageIn, stageIn + module.STAGE_BYTES.value);
    this.#stageOut = bytes.subarray(stageOut, stageOut + module.STAGE_BYTES.value);
  }

  /**
   * Reads a block after a visit into a memory that does not have it.
   *
   * @throws {DamagedFile} if a file is missing or damaged
   */
  read(place: number, block: BlockNumber, step: number): void {
    const module = this.#module;
    const { stage } = this;
    using blocks = new BlockFiles(this.#folder, block, step);
    const nodes = blocks.sum(({ head }) => head.nodes);
    const { boards } = blocks.head;
    const first = (blocks.files[0] as BlockFile).head;
    const changes = blocks.sum(({ head }) => head.written) - first.written;
    const keys = first.nodes + changes + MORE_KEYS + MORE_KEYS_SHARE * boards;
    module.beginReading(nodes, first.written - first.nodes, Math.ceil(keys));
    for (const [i, file] of blocks.files.entries()) {
      for (let length = file.nextInto(stage); length > 0; length = file.nextInto(stage)) {
        if (i === 0) module.readMore(length);
        else module.readChanges(length);
      }
      if (i === 0) module.endPacking();
    }
    module.endReading(boards);
    const { files } = blocks;
    this.#residents.setVersion(place, step);
    this.#residents.setSaved(place, { step, changes, files: files.length });
  }

  /**
   * Writes the next file of a block in memory, and enters the block. If that fails, the next file
   * will be whole.
   *
   * @param isMerge always writes a whole file
   * @throws {StoreError} if the file cannot be written
   */
  write(place: number, isMerge = false): void {
    const module = this.#module;
    const residents = this.#residents;
    const block = BigInt.asUintN(64, module.numberOf(place)).toString(16);
    const before = residents.saved(place);
    residents.setSaved(place, undefined);
    module.enter(place);
    const boards = module.boardsHeld();
    const changes = (before?.changes ?? 0) + module.countChanged();
    const isWhole =
      before === undefined ||
      isMerge ||
      before.files >= MOST_FILES ||
      boards < FEW_BOARDS ||
      changes > MOST_CHANGED * boards;
    module.beginSaving(isWhole);
    const step = residents.version(place);
    writeBlockFile(this.#folder, blockFileName(block, step), this.#saved(), () => ({
      ...{ boards, written: module.writtenBoards.value, nodes: module.writtenNodes.value },
      base: isWhole ? undefined : before.step,
    }));
    const saved = isWhole
      ? { step, changes: 0, files: 1 }
      : { step, changes, files: before.files + 1 };
    residents.setSaved(place, saved);
  }

  *#saved(): Iterable<Uint8Array> {
    const module = this.#module;
    for (let bytes = module.saveMore(); bytes > 0; bytes = module.saveMore()) {
      yield this.#stageOut.subarray(0, bytes);
    }
  }
}
