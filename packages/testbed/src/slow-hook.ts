/*
 * Preloaded into a command (`node --import`): after each of its searches, and after each part of a
 * tabulation's layer, a thread sleeps for SLOW_MS milliseconds before it returns the result. So a
 * run of a small shape lasts long enough to be disturbed on any machine, and uses hardly any
 * processor time meanwhile. A search that is stopped wakes up, and returns no answer. With TRAPS,
 * each search traps instead, as a broken kernel does.
 */
const { SLOW_MS = "0", TRAPS } = process.env;
const milliseconds = Number(SLOW_MS);
/** Milliseconds between two looks whether the search is stopped. */
const LOOK_MS = 50;
/** The result of a search that was stopped. */
const STOPPED = -1;

/** The functions of a kernel, or of a module of sweeps, that are slowed down. */
interface Slowed {
  readonly STOP: WebAssembly.Global<"i32">;
  threadAt(thread: number): number;
  attach(thread: number, ...rest: unknown[]): void;
  ask?(...question: unknown[]): number;
  expand?(list: number, count: number, near: number): void;
  value?(list: number, count: number, near: number): void;
}

/** Sleeps until the time is up or the word is no longer 0; returns whether the time is up. */
function sleep(word: Int32Array, milliseconds: number): boolean {
  const end = performance.now() + milliseconds;
  for (let left = milliseconds; left > 0; left = end - performance.now()) {
    if (Atomics.wait(word, 0, 0, Math.min(left, LOOK_MS)) !== "timed-out") return false;
  }
  return true;
}

const { Instance } = WebAssembly;
WebAssembly.Instance = class {
  readonly exports: WebAssembly.Exports;

  constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
    const { exports } = new Instance(module, imports);
    const { env } = (imports ?? {}) as { env?: { memory: WebAssembly.Memory } };
    this.exports = env === undefined ? exports : slowed(exports, env.memory);
  }
};

function slowed(exports: WebAssembly.Exports, { buffer }: WebAssembly.Memory): WebAssembly.Exports {
  const { STOP, threadAt, attach, ask, expand, value } = exports as unknown as Slowed;
  let stop: Int32Array = new Int32Array(new SharedArrayBuffer(4));
  if (expand && value) {
    const sweepSlowly =
      (sweep: typeof expand) =>
      (...task: Parameters<typeof expand>) => {
        sweep(...task);
        sleep(stop, milliseconds);
      };
    return { ...exports, expand: sweepSlowly(expand), value: sweepSlowly(value) };
  }
  if (!ask) return exports;
  return {
    ...exports,
    attach(thread: number, ...rest: unknown[]) {
      stop = new Int32Array(buffer, (threadAt(thread) >>> 0) + STOP.value, 1);
      attach(thread, ...rest);
    },
    ask(...question: unknown[]) {
      if (TRAPS) throw new WebAssembly.RuntimeError("unreachable");
      const answer = ask(...question);
      return sleep(stop, milliseconds) ? answer : STOPPED;
    },
  };
}
