import { readFileSync } from "node:fs";

/** Messages of V8 and of Gridlock's packages about a memory of WebAssembly that cannot be made. */
const NO_MEMORY =
  /WebAssembly\.\w+\(\): (?:Out of memory|could not allocate)|cannot (?:provide|allocate) .* of memory/;

/** Returns whether an error means that a memory of WebAssembly could not be made. */
export function isOutOfMemory(error: unknown): error is Error {
  return error instanceof Error && NO_MEMORY.test(error.message);
}

/**
 * Adds advice to a message about a memory of WebAssembly that could not be made, if a limit on
 * address space may be the reason: V8 reserves 8 to 10 GiB for each memory, however small, so that
 * it need not check each address. Returns other messages unchanged.
 */
export function explainMemory(message: string): string {
  const limit = NO_MEMORY.test(message) ? addressSpaceLimit() : undefined;
  if (limit === undefined) return message;
  const reason = /^WebAssembly/.test(message) ? "there is no room for a search's memory" : message;
  const limited = `${reason}: address space is limited to ${gigabytes(limit)} (ulimit -v)`;
  if (reservesLittle()) return `${limited}. Raise the limit, or use less --memory`;
  return `${limited}, and each memory reserves up to 10 GB of it. Raise the limit, or set NODE_OPTIONS=${RESERVES_LITTLE}, with which 2.5 GB, ${gigabytes(THREAD_BYTES)} more for each thread, and the table are enough, and searches take longer`;
}

/** The option with which V8 reserves no more than a memory may use. */
const RESERVES_LITTLE = "--disable-wasm-trap-handler";

function reservesLittle(): boolean {
  const { NODE_OPTIONS = "" } = process.env;
  const options = [NODE_OPTIONS, ...process.execArgv];
  return options.some((text) => text.includes(RESERVES_LITTLE));
}

const PAGE_BYTES = 65_536;
/** Maximum size of a WebAssembly memory: 4 GiB. */
const MAX_PAGES = 65_536;
/** Part of the free address space to reserve for growth; threads need the rest. */
const GROWTH_PART = 1 / 4;

/**
 * Allocates a memory of WebAssembly that threads can share, or grows one that is no longer used:
 * another one would reserve address space in each thread until the garbage collector of every
 * thread has run.
 *
 * @param limit bytes up to which it may grow, where there is room
 * @throws {RangeError} if it cannot be allocated
 */
export function sharedMemory(
  bytes: number,
  limit: number,
  old?: WebAssembly.Memory,
): WebAssembly.Memory {
  const initial = Math.ceil(bytes / PAGE_BYTES);
  if (old && hasGrown(old, initial)) return old;
  const most = Math.floor(Math.min(limit, GROWTH_PART * freeAddressSpace()) / PAGE_BYTES);
  const maximum = Math.max(initial, Math.min(most, MAX_PAGES));
  const mib = Math.ceil((initial * PAGE_BYTES) / 2 ** 20);
  try {
    if (initial > MAX_PAGES) throw new RangeError("a WebAssembly memory holds at most 4096 MiB");
    return new WebAssembly.Memory({ initial, maximum, shared: true });
  } catch (error) {
    throw new RangeError(`cannot allocate ${mib} MiB of memory, which a layer needs`, {
      cause: error,
    });
  }
}

/** Grows a memory to this many pages, if it has fewer; returns false if it cannot grow so far. */
function hasGrown(memory: WebAssembly.Memory, pages: number): boolean {
  try {
    memory.grow(Math.max(0, pages - memory.buffer.byteLength / PAGE_BYTES));
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Returns the bytes of address space left to this process; Infinity if no limit is known. */
function freeAddressSpace(): number {
  const limit = addressSpaceLimit();
  return limit === undefined ? Number.POSITIVE_INFINITY : limit - addressSpaceUsed();
}

/**
 * Bytes of address space to expect of a thread: V8 reserves some 640 MiB when a thread starts, most
 * of them for compiled code, and the thread's work needs more.
 */
const THREAD_BYTES = 768 * 2 ** 20;

/** Threads that have been started and may not have reserved their address space yet. */
let starting = 0;
/** Address space that is in use once they have. */
let expected = 0;

/**
 * Checks that a thread can be started, and counts it as starting until the returned function is
 * called. V8 would abort the process, without an error to catch, if there were too little address
 * space for the thread.
 *
 * @throws {RangeError} if a limit on address space leaves too little
 */
export function expectRoomForThread(): () => void {
  const limit = addressSpaceLimit();
  if (limit === undefined) return () => {};
  const needed = Math.max(addressSpaceUsed(), starting > 0 ? expected : 0) + THREAD_BYTES;
  if (needed > limit) {
    throw new RangeError(
      `there is no room for another thread: address space is limited to ${gigabytes(limit)} (ulimit -v), and each thread takes ${gigabytes(THREAD_BYTES)} of it. Raise the limit, or use fewer threads`,
    );
  }
  expected = needed;
  starting++;
  let hasStarted = false;
  return () => {
    if (!hasStarted) starting--;
    hasStarted = true;
  };
}

function gigabytes(bytes: number): string {
  const tenths = Math.floor(bytes / 1e8);
  return `${tenths < 100 ? tenths / 10 : Math.floor(tenths / 10)} GB`;
}

/** Returns the limit on address space in bytes; undefined if there is none, or none is known. */
function addressSpaceLimit(): number | undefined {
  const soft = /^Max address space\s+(\d+)/m.exec(procFile("limits") ?? "")?.[1];
  return soft === undefined ? undefined : Number(soft);
}

/** Returns the bytes of address space in use; 0 if unknown. */
function addressSpaceUsed(): number {
  return 1024 * Number(/^VmSize:\s+(\d+) kB/m.exec(procFile("status") ?? "")?.[1] ?? 0);
}

/** Returns the text of a file about this process; undefined on other systems than Linux. */
function procFile(name: string): string | undefined {
  try {
    return readFileSync(`/proc/self/${name}`, "utf8");
  } catch {
    return undefined;
  }
}
