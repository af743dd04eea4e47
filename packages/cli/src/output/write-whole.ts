import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { UsageError } from "../exit.js";

/** Makes a folder for results, if it is not there. */
export function makeOutFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new UsageError(`--out ${folder} cannot be made (${(error as Error).message})`);
  }
}

/** Writes a file so that nobody ever finds half of it. */
export function writeWhole(file: string, content: string): void {
  try {
    writeFileSync(`${file}.new`, content);
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw new UsageError(`${file} cannot be written (${(error as Error).message})`);
  }
}
