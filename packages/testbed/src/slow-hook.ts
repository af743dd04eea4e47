/*
 * Preloaded into a worker (`node --import`): makes each of its searches take SLOW_MS milliseconds
 * longer, so that a run of a small shape lasts long enough to be disturbed on any machine.
 */
const { Instance } = WebAssembly;
const { SLOW_MS: milliseconds } = process.env;
const pause = new Int32Array(new SharedArrayBuffer(4));

WebAssembly.Instance = class {
  readonly exports: WebAssembly.Exports;

  constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
    const { exports } = new Instance(module, imports);
    const { ask: search } = exports as { ask?: (...args: unknown[]) => unknown };
    const ask = (...args: unknown[]) => {
      Atomics.wait(pause, 0, 0, Number(milliseconds));
      return search?.(...args);
    };
    this.exports = search === undefined ? exports : { ...exports, ask };
  }
};

export {};
