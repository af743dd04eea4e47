import { crc32 } from "node:zlib";
import { seededRandom } from "@gridlock/game";

const { FAULT_RUNS: given = "0", FAULT_SHAPE: shape = "2x5" } = process.env;

/** Times that `npm run faults` inflicts each fault; 0 to skip the tests with the tag `fault`. */
export const FAULT_RUNS = Number(given);

/** The shape of the runs on a cluster that `npm run faults` disturbs. */
export const FAULT_SHAPE = shape;

/** Random choices of a run of a fault. */
export interface Choices {
  /** Returns numbers from 0 to 1. */
  readonly random: () => number;
  readonly pick: <T>(list: readonly T[]) => T;
}

/** Returns choices that depend only on a name, such as a fault's with the number of its run. */
export function choicesOf(name: string): Choices {
  const random = seededRandom(crc32(name));
  return {
    random,
    pick: <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T,
  };
}
