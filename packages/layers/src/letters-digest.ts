import { createHash } from "node:crypto";
import { LETTER_BYTES, LISTED_BYTES } from "./block-file.js";
import { ChunkReader, DamagedFile } from "./chunk-file.js";

/**
 * Returns a digest of a file's letters that does not depend on their order, which in turn depends
 * on the places of nodes in memory. Returns `undefined` if the file is missing or damaged.
 */
export function digestOfLetters(folder: string, name: string): string | undefined {
  try {
    using reader = new ChunkReader(folder, name);
    const list = reader.next();
    const hash = createHash("sha256").update(list);
    for (let at = 0; at < list.length; at += LISTED_BYTES) {
      const bytes = reader.next();
      const demands = LETTER_BYTES * list.readUInt32LE(at + 8);
      for (const kind of [bytes.subarray(0, demands), bytes.subarray(demands)]) {
        for (const letter of sortedLetters(kind)) hash.update(letter);
      }
    }
    return hash.digest("hex");
  } catch (error) {
    if (error instanceof DamagedFile || error instanceof RangeError) return undefined;
    throw error;
  }
}

function sortedLetters(bytes: Buffer): Buffer[] {
  const letters: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += LETTER_BYTES) {
    letters.push(bytes.subarray(at, at + LETTER_BYTES));
  }
  return letters.sort(Buffer.compare);
}
