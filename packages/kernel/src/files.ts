import { readInstalled } from "#installed";

/** The files provided or read. */
const files = new Map<string, Uint8Array<ArrayBuffer>>();

/**
 * Provides files of this package's folder `wasm`, by their names, in place of those that are installed. In a browser
 * nothing is installed: before its first table, a game of 3×3 needs `sizes.json`, `3x3.solo.wasm`, for a small table
 * `3x3.small.wasm`, and for reading or putting records `records.wasm`.
 */
export function provideFiles(
  some: Iterable<readonly [name: string, bytes: Uint8Array<ArrayBuffer>]>,
): void {
  for (const [name, bytes] of some) files.set(name, bytes);
}

/**
 * Returns the bytes of a file of the folder `wasm`: always the same, even if an installation changes them meanwhile.
 *
 * @throws {Error} if it is neither installed nor provided
 */
export function fileBytes(name: string): Uint8Array<ArrayBuffer> {
  let bytes = files.get(name);
  if (bytes === undefined) {
    bytes = readInstalled(name);
    files.set(name, bytes);
  }
  return bytes;
}
