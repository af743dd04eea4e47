import { normalShape } from "@gridlock/game";
import { type LayersBlock, StoreError } from "@gridlock/store";
import { type BlockReport, tableBytesFor } from "./block-check.js";
import type { BlockNumber } from "./blocks.js";
import { CheckCrew, type CheckCrewOptions, listed } from "./check-crew.js";

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
 * Makes a check of a proof's rounds by the rules of the game, as `LayersCheck` does, by threads
 * that exist only while they check. It throws the signal's reason if the signal is aborted. Each file
 * is checked by itself only once.
 *
 * The checked blocks are all of a proof, including that of the starts: its bounds of other blocks'
 * boards must be in their files, too.
 */
export function roundCheck({ game, threads, bytes, ...where }: RoundCheckOptions): CheckBlocks {
  /** The blocks that follow by themselves, by their last files. */
  let known = new Map<string, BlockReport>();
  return async (blocks) => {
    const tableBytes = tableBytesFor(Math.max(FEW_BOARDS, ...blocks.map(({ boards }) => boards)));
    const fitting = Math.max(1, Math.floor(bytes / tableBytes));
    await using crew = new CheckCrew({
      ...{ ...where, game: { ...game, shape: normalShape(game.shape) } },
      ...{ threads: Math.min(threads, fitting), asked: [], onChecked: () => {} },
    });
    const files = listed(blocks);
    const checked = await crew.checkBlocks(files.filter(({ file }) => !known.has(file)));
    const sound = checked.blocks.filter(({ failed }) => failed === 0);
    const all = [...files.flatMap(({ file }) => known.get(file) ?? []), ...sound];
    known = new Map(all.map((block) => [block.file, block]));
    const failing = files.map(({ file }) => file).filter((file) => !known.has(file));
    if (failing.length === 0) {
      const { byFile, damaged } = await crew.checkGuests(all, SLICES, tableBytes);
      failing.push(...byFile.keys(), ...damaged.values());
    }
    const numbers = new Set(failing.map(blockOfFile));
    for (const file of known.keys()) if (numbers.has(blockOfFile(file))) known.delete(file);
    return [...numbers];
  };
}

function blockOfFile(file: string): BlockNumber {
  return file.slice(0, file.indexOf("."));
}
