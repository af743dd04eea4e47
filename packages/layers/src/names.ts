import { join } from "node:path";
import { LAYERS_NAMES, StoreError } from "@gridlock/store";
import type { BlockNumber } from "./blocks.js";

/* Names of the files of a proof by layers: their block, and the step of the visit that wrote them. */

/** Returns the name of the file of a block after its visit in a step. */
export function blockFileName(block: BlockNumber, step: number): string {
  return `${block}.${step}.block`;
}

/** Returns the name of the file of the letters that a block sent in a step. */
export function lettersFileName(block: BlockNumber, step: number): string {
  return `${block}.${step}.letters`;
}

/** Returns the block and the step of a file of a proof. */
export function partsOf(name: string): { readonly block: BlockNumber; readonly step: number } {
  const [block, step] = name.split(".") as [BlockNumber, string];
  return { block, step: Number(step) };
}

/** Returns whether a name is that of a file of blocks or letters. */
export function isFileName(name: string): boolean {
  return LAYERS_NAMES.blockFile.test(name) || LAYERS_NAMES.lettersFile.test(name);
}

/**
 * Returns the path of a file in the folder of its proof. All paths of such files are made here, since
 * their names may come from a file that somebody else made.
 *
 * @throws {StoreError} `damaged` if it is not the name of such a file
 */
export function pathOf(folder: string, name: string): string {
  if (isFileName(name)) return join(folder, name);
  throw new StoreError("damaged", `${JSON.stringify(name)} is not a name of a file of a proof`);
}
