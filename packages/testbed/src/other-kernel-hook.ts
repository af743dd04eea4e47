/*
 * Preloaded into a command (`node --import`): its kernels have other versions, though they do the
 * same.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** A meaningless section of a WebAssembly module: number 0, of two bytes, with the name "x". */
const SECTION = Buffer.from([0, 2, 1, 0x78]);

const { readFileSync } = fs;
fs.readFileSync = ((...args: Parameters<typeof readFileSync>) => {
  const contents = readFileSync(...args);
  const isModule = String(args[0]).endsWith(".wasm") && Buffer.isBuffer(contents);
  return isModule ? Buffer.concat([contents, SECTION]) : contents;
}) as typeof readFileSync;
syncBuiltinESMExports();
