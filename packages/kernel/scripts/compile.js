/*
 * Compiles the kernel for every shape, into `wasm/` or, with `--check`, into memory to compare with
 * what is there: exit 1 if a committed module is not what the source compiles to.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const MAX_CELLS = 12;
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const check = process.argv.includes("--check");

function* shapes() {
  for (let rows = 1; rows <= 4; rows++) {
    for (let cols = Math.max(rows, 2); rows * cols <= MAX_CELLS; cols++) yield { rows, cols };
  }
}

async function compile({ rows, cols }) {
  const outputs = new Map();
  const { error, stderr } = await asc.main(
    [
      "assembly/index.ts",
      ...["--outFile", "kernel.wasm", "--config", "none"],
      ...["--use", `ROWS=${rows}`, "--use", `COLS=${cols}`],
      ...["-O3", "--noAssert", "--runtime", "stub"],
      ...["--enable", "simd", "--enable", "threads", "--enable", "bulk-memory"],
      ...["--importMemory", "--sharedMemory", "--initialMemory", "1", "--maximumMemory", "65536"],
    ],
    {
      readFile: (name, base) => {
        try {
          return readFileSync(join(base, name), "utf8");
        } catch {
          return null;
        }
      },
      writeFile: (name, contents) => outputs.set(name, contents),
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`${rows}x${cols}: ${error.message}\n${stderr}`);
  const warnings = stderr.toString();
  if (warnings) process.stderr.write(warnings);
  return Buffer.from(outputs.get("kernel.wasm"));
}

process.chdir(root);
mkdirSync("wasm", { recursive: true });
const stale = new Set(readdirSync("wasm"));
let failed = false;
for (const shape of shapes()) {
  const file = `${shape.rows}x${shape.cols}.wasm`;
  const compiled = await compile(shape);
  stale.delete(file);
  if (!check) writeFileSync(join("wasm", file), compiled);
  else if (!compiled.equals(readFileSync(join("wasm", file)))) {
    console.error(`wasm/${file} is not what assembly/ compiles to; run npm run build:kernel`);
    failed = true;
  }
}
for (const file of stale) {
  console.error(`wasm/${file} is compiled from nothing in assembly/; remove it`);
  failed = true;
}
console.log(
  failed ? "the kernels differ" : check ? "the kernels match their source" : "compiled the kernels",
);
process.exitCode = failed ? 1 : 0;
