import { normalShape } from "@gridlock/game";
import { type LayersBlock, StoreError } from "@gridlock/store";
import { type FileChunks, type GuestReport, tableBytesFor } from "./block-check.js";
import type { BlockNumber } from "./blocks.js";
import {
  CheckCrew,
  type CheckCrewOptions,
  type CheckReply,
  type CheckRequest,
} from "./check-crew.js";
import { blockFileName } from "./names.js";
import { type CheckedBlock, slicesOf } from "./slices.js";

/**
 * The short result of a check: the number of wrong bounds and data for later checks, or the damaged
 * file.
 */
export type CheckVerdict =
  | { readonly failed: number; readonly boards: number; readonly files: readonly FileChunks[] }
  | Pick<GuestReport, "failed" | "byFile">
  | { readonly damaged: string };

/** A place where files are checked: threads of this machine, or other machines. */
export interface CheckPort {
  /** Returns the results in the order of the requests. */
  check(requests: readonly CheckRequest[]): Promise<readonly CheckVerdict[]>;
}

/** A block to check, after its last visit. */
export type BlockToCheck = Pick<LayersBlock, "block" | "step" | "boards">;

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
    `the proof in ${folder} failed ${MOST_FAILED_CHECKS + 1} checks in succession: it does not follow by the rules, and nothing of it was stored. If other machines helped, stop the workers that you do not trust, and run again`,
  );
}

export function verdictOf(reply: CheckReply): CheckVerdict {
  if ("damaged" in reply) return { damaged: reply.file };
  if ("guests" in reply) return { failed: reply.guests.failed, byFile: reply.guests.byFile };
  const { failed, boards, files } = reply.block;
  return { failed, boards, files };
}

/** Number of slices, so that many threads have something to check. */
const SLICES = 64;
/** Boards for whose table every thread has room. */
const FEW_BOARDS = 2 ** 18;

/** The threads of this machine that check a proof, and what they may use. */
export interface CheckHereOptions extends Pick<CheckCrewOptions, "game" | "folder" | "signal"> {
  /** The most threads. */
  readonly threads: number;
  /** Bytes for the tables of all threads together; one thread works however few they are. */
  readonly bytes: number;
}

/**
 * Makes a check of a proof's rounds by threads of this machine, which exist only while they check.
 * It throws the signal's reason if the signal is aborted.
 */
export function checkHere({ threads, bytes, ...where }: CheckHereOptions): CheckBlocks {
  const game = { ...where.game, shape: normalShape(where.game.shape) };
  let largest = FEW_BOARDS;
  const checker = new RoundChecker({
    async check(requests) {
      const fitting = Math.max(1, Math.floor(bytes / tableBytesFor(largest)));
      const limits = { threads: Math.min(threads, fitting), asked: [], onChecked: () => {} };
      await using crew = new CheckCrew({ ...where, ...limits, game });
      return (await crew.check(requests)).map(verdictOf);
    },
  });
  return async (blocks) => {
    largest = Math.max(FEW_BOARDS, ...blocks.map(({ boards }) => boards));
    return await checker.failing(blocks);
  };
}

/**
 * Checks the rounds of a proof by the rules of the game, as `verifyLayers` does. It checks each
 * file by itself only once.
 */
export class RoundChecker {
  readonly #port: CheckPort;
  /** The blocks that follow by themselves, by their last files. */
  #known = new Map<string, CheckedBlock>();

  constructor(port: CheckPort) {
    this.#port = port;
  }

  /**
   * Returns the blocks whose bounds do not follow. No file may change meanwhile.
   *
   * @param blocks all blocks of a proof, including that of the starts: its bounds of other blocks'
   *   boards must be in their files, too
   */
  async failing(blocks: readonly BlockToCheck[]): Promise<BlockNumber[]> {
    const listed = blocks
      .map(({ block, step, boards }) => ({ file: blockFileName(block, step), boards }))
      .sort((a, b) => b.boards - a.boards || (a.file < b.file ? -1 : 1));
    const failing = await this.#checkBlocks(listed);
    if (failing.length > 0) return failing;
    return await this.#checkGuests(listed.map(({ file }) => file));
  }

  async #checkBlocks(
    listed: readonly { readonly file: string; readonly boards: number }[],
  ): Promise<BlockNumber[]> {
    const unknown = listed.filter(({ file }) => !this.#known.has(file));
    const verdicts = await this.#port.check(unknown);
    const failing: BlockNumber[] = [];
    for (const [i, { file }] of unknown.entries()) {
      const verdict = verdicts[i] as CheckVerdict;
      if ("files" in verdict && verdict.failed === 0) {
        this.#known.set(file, { boards: verdict.boards, files: verdict.files });
      } else failing.push(blockOfFile(file));
    }
    return failing;
  }

  /**
   * Compares all blocks' bounds of each other's boards; forgets files that are no longer in use.
   */
  async #checkGuests(files: readonly string[]): Promise<BlockNumber[]> {
    const blocks = files.map((file) => this.#known.get(file) as CheckedBlock);
    this.#known = new Map(files.map((file, i) => [file, blocks[i] as CheckedBlock]));
    const largest = Math.max(FEW_BOARDS, ...blocks.map(({ boards }) => boards));
    const slices = slicesOf(blocks, SLICES, tableBytesFor(largest));
    const failing = new Set<string>();
    for (const verdict of await this.#port.check(slices.map((slice) => ({ slice })))) {
      if ("damaged" in verdict) failing.add(verdict.damaged);
      if ("byFile" in verdict) for (const [file] of verdict.byFile) failing.add(file);
    }
    const numbers = new Set([...failing].map(blockOfFile));
    for (const file of files) if (numbers.has(blockOfFile(file))) this.#known.delete(file);
    return [...numbers];
  }
}

function blockOfFile(file: string): BlockNumber {
  return file.slice(0, file.indexOf("."));
}
