import { readFileSync } from "node:fs";

/** Reads a file of this package's folder `wasm`. */
export function readInstalled(name: string): Uint8Array<ArrayBuffer> {
  return readFileSync(new URL(`../wasm/${name}`, import.meta.url));
}
