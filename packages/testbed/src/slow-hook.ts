/*
 * Preloaded into a command (`node --import`): after each of its searches, and after each part of a
 * tabulation's layer, a thread sleeps for SLOW_MS milliseconds before it returns the result. So a
 * run of a small shape lasts long enough to be disturbed on any machine, and uses hardly any
 * processor time meanwhile. A search that is stopped wakes up, and returns no answer. With TRAPS,
 * each search traps instead, as a broken kernel does.
 */
const { SLOW_MS = "0", TRAPS } = process.env;
/** Milliseconds between two looks whether the search is stopped. */
const LOOK_MS = 50;
/** The result of a search that was stopped. */
const STOPPED = -1;

/** The functions that are slowed down: `ask` of a kernel, the others of a module of sweeps. */
const SLOWED = ["ask", "expand", "value"];
type Exported = (...values: unknown[]) => unknown;

/** The exports of a kernel that tell a thread to stop; a module of sweeps has none of them. */
interface Stoppable {
  readonly STOP: WebAssembly.Global<"i32">;
  threadAt(thread: unknown): number;
  attach: Exported;
}

/** Sleeps until the time is up or the word is no longer 0; returns whether the time is up. */
function sleep(word: Int32Array): boolean {
  const end = performance.now() + Number(SLOW_MS);
  for (let left = Number(SLOW_MS); left > 0; left = end - performance.now()) {
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
  let stop: Int32Array = new Int32Array(new SharedArrayBuffer(4));
  const all = { ...exports };
  for (const name of SLOWED.filter((name) => name in exports)) {
    all[name] = (...values: unknown[]) => {
      if (TRAPS) throw new WebAssembly.RuntimeError("unreachable");
      const answer = (exports[name] as Exported)(...values);
      return sleep(stop) ? answer : STOPPED;
    };
  }
  if (!("STOP" in exports)) return all;
  const { STOP, threadAt, attach } = exports as unknown as Stoppable;
  return {
    ...all,
    attach(thread: unknown, ...rest: unknown[]) {
      stop = new Int32Array(buffer, (threadAt(thread) >>> 0) + STOP.value, 1);
      attach(thread, ...rest);
    },
  };
}
