import { createRequire } from "node:module";

/**
 * The `madvise` advice that asks Linux for large pages, 2 MiB each on most machines
 * (`MADV_HUGEPAGE`).
 */
const LARGE_PAGES = 14;
/** Addresses for `madvise` must be multiples of a page; pages of 4, 16 and 64 KiB are in use. */
const ALIGNMENT = 65_536;

type Madvise = (memory: Uint8Array, bytes: number, advice: number) => number;

let madvise: Madvise | undefined;

/**
 * Asks the system for large pages for memory that has not been written to. A look-up in a large
 * table waits for memory, and with small pages also for the page table. Linux grants large pages on
 * request unless it is configured not to; Node.js can only ask through a foreign function.
 *
 * Use it only for memory that will be filled: the first write to a large page zeroes all of it.
 *
 * @param parts the memory; unaligned bytes at either end of a part are ignored
 * @returns whether the system agreed; if not, the memory works as well, though more slowly
 */
export function preferLargePages(parts: readonly Uint8Array[]): boolean {
  if (process.platform !== "linux") return false;
  try {
    madvise ??= findMadvise();
    const advise = madvise;
    return parts.every((part) => {
      const from = Math.ceil(part.byteOffset / ALIGNMENT) * ALIGNMENT;
      const bytes = part.byteOffset + part.length - from;
      return (
        bytes <= 0 || advise(new Uint8Array(part.buffer, from, bytes), bytes, LARGE_PAGES) === 0
      );
    });
  } catch {
    return false; // the foreign function interface is optional, and missing on some systems
  }
}

function findMadvise(): Madvise {
  const koffi: typeof import("koffi") = createRequire(import.meta.url)("koffi");
  return koffi.load(null).func("int madvise(uint8_t *memory, size_t bytes, int advice)");
}
