import { createRequire } from "node:module";
import { partsOf, type SharedTable } from "./table.js";

/** Linux's advice to `madvise` that memory be given in large pages (`MADV_HUGEPAGE`; 2 MiB each on most machines). */
const LARGE_PAGES = 14;
/** What an address for `madvise` is a multiple of; pages of 4, 16 and 64 KiB are in use. */
const ALIGNMENT = 65_536;

type Madvise = (memory: Uint8Array, bytes: number, advice: number) => number;

let madvise: Madvise | undefined;

/**
 * Asks the system for large pages for a table that nothing has been written to yet. A look-up in a large table waits for
 * memory, and with small pages for their page table too. Linux gives large ones for the asking unless it is
 * set up to give none; a program in Node.js has to go through a foreign function to ask.
 *
 * Only for tables that will be filled: the first write to a large page has all of it zeroed.
 *
 * @returns whether the system has agreed; where it has not the table works as well, if not as fast
 */
export function preferLargePages(table: SharedTable): boolean {
  if (process.platform !== "linux") return false;
  try {
    madvise ??= findMadvise();
    const advise = madvise;
    return partsOf(table).every((part) => {
      const from = Math.ceil(part.byteOffset / ALIGNMENT) * ALIGNMENT;
      const bytes = part.byteOffset + part.length - from;
      return (
        bytes <= 0 || advise(new Uint8Array(part.buffer, from, bytes), bytes, LARGE_PAGES) === 0
      );
    });
  } catch {
    return false; // the foreign function interface is optional, and is not there on every system
  }
}

function findMadvise(): Madvise {
  const koffi: typeof import("koffi") = createRequire(import.meta.url)("koffi");
  return koffi.load(null).func("int madvise(uint8_t *memory, size_t bytes, int advice)");
}
