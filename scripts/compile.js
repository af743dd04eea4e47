/*
 * Compiles the search (`kernel`), the expansion of claims (`solver`) and the sweeps (`tablebase`),
 * each with the sources of other packages that it imports, for all their shapes into the packages'
 * `wasm/`, on all processors. Records in `wasm/digests.json` which source each module was compiled
 * from, and in `wasm/sizes.json` what a loader must know before it makes a memory.
 *
 * With `--check`, exits with 1 if a committed module or its source does not match the recorded
 * digests and sizes, or if 3×3's modules do not match their source when it is compiled again. With
 * `--check --all`, compiles the modules of all shapes again, which takes over a minute.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import asc from "assemblyscript/asc";
import { writeOrCheck } from "./files.js";

/** Options of modules that use a shared memory made by their loaders. */
const SHARED = "--importMemory --sharedMemory --initialMemory 1 --maximumMemory 65536";
/** Options of modules that use a memory made by their loaders for them alone. */
const UNSHARED = "--importMemory --initialMemory 1";
/** Options of the search. */
const SEARCH = "--use TABLE=1 --use SMALL=0 --importTable";
/** Options of the expansion of claims. */
const EXPANSION = "--use TABLE=0 --use SMALL=0";

/**
 * The modules of each package, and their largest shapes: the most cells, and the most cells of a
 * single row. The kernel's modules are the search, with shared memory and without, the shards of
 * tables too large for a single memory, small tables, and the packing of records for all shapes.
 */
const MODULES = [
  ["kernel", "index", "", 16, 12, `${SEARCH} ${SHARED}`],
  ["kernel", "index", ".solo", 16, 12, `${SEARCH} ${UNSHARED}`],
  ["kernel", "shard", ".shard", 16, 12, `--use SMALL=0 ${SHARED}`],
  ["kernel", "shard", ".small", 16, 12, `--use SMALL=1 ${UNSHARED}`],
  ["kernel", "records", undefined, 0, 0, ""],
  ["tablebase", "index", "", 10, 10, SHARED],
  ["solver", "index", "", 16, 12, `${EXPANSION} ${SHARED}`],
].map(([name, entry, suffix, cells, row, options]) => ({
  name,
  entry,
  suffix,
  cells,
  row,
  options,
}));
const NAMES = [...new Set(MODULES.map(({ name }) => name))];
const root = fileURLToPath(new URL("..", import.meta.url));
const check = process.argv.includes("--check");
const checksAll = process.argv.includes("--all");
/**
 * Functions that return the sizes of a module from its exports. The loaders read them from a file:
 * asking the module takes a memory, and each memory reserves up to 10 GiB of address space.
 */
const MEASURES = {
  kernel: (exports) => ({
    threadsAt: exports.tableAt(0),
    threadBytes: exports.tableAt(1) - exports.tableAt(0),
    bucketBytes: exports.BUCKET_BYTES.value,
    minBucketsLog2: exports.MIN_BUCKETS_LOG2.value,
    smallMinBucketsLog2: exports.SMALL_MIN_BUCKETS_LOG2.value,
    maxBucketsLog2: exports.MAX_BUCKETS_LOG2.value,
    maxPlacements: exports.MAX_PLACEMENTS.value,
  }),
  tablebase: ({ SCRATCH, SCRATCH_BYTES }) => ({
    scratchAt: SCRATCH.value,
    threadBytes: SCRATCH_BYTES.value,
  }),
  solver: ({ threadAt }) => ({ threadsAt: threadAt(0), threadBytes: threadAt(1) - threadAt(0) }),
};
/** The packages whose sources others compile into their modules. */
const SHARED_SOURCES = ["boards", "kernel"];
/** The modules that `--check` compiles again without `--all`. */
const CHECKED = /^(3x3|records)\b/;

/** Lists the files to compile from a module's source: their paths, package, and options. */
function jobsOf({ name, entry, suffix, cells, row, options }) {
  const job = (file, constants) => ({
    path: `packages/${name}/wasm/${file}`,
    name,
    args: `assembly/${entry}.ts ${options} ${constants}`.trim().split(/ +/),
  });
  if (suffix === undefined) return [job(`${entry}.wasm`, "")];
  const jobs = [];
  for (let rows = 1; rows <= 4; rows++) {
    const most = rows === 1 ? row : cells;
    for (let cols = Math.max(rows, 2); rows * cols <= most; cols++) {
      jobs.push(job(`${rows}x${cols}${suffix}.wasm`, `--use ROWS=${rows} --use COLS=${cols}`));
    }
  }
  return jobs;
}

