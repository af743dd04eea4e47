// Searches a board without files, threads and Node's modules, as a web worker does.
//
//     node dist/kernel.js "2 0 0/0 4 0/0 0 0"
//
import { readFile } from "node:fs/promises";
import { openKernel } from "@gridlock/gridlock/kernel";

const [board = "2 0 0/0 4 0/0 0 0"] = process.argv.slice(2);

// In a browser: (name) => fetch(`wasm/${name}`).then((response) => response.arrayBuffer()), with a
// copy of the package's folder wasm beside the page. In Deno: Deno.readFile in place of readFile.
const kernel = await openKernel("3x3", (name) =>
  readFile(new URL(import.meta.resolve(`@gridlock/gridlock/wasm/${name}`))),
);
const { value, best, line } = kernel.query(board);
console.log(`value: ${value}, best: ${best.join(", ")}`);
console.log(`best play: ${line.join(" ")}`);
