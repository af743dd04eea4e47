import { type Letters, writeLetters } from "./block-file.js";
import type { BlockNumber } from "./blocks.js";

/**
 * The letters of a visit are kept in memory if they take at most this many bytes. Longer ones go to
 * a file at once, which costs less than the visit did.
 */
export const MOST_KEPT_BYTES = 2 ** 16;
/** All kept letters go to files when they take more bytes than this. */
const MOST_BYTES = 2 ** 25;

/**
 * Unread letters that no file has. Most letters are read soon after they were written; a file for
 * the letters of each visit would take longer than a visit to a small block.
 */
export class Mail {
  readonly #folder: string;
  /** All letters, by the names of their files. */
  readonly #kept = new Map<string, readonly Letters[]>();
  #bytes = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Keeps the letters of a visit, by the name of the file that is not written; writes the files of
   * all letters if they take much memory.
   *
   * @throws {StoreError} if a file cannot be written
   */
  keep(file: string, letters: readonly Letters[]): void {
    this.#kept.set(file, letters);
    this.#bytes += bytesOf(letters);
    if (this.#bytes > MOST_BYTES) this.write();
  }

  /** Returns a file's letters to a block, if they are in memory. */
  lettersTo(block: BlockNumber, file: string): Letters | undefined {
    return this.#kept.get(file)?.find(({ to }) => to === block);
  }

  /** Drops the letters of a file; returns false if they are not in memory. */
  drop(file: string): boolean {
    this.#bytes -= bytesOf(this.#kept.get(file) ?? []);
    return this.#kept.delete(file);
  }

  /**
   * Writes all letters to their files, and keeps none.
   *
   * @throws {StoreError} if a file cannot be written
   */
  write(): void {
    for (const [file, letters] of this.#kept) {
      writeLetters(this.#folder, file, letters);
      this.drop(file);
    }
  }
}

/** Returns the bytes of letters. */
export function bytesOf(letters: readonly Letters[]): number {
  return letters.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
