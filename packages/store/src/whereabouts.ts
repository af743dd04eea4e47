import { accessSync, constants, existsSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Returns a sentence about results that were written to a file that is no longer in its place. */
export function lossOf(file: string): string {
  const what = isFolderGone(file)
    ? `the folder of ${file} was moved or removed`
    : `${file} was removed or replaced`;
  return `${what}; results are not saved. Leave it in place until the command has ended, and run the command again`;
}

/** Returns whether the folder of a file does not exist. */
export function isFolderGone(file: string): boolean {
  return !existsSync(dirname(resolve(file)));
}

/** Returns whether files can be created in the folder of a file or, if it is missing, where it would be made. */
export function isFolderWritable(file: string): boolean {
  let folder = dirname(resolve(file));
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
