import { normalShape } from "@gridlock/game";
import { type LayersBlock, StoreError } from "@gridlock/store";
import { tableBytesFor } from "./block-check.js";
import type { BlockNumber } from "./blocks.js";
import { CheckCrew, type CheckCrewOptions } from "./check-crew.js";
import { blockFileName } from "./names.js";
import { type CheckedBlock, slicesOf } from "./slices.js";

/** A block to check, after its last visit. */
type BlockToCheck = Pick<LayersBlock, "block" | "step" | "boards">;

/**
 * Checks all blocks of a proof while their files do not change; returns those whose bounds do not
 * follow.
 */
export type CheckBlocks = (blocks: readonly BlockToCheck[]) => Promise<readonly BlockNumber[]>;

/** The most checks of a question that may fail in succession, with another round between two. */
export const MOST_FAILED_CHECKS = 5;

/** Returns the error for a proof that fails every check. */
export function neverFollows(folder: string): StoreError {
  return new StoreError(
    "contradiction",
    `the proof in ${folder} failed ${MOST_FAILED_CHECKS + 1} checks in succession: it does not follow by the rules, and nothing of it was stored; delete the folder to start over`,
  );
}

/** Number of slices, so that many threads have something to check. */
const SLICES = 64;
/** Boards for whose table every thread has room. */
const FEW_BOARDS = 2 ** 18;

/** The threads that check a proof, and what they may use. */
export interface RoundCheckOptions extends Pick<CheckCrewOptions, "game" | "folder" | "signal"> {
  /** The most threads. */
  readonly threads: number;
  /** Bytes for the tables of all threads together; one thread works however few they are. */
  readonly bytes: number;
}

/**
 * Makes a check of a proof's rounds by the rules of the game, as `verifyLayers` does, by threads
 * that exist only while they check. It throws the signal's reason if the signal is aborted.
 */
export function roundCheck(options: RoundCheckOptions): CheckBlocks {
  const game = { ...options.game, shape: normalShape(options.game.shape) };
  const checker = new RoundChecker({ ...options, game });
  return (blocks) => checker.failing(blocks);
}

/** Checks the rounds of a proof. It checks each file by itself only once. */
class RoundChecker {
  readonly #options: RoundCheckOptions;
  /** The blocks that follow by themselves, by their last files. */
  #known = new Map<string, CheckedBlock>();

  constructor(options: RoundCheckOptions) {
    this.#options = options;
  }

  /**
   * Returns the blocks whose bounds do not follow. No file may change meanwhile.
   *
   * @param blocks all blocks of a proof, including that of the starts: its bounds of other blocks'
   *   boards must be in their files, too
   */
  async failing(blocks: readonly BlockToCheck[]): Promise<BlockNumber[]> {
    const { threads, bytes, ...where } = this.#options;
    const tableBytes = tableBytesFor(Math.max(FEW_BOARDS, ...blocks.map(({ boards }) => boards)));
    const fitting = Math.max(1, Math.floor(bytes / tableBytes));
    const limits = { threads: Math.min(threads, fitting), asked: [], onChecked: () => {} };
    await using crew = new CheckCrew({ ...where, ...limits });
    const listed = blocks
      .map(({ block, step, boards }) => ({ file: blockFileName(block, step), boards }))
      .sort((a, b) => b.boards - a.boards || (a.file < b.file ? -1 : 1));
    const failing = await this.#checkBlocks(crew, listed);
    if (failing.length > 0) return failing;
    const files = listed.map(({ file }) => file);
    return await this.#checkGuests(crew, files, tableBytes);
  }

  async #checkBlocks(
    crew: CheckCrew,
    listed: readonly { readonly file: string; readonly boards: number }[],
  ): Promise<BlockNumber[]> {
    const unknown = listed.filter(({ file }) => !this.#known.has(file));
    const failing: BlockNumber[] = [];
    for (const [i, reply] of (await crew.check(unknown)).entries()) {
      const { file } = unknown[i] as (typeof unknown)[number];
      if ("block" in reply && reply.block.failed === 0) {
        const { boards, files } = reply.block;
        this.#known.set(file, { boards, files });
      } else failing.push(blockOfFile(file));
    }
    return failing;
  }

  /**
   * Compares all blocks' bounds of each other's boards; forgets files that are no longer in use.
   */
  async #checkGuests(
    crew: CheckCrew,
    files: readonly string[],
    tableBytes: number,
  ): Promise<BlockNumber[]> {
    const blocks = files.map((file) => this.#known.get(file) as CheckedBlock);
    this.#known = new Map(files.map((file, i) => [file, blocks[i] as CheckedBlock]));
    const slices = slicesOf(blocks, SLICES, tableBytes);
    const failing = new Set<string>();
    for (const reply of await crew.check(slices.map((slice) => ({ slice })))) {
      if ("damaged" in reply) failing.add(reply.file);
      if ("guests" in reply) for (const [file] of reply.guests.byFile) failing.add(file);
    }
    const numbers = new Set([...failing].map(blockOfFile));
    for (const file of files) if (numbers.has(blockOfFile(file))) this.#known.delete(file);
    return [...numbers];
  }
}

function blockOfFile(file: string): BlockNumber {
  return file.slice(0, file.indexOf("."));
}
