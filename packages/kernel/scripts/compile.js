/*
 * Compiles the kernel for every shape, into `wasm/` or, with `--check`, into memory to compare with
 * what is there: exit 1 if a committed module is not what the source compiles to.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

/** Most cells, and most of a single row: see `hasKernel` in `src/module.ts`. */
const MAX_CELLS = 16;
const MAX_CELLS_OF_A_ROW = 12;
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const check = process.argv.includes("--check");

function* shapes() {
  for (let rows = 1; rows <= 4; rows++) {
    const most = rows === 1 ? MAX_CELLS_OF_A_ROW : MAX_CELLS;
    for (let cols = Math.max(rows, 2); rows * cols <= most; cols++) yield { rows, cols };
  }
}

/** The modules of each shape: the search, and the shards of tables that no single memory can hold. */
const MODULES = [
  { entry: "assembly/index.ts", suffix: "", options: ["--importTable"] },
  { entry: "assembly/shard.ts", suffix: ".shard", options: [] },
];

async function compile({ rows, cols }, { entry, options }) {
  const outputs = new Map();
  const { error, stderr } = await asc.main(
    [
      entry,
      ...options,
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
  for (const module of MODULES) {
    const file = `${shape.rows}x${shape.cols}${module.suffix}.wasm`;
    const compiled = await compile(shape, module);
    stale.delete(file);
    if (!check) writeFileSync(join("wasm", file), compiled);
    else if (
      !(existsSync(join("wasm", file)) && compiled.equals(readFileSync(join("wasm", file))))
    ) {
      console.error(`wasm/${file} is not what assembly/ compiles to; run npm run build:kernel`);
      failed = true;
    }
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
