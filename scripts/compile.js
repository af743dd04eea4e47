/*
 * Compiles the search (`kernel`), the sweeps (`tablebase` and `variants`) and the visits (`layers`),
 * each with the sources of other packages that it imports, for all their shapes into the packages'
 * `wasm/`, on all processors. Records in `wasm/digests.json` which source each module was compiled from, and in
 * `wasm/sizes.json` what a loader must know before it makes a memory.
 *
 * With `--check`, exits with 1 if a committed module or its source does not match the recorded
 * digests and sizes, or if 3×3's modules do not match their source when it is compiled again. With
 * `--check --all`, compiles the modules of all shapes again, which takes over a minute.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import asc from "assemblyscript/asc";

/** Options of modules that use a shared memory made by their loaders. */
const SHARED = [
  ...["--importMemory", "--sharedMemory", "--initialMemory", "1", "--maximumMemory", "65536"],
];

/** Options of modules that use a memory made by their loaders for them alone. */
const UNSHARED = ["--importMemory", "--initialMemory", "1"];
/** Options of the search. */
const SEARCH = ["--use", "TABLE=1", "--importTable"];

/**
 * The modules of each package, and their largest shapes: the most cells, and the most cells of a
 * single row. The kernel's modules are the search, with shared memory and without, the shards of
 * tables too large for a single memory, and the packing of records for all shapes. Those of `layers`
 * are the visits, and the check of their files.
 */
const MODULES = [
  {
    ...{ name: "kernel", entry: "index", suffix: "", cells: 16, row: 12 },
    options: [...SEARCH, ...SHARED],
  },
  {
    ...{ name: "kernel", entry: "index", suffix: ".solo", cells: 16, row: 12 },
    options: [...SEARCH, ...UNSHARED],
  },
  { name: "kernel", entry: "shard", suffix: ".shard", cells: 16, row: 12, options: SHARED },
  { name: "kernel", entry: "records", options: [] },
  { name: "tablebase", entry: "index", suffix: "", cells: 10, row: 10, options: SHARED },
  { name: "variants", entry: "index", suffix: "", cells: 9, row: 9, options: SHARED },
  {
    ...{ name: "layers", entry: "index", suffix: "", cells: 16, row: 12 },
    options: ["--use", "TABLE=0", ...SHARED],
  },
  {
    ...{ name: "layers", entry: "check", suffix: ".check", cells: 16, row: 12 },
    options: ["--use", "TABLE=0", ...UNSHARED],
  },
];
const NAMES = [...new Set(MODULES.map(({ name }) => name))];
const root = join(dirname(fileURLToPath(import.meta.url)), "../packages");
const check = process.argv.includes("--check");
const checksAll = process.argv.includes("--all");
const DIGESTS = "digests.json";
const SIZES = "sizes.json";
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
    maxBucketsLog2: exports.MAX_BUCKETS_LOG2.value,
    maxPlacements: exports.MAX_PLACEMENTS.value,
  }),
  tablebase: ({ bytesFor }) => {
    const slotBytes = Number(bytesFor(1) - bytesFor(0));
    return { areaAt: Number(bytesFor(0)) - slotBytes, slotBytes };
  },
  variants: ({ LIST }) => ({ listAt: LIST.value }),
};
/** The packages whose sources others compile into their modules. */
const SHARED_SOURCES = ["boards", "kernel"];
/** The modules that `--check` compiles again. */
const CHECKED = /^(3x3|records)\b/;

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

/** Compiles a variant of a module. */
async function compile({ file, constants }, { name, entry, options }) {
  const outputs = new Map();
  const folder = join(root, name);
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
      readFile: (path) => {
        try {
          return readFileSync(join(folder, path), "utf8");
        } catch {
          return null;
        }
      },
      writeFile: (path, contents) => outputs.set(path, contents),
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`${file}: ${error.message}\n${stderr}`);
  const warnings = stderr.toString();
  if (warnings) process.stderr.write(warnings);
  return Buffer.from(outputs.get("kernel.wasm"));
}

/** Compiles a job's variant; with `--check`, returns a complaint if its file differs. */
async function perform({ variant, module }) {
  const path = join(root, module.name, "wasm", variant.file);
  const compiled = await compile(variant, module);
  if (!check) {
    writeFileSync(path, compiled);
    return undefined;
  }
  try {
    if (compiled.equals(readFileSync(path))) return undefined;
  } catch {
    // The file is missing.
  }
  return `${module.name}/wasm/${variant.file} differs from its compiled source; run npm run build:kernel`;
}

/**
 * Returns the digest of everything from which a package's modules are compiled: sources, options,
 * compiler.
 */
