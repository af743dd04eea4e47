/*
 * Compiles the search (`kernel`) and the sweeps (`tablebase`), each with the sources of `boards` that it imports, for
 * all their shapes into the packages' `wasm/`. With `--check`, compiles into memory instead, and exits with 1 if a
 * committed module differs from the compiled source.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

/** Modules that use a shared memory made by their loaders. */
const SHARED = [
  ...["--importMemory", "--sharedMemory", "--initialMemory", "1", "--maximumMemory", "65536"],
];

/**
 * The modules of each package, and the largest shapes that they are compiled for: the most cells, and the most cells of
 * a single row. The kernel's modules are the search, the shards of tables too large for a single memory, and the packing
 * of records for all shapes.
 */
const MODULES = [
  {
    ...{ name: "kernel", entry: "index", suffix: "", cells: 16, row: 12 },
    options: ["--use", "TABLE=1", "--importTable", ...SHARED],
  },
  { name: "kernel", entry: "shard", suffix: ".shard", cells: 16, row: 12, options: SHARED },
  { name: "kernel", entry: "records", options: [] },
  { name: "tablebase", entry: "index", suffix: "", cells: 10, row: 10, options: SHARED },
  {
    ...{ name: "layers", entry: "index", suffix: "", cells: 16, row: 12 },
    options: ["--use", "TABLE=0", "--importMemory", "--initialMemory", "1"],
  },
];
const root = join(dirname(fileURLToPath(import.meta.url)), "../packages");
const check = process.argv.includes("--check");

/** Lists the files to compile from a module's source, with their constants. */
function* variants({ entry, suffix, cells, row }) {
  if (suffix === undefined) {
    yield { file: `${entry}.wasm`, constants: [] };
    return;
  }
  for (let rows = 1; rows <= 4; rows++) {
    const most = rows === 1 ? row : cells;
    for (let cols = Math.max(rows, 2); rows * cols <= most; cols++) {
      const constants = ["--use", `ROWS=${rows}`, "--use", `COLS=${cols}`];
      yield { file: `${rows}x${cols}${suffix}.wasm`, constants };
    }
  }
}

/** Compiles a module of the package in the working directory. */
async function compile({ file, constants }, { entry, options }) {
  const outputs = new Map();
  const { error, stderr } = await asc.main(
    [
      `assembly/${entry}.ts`,
      ...options,
      ...["--outFile", "kernel.wasm", "--config", "none"],
      ...constants,
      ...["-O3", "--noAssert", "--runtime", "stub"],
      ...["--enable", "simd", "--enable", "threads", "--enable", "bulk-memory"],
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
  if (error) throw new Error(`${file}: ${error.message}\n${stderr}`);
  const warnings = stderr.toString();
  if (warnings) process.stderr.write(warnings);
  return Buffer.from(outputs.get("kernel.wasm"));
}

let failed = false;
const stale = new Map();
for (const module of MODULES) {
  const { name } = module;
  process.chdir(join(root, name));
  mkdirSync("wasm", { recursive: true });
  if (!stale.has(name)) stale.set(name, new Set(readdirSync("wasm")));
  for (const variant of variants(module)) {
    const { file } = variant;
    const compiled = await compile(variant, module);
    const isThere = stale.get(name).delete(file);
    if (!check) writeFileSync(join("wasm", file), compiled);
    else if (!(isThere && compiled.equals(readFileSync(join("wasm", file))))) {
      console.error(
        `${name}/wasm/${file} differs from its compiled source; run npm run build:kernel`,
      );
      failed = true;
    }
  }
}
for (const [name, files] of stale) {
  for (const file of files) {
    console.error(`${name}/wasm/${file} has no source in assembly/; remove it`);
    failed = true;
  }
}
console.log(
  failed ? "the modules differ" : check ? "the modules match their source" : "compiled the modules",
);
process.exitCode = failed ? 1 : 0;
