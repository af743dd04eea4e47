import { existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { describeGame, type Game } from "@gridlock/game";
import { splitOf } from "@gridlock/layers";
import { formatBytes } from "@gridlock/report";
import { estimate } from "@gridlock/solver";
import { UsageError } from "./exit.js";

/**
 * Bytes of the files for each node that the shape is estimated to have. 2×6 and 3×4 end with files
 * of 4 to 5 bytes a node; while they are being made, old versions of blocks take as much again.
 */
const DISK_BYTES_PER_NODE = 12;
/**
 * Part of these bytes more for each doubling of the blocks by a hash: more of them then have bounds of
 * the same boards. On 2×5 a split into 2, 4, 8 and 32 takes 1.7, 2.4, 3.1 and 4.7 times the bytes.
 */
const MORE_PER_DOUBLING = 0.75;

/**
 * Refuses a disk that would be full before a proof by layers in a folder is complete.
 *
 * @param split the number of blocks into which a hash splits one (default: as the shape suggests)
 * @throws {UsageError} if the free space is less than the files are expected to take
 */
export function refuseTooSmallDisk(game: Game, folder: string, split = splitOf(game.shape)): void {
  if (existsSync(folder)) return; // the disk has room for a part of it already
  let place = dirname(folder);
  while (!existsSync(place)) place = dirname(place);
  const times = 1 + MORE_PER_DOUBLING * Math.log2(split);
  const needed = times * DISK_BYTES_PER_NODE * estimate(game.shape).nodes;
  const { bavail, bsize } = statfsSync(place);
  if (needed > bavail * bsize) {
    throw new UsageError(
      `${describeGame(game)} layer by layer would take about ${formatBytes(needed)} of disk (an extrapolation), but only ${formatBytes(bavail * bsize)} is free in ${place}; free some space, or use --force`,
    );
  }
}
