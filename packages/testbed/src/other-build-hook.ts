/*
 * Preloaded into a command (`node --import`): makes it another build of Gridlock. OTHER_BUILD says
 * what differs:
 *
 *     kernel      the versions of its kernels, though not what they do
 *     protocol    the version of the messages between machines
 */
import fs from "node:fs";
import Module, { syncBuiltinESMExports } from "node:module";

/** Compiles a CommonJS module, as those of the bundled command are. */
type Compile = (this: unknown, source: string, ...rest: unknown[]) => unknown;

const { OTHER_BUILD } = process.env;

/** A section of a WebAssembly module that means nothing: number 0, of two bytes, with the name "x". */
const SECTION = Buffer.from([0, 2, 1, 0x78]);

if (OTHER_BUILD === "kernel") {
  const { readFileSync } = fs;
  fs.readFileSync = ((...args: Parameters<typeof readFileSync>) => {
    const contents = readFileSync(...args);
    const isModule = String(args[0]).endsWith(".wasm") && Buffer.isBuffer(contents);
    return isModule ? Buffer.concat([contents, SECTION]) : contents;
  }) as typeof readFileSync;
  syncBuiltinESMExports();
} else if (OTHER_BUILD === "protocol") {
  // All threads run bundles in CommonJS.
  const { prototype } = Module as unknown as { prototype: { _compile: Compile } };
  const { _compile: compile } = prototype;
  prototype._compile = function (source, ...rest) {
    return compile.call(this, source.replace(/\bPROTOCOL = \d+/, "PROTOCOL = 1"), ...rest);
  };
}
