/*
 * Compiles the search (`kernel`) and the sweeps (`retrograde`) for every shape that they are for, into the `wasm/` of
 * their packages or, with `--check`, into memory to compare with what is there: exit 1 if a committed module is not
 * what the source compiles to.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

/**
 * The modules of each package, and the shapes that they are compiled for: the most cells, and the most of a single row. The
 * kernel's are the search, and the shards of tables that no single memory can hold.
 */
const MODULES = [
  { name: "kernel", entry: "index", suffix: "", cells: 16, row: 12, options: ["--importTable"] },
  { name: "kernel", entry: "shard", suffix: ".shard", cells: 16, row: 12, options: [] },
  { name: "retrograde", entry: "index", suffix: "", cells: 10, row: 10, options: [] },
];
const root = join(dirname(fileURLToPath(import.meta.url)), "../packages");
const check = process.argv.includes("--check");

function* shapes({ cells, row }) {
  for (let rows = 1; rows <= 4; rows++) {
    const most = rows === 1 ? row : cells;
    for (let cols = Math.max(rows, 2); rows * cols <= most; cols++) yield { rows, cols };
  }
}

/** Compiles a module of the package in the working directory. */
async function compile({ rows, cols }, { entry, options }) {
  const outputs = new Map();
  const { error, stderr } = await asc.main(
    [
      `assembly/${entry}.ts`,
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

let failed = false;
const stale = new Map();
for (const module of MODULES) {
  const { name, suffix } = module;
  process.chdir(join(root, name));
  mkdirSync("wasm", { recursive: true });
  if (!stale.has(name)) stale.set(name, new Set(readdirSync("wasm")));
  for (const shape of shapes(module)) {
    const file = `${shape.rows}x${shape.cols}${suffix}.wasm`;
    const compiled = await compile(shape, module);
    const isThere = stale.get(name).delete(file);
    if (!check) writeFileSync(join("wasm", file), compiled);
    else if (!(isThere && compiled.equals(readFileSync(join("wasm", file))))) {
      console.error(
        `${name}/wasm/${file} is not what its source compiles to; run npm run build:kernel`,
      );
      failed = true;
    }
  }
}
for (const [name, files] of stale) {
  for (const file of files) {
    console.error(`${name}/wasm/${file} is compiled from nothing in assembly/; remove it`);
    failed = true;
  }
}
console.log(
  failed ? "the modules differ" : check ? "the modules match their source" : "compiled the modules",
);
process.exitCode = failed ? 1 : 0;
