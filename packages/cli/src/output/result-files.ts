import { whyNoCharts, writeWhole } from "@gridlock/report";
import { expectPlain, makeFolders, reasonOf } from "@gridlock/store";
import { UsageError } from "../exit.js";
import { visible } from "./visible.js";

/** Refuses a command that draws charts where charts cannot be drawn, before its work begins. */
export function requireCharts(): void {
  const reason = whyNoCharts();
  if (reason !== undefined) throw new UsageError(reason);
}

/** Makes the folder of `--out`, unless it is there. */
export function makeOutFolder(folder: string): void {
  try {
    makeFolders(folder);
  } catch (error) {
    throw new Error(`--out ${folder} cannot be made (${reasonOf(error)})`);
  }
}

/**
 * Writes a text as a whole file, as {@link visible} shows it; what goes wrong is an error of the
 * option that named the file or its folder.
 *
 * @throws {StoreError} `unusable` for a link or a pipe in a folder: only the user may name one,
 *   with `--output`
 */
export function writeResult(option: "--out" | "--output", file: string, text: string): void {
  if (option === "--out") expectPlain(file, false);
  try {
    writeWhole(file, visible(text));
  } catch (error) {
    throw new Error(`${option} ${file} cannot be written (${reasonOf(error)})`);
  }
}
