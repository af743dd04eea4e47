import { readFileSync } from "node:fs";

/** Messages of V8 and of this package about a memory of WebAssembly that cannot be made. */
const NO_MEMORY =
  /WebAssembly\.\w+\(\): (?:Out of memory|could not allocate)|cannot provide .* of memory/;

/** Returns whether an error means that a memory of WebAssembly could not be made. */
export function isOutOfMemory(error: unknown): error is RangeError {
  return error instanceof RangeError && NO_MEMORY.test(error.message);
}

/**
 * Adds advice to a message about a memory of WebAssembly that could not be made, if a limit on address
 * space may be the reason: V8 reserves 8 to 10 GiB for each memory, however small, so that it need not
 * check each address. Returns other messages unchanged.
 */
export function explainMemory(message: string): string {
  const bytes = NO_MEMORY.test(message) ? addressSpace() : undefined;
  if (bytes === undefined) return message;
  const limit = `${Math.floor(bytes / 1e9)} GB`;
  const reason = /^WebAssembly/.test(message) ? "there is no room for a search's memory" : message;
  return `${reason}: address space is limited to ${limit} (ulimit -v), and each memory reserves up to 10 GB of it. Raise the limit, or set NODE_OPTIONS=--disable-wasm-trap-handler, with which 4 GB and the table are enough, and searches take longer`;
}

/** Returns the limit on address space in bytes; undefined if it has no limit, or none is known. */
function addressSpace(): number | undefined {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    const soft = /^Max address space\s+(\d+)/m.exec(limits)?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined; // not Linux
  }
}
