/*
 * Makes the kernel trap on one board, POISONED_BOARD, in each thread of a process: `node --import
 * poison.js`. It serves to test runs with a question that cannot be searched.
 */
const { Instance, Module } = WebAssembly;
// (module (func (export "trap") unreachable))
const BYTES = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 8, 1, 4, 116, 114, 97, 112, 0, 0,
  10, 5, 1, 3, 0, 0, 11,
];
const { trap } = new Instance(new Module(new Uint8Array(BYTES))).exports;
const poisoned = BigInt(process.env.POISONED_BOARD ?? 0);

WebAssembly.Instance = class {
  constructor(module, imports) {
    const { exports } = new Instance(module, imports);
    const ask = (board, ...rest) => (board === poisoned ? trap() : exports.ask(board, ...rest));
    this.exports = { ...exports, ask };
  }
};