function digestOfSource(name) {
  const hash = createHash("sha256");
  const { version } = createRequire(import.meta.url)("assemblyscript/package.json");
  hash.update(JSON.stringify([version, MODULES.filter((module) => module.name === name)]));
  hash.update(readFileSync(fileURLToPath(import.meta.url)));
  for (const folder of [...new Set([...SHARED_SOURCES, name])]) {
    const assembly = join(root, folder, "assembly");
    for (const file of readdirSync(assembly).sort()) {
      hash.update(`${folder}/${file}`).update(readFileSync(join(assembly, file)));
    }
  }
  return hash.digest("hex");
}

/** Returns the contents of `digests.json` for a package's sources and modules. */
function digestsOf(name, jobs) {
  const modules = {};
  for (const { variant, module } of jobs) {
    if (module.name !== name) continue;
    const hash = createHash("sha256").update(readFileSync(join(root, name, "wasm", variant.file)));
    modules[variant.file] = hash.digest("hex");
  }
  return `${JSON.stringify({ source: digestOfSource(name), modules }, undefined, 2)}\n`;
}

/** Returns the contents of `sizes.json` for a package's modules. */
function sizesOf(name) {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const table = new WebAssembly.Table({ element: "anyfunc", initial: 1 });
  const sizes = {};
  const measured = MODULES.find((module) => module.name === name && module.suffix === "");
  for (const { file } of variants(measured)) {
    const module = new WebAssembly.Module(readFileSync(join(root, name, "wasm", file)));
    const { exports } = new WebAssembly.Instance(module, { env: { memory, table } });
    sizes[file.replace(".wasm", "")] = MEASURES[name](exports);
  }
  return `${JSON.stringify(sizes, undefined, 2)}\n`;
}

/** Yields the files to record beside the modules, with functions that return their contents. */
function* records(jobs) {
  for (const name of NAMES) {
    const folder = join(root, name, "wasm");
    yield { path: join(folder, DIGESTS), contents: () => digestsOf(name, jobs) };
    if (name in MEASURES) yield { path: join(folder, SIZES), contents: () => sizesOf(name) };
  }
}

/** Returns a complaint for each recorded file that does not match the sources or modules. */
function unrecorded(jobs) {
  return [...records(jobs)].flatMap(({ path, contents }) => {
    try {
      if (readFileSync(path, "utf8") === contents()) return [];
    } catch {
      // A file is missing.
    }
    return [
      `modules or their source do not match ${relative(root, path)}; run npm run build:kernel`,
    ];
  });
}

/** Performs the jobs in threads; returns their complaints. */
async function performAll(jobs) {
  const complaints = [];
  let next = 0;
  const runThread = () =>
    new Promise((resolve, reject) => {
      const thread = new Worker(new URL(import.meta.url), { argv: process.argv.slice(2) });
      const giveJob = () => thread.postMessage(jobs[next++]);
      thread.on("message", (complaint) => {
        if (complaint !== undefined) complaints.push(complaint);
        giveJob(); // without a job left it ends
      });
      thread.on("error", reject);
      thread.on("exit", resolve);
      giveJob();
    });
  await Promise.all(Array.from({ length: availableParallelism() }, runThread));
  return complaints;
}

/** Lists the files in the packages' folders that no job makes. */
function strangers(jobs) {
  const made = new Set(jobs.map(({ module, variant }) => `${module.name}/wasm/${variant.file}`));
  return NAMES.flatMap((name) =>
    readdirSync(join(root, name, "wasm"))
      .filter((file) => file !== DIGESTS && file !== SIZES)
      .map((file) => `${name}/wasm/${file}`)
      .filter((file) => !made.has(file)),
  );
}

if (isMainThread) {
  for (const name of NAMES) mkdirSync(join(root, name, "wasm"), { recursive: true });
  const jobs = MODULES.flatMap((module) =>
    [...variants(module)].map((variant) => ({ variant, module })),
  );
  const checked = check && !checksAll;
  const complaints = await performAll(
    checked ? jobs.filter(({ variant }) => CHECKED.test(variant.file)) : jobs,
  );
  if (check) complaints.push(...unrecorded(jobs));
  else {
    for (const { path, contents } of records(jobs)) writeFileSync(path, contents());
  }
  complaints.push(
    ...strangers(jobs).map((file) => `${file} has no source in assembly/; remove it`),
  );
  for (const complaint of complaints) console.error(complaint);
  const failed = complaints.length > 0;
  console.log(
    failed
      ? "the modules differ"
      : check
        ? "the modules match their source"
        : "compiled the modules",
  );
  process.exitCode = failed ? 1 : 0;
} else {
  parentPort.on("message", async (job) => {
    if (job === undefined) parentPort.close();
    else parentPort.postMessage(await perform(job));
  });
}
