import { crc32 } from "node:zlib";
import { seededRandom } from "@gridlock/game";

const { FAULT_RUNS: given = "0" } = process.env;

/** Times that `npm run faults` inflicts each fault; 0 if the tests with the tag `fault` are to be skipped. */
export const FAULT_RUNS = Number(given);

/** Random choices of a run of a fault. */
export interface Choices {
  /** Returns numbers from 0 to 1. */
  readonly random: () => number;
  readonly pick: <T>(list: readonly T[]) => T;
}

/** Returns choices that depend on a name alone, such as that of a fault with the number of its run. */
export function choicesOf(name: string): Choices {
  const random = seededRandom(crc32(name));
  return {
    random,
    pick: <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T,
  };
}
