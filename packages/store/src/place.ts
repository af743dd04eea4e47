import { rmSync, type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import { StoreError } from "./errors.js";
import { lossOf } from "./whereabouts.js";

/** The files that SQLite keeps beside one with a write-ahead log. */
export const LOGS = ["-wal", "-shm"];

/**
 * A file that was opened, by its device and inode. Its path may come to name another file, or no
 * file; what is then written to the open one is lost.
 */
export class FilePlace {
  readonly #file: string;
  readonly #path: string;
  readonly #inode: string | undefined;
  /** The logs beside the file when it was last seen in its place. */
  #logs: readonly (string | undefined)[] = [];

  /** @param stats of the open file (default: of the file that the path names) */
  constructor(file: string, stats?: Stats) {
    this.#file = file;
    this.#path = resolve(file); // the working folder may change
    this.#inode = stats ? inodeOf(stats) : inodeAt(this.#path);
    this.#noteLogs();
  }

  /** True if the path still names the file, or still none. */
  get isKept(): boolean {
    if (inodeAt(this.#path) !== this.#inode) return false;
    this.#noteLogs();
    return true;
  }

  /** @throws {StoreError} `replaced` if the path no longer names the file */
  expectKept(): void {
    if (!this.isKept) throw new StoreError("replaced", lossOf(this.#file));
  }

  /**
   * Removes the logs that belonged to the file, once it is closed: SQLite would apply them to the
   * file that has taken its place.
   */
  removeLogs(): void {
    for (const [i, ending] of LOGS.entries()) {
      const log = this.#path + ending;
      if (this.#logs[i] !== undefined && inodeAt(log) === this.#logs[i]) rmSync(log);
    }
  }

  #noteLogs(): void {
    this.#logs = LOGS.map((ending) => inodeAt(this.#path + ending));
  }
}

/** Returns the device and inode of the file that a path names; undefined if it names none. */
export function inodeAt(file: string): string | undefined {
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
