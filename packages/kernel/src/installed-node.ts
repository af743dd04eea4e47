import { readFileSync } from "node:fs";

/** The folder of the compiled modules and their sizes. */
export const wasmFolder: URL = new URL("../wasm/", import.meta.url);

/** Reads a file of this package's folder `wasm`. */
export function readInstalled(name: string): Uint8Array<ArrayBuffer> {
  return readFileSync(new URL(name, wasmFolder));
}