/** Compiles a job's module. */
async function compile({ path, name, args }) {
  const outputs = new Map();
  const { error, stderr } = await asc.main(
    [
      ...[...args, "--outFile", "kernel.wasm", "--config", "none"],
      ...["-O3", "--noAssert", "--runtime", "stub"],
      ...["--enable", "simd", "--enable", "threads", "--enable", "bulk-memory"],
    ],
    {
      readFile: (file) => {
        try {
          return readFileSync(join(root, "packages", name, file), "utf8");
        } catch {
          return null;
        }
      },
      writeFile: (file, contents) => outputs.set(file, contents),
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`${path}: ${error.message}\n${stderr}`);
  process.stderr.write(stderr.toString());
  return Buffer.from(outputs.get("kernel.wasm"));
}

/** Compiles jobs in threads; returns the modules by their paths. */
async function compileAll(jobs) {
  const modules = new Map();
  const rest = [...jobs];
  const runThread = async () => {
    const thread = new Worker(new URL(import.meta.url));
    for (let job = rest.shift(); job !== undefined; job = rest.shift()) {
      thread.postMessage(job);
      modules.set(job.path, (await once(thread, "message"))[0]);
    }
    await thread.terminate();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runThread));
  return modules;
}

const digestOf = (data) => createHash("sha256").update(data).digest("hex");

/**
 * Returns the digests of a package's modules, and of everything from which they are compiled:
 * sources, options, compiler.
 */
function digestsOf(name) {
  const hash = createHash("sha256");
  const { version } = createRequire(import.meta.url)("assemblyscript/package.json");
  hash.update(JSON.stringify([version, MODULES.filter((module) => module.name === name)]));
  hash.update(readFileSync(fileURLToPath(import.meta.url)));
  for (const folder of new Set([...SHARED_SOURCES, name])) {
    const assembly = join(root, "packages", folder, "assembly");
    for (const file of readdirSync(assembly).sort()) {
      hash.update(`${folder}/${file}`).update(readFileSync(join(assembly, file)));
    }
  }
  const wasm = join(root, "packages", name, "wasm");
  const files = readdirSync(wasm).filter((file) => file.endsWith(".wasm"));
  const modules = files.sort().map((file) => [file, digestOf(readFileSync(join(wasm, file)))]);
  return { source: hash.digest("hex"), modules: Object.fromEntries(modules) };
}

/** Returns the sizes of a package's modules. */
function sizesOf(name) {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const table = new WebAssembly.Table({ element: "anyfunc", initial: 1 });
  const measured = MODULES.find((module) => module.name === name && module.suffix === "");
  const sizes = jobsOf(measured).map(({ path }) => {
    const module = new WebAssembly.Module(readFileSync(join(root, path)));
    const imports = { env: { memory, table }, kernel: { ask: () => -1 } };
    const { exports } = new WebAssembly.Instance(module, imports);
    return [basename(path, ".wasm"), MEASURES[name](exports)];
  });
  return Object.fromEntries(sizes);
}

/** Returns the files that are recorded beside the modules. */
function records() {
  const files = NAMES.flatMap((name) => [
    [`packages/${name}/wasm/digests.json`, digestsOf(name)],
    ...(name in MEASURES ? [[`packages/${name}/wasm/sizes.json`, sizesOf(name)]] : []),
  ]);
  return new Map(files.map(([path, data]) => [path, `${JSON.stringify(data, null, 2)}\n`]));
}

const jobs = MODULES.flatMap(jobsOf);
if (!isMainThread) {
  parentPort.on("message", async (job) => parentPort.postMessage(await compile(job)));
} else {
  const isChecked = ({ path }) => checksAll || CHECKED.test(basename(path));
  const modules = await compileAll(check ? jobs.filter(isChecked) : jobs);
  if (!check)
    for (const name of NAMES) rmSync(join(root, "packages", name, "wasm"), { recursive: true });
  writeOrCheck("npm run build:kernel", modules);
  writeOrCheck("npm run build:kernel", records());
  console.log(
    check
      ? `the modules ${process.exitCode ? "differ" : "match their source"}`
      : "compiled the modules",
  );
}
