import { type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import { lost } from "./errors.js";

/** The files that SQLite keeps beside one with a write-ahead log. */
export const LOGS = ["-wal", "-shm"];

/**
 * A file that was opened, by its device and inode. Its path may come to name another file, or no
 * file; what is then written to the open one is lost.
 */
export class FileIdentity {
  readonly #file: string;
  readonly #path: string;
  readonly #inode: string | undefined;

  /** @param stats of the open file (default: of the file that the path names) */
  constructor(file: string, stats?: Stats) {
    this.#file = file;
    this.#path = resolve(file); // the working folder may change
    this.#inode = stats ? inodeOf(stats) : inodeAt(this.#path);
  }

  /** @throws {StoreError} `replaced` if the path no longer names the file */
  expectInPlace(): void {
    if (inodeAt(this.#path) !== this.#inode) throw lost(this.#file);
  }
}

/** Returns the device and inode of the file that a path names; undefined if it names none. */
function inodeAt(file: string): string | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats && inodeOf(stats);
  } catch {
    return undefined; // its folder cannot be entered
  }
}

function inodeOf({ dev, ino }: Stats): string {
  return `${dev} ${ino}`;
}
