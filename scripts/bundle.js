/*
 * Bundles the `gridlock` command into packages/cli/dist/bundle/. Node takes longer to find and read
 * some 250 small modules than to run most commands; here it loads a few larger ones, those of the
 * requested command alone. They are CommonJS, which spares Node the start of its loader of ES
 * modules.
 *
 *     node scripts/bundle.js
 *
 * It also bundles the module of each kind of worker thread, `NAME-worker.js`, into
 * `NAME-worker.cjs` beside it, which `packages/threads/src/thread.ts` prefers: starting a thread
 * then takes half the processor time.
 *
 * `npm ci` and `npm run build` call it once the packages are compiled, and Vitest before the tests.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { writeWhole } from "@gridlock/report";
import { build } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
/** The folder of the bundle, from the root. */
export const BUNDLE = "packages/cli/dist/bundle";
const LICENSES = "LICENSES";

/** Packages used where they are installed: they are native, optional, or read their own files. */
const EXTERNAL = ["@resvg/resvg-wasm", "better-sqlite3", "echarts", "pino"];

/** Lets a folder's bundled modules find files, threads, and packages as from their own places. */
function inPlace(folder) {
  return {
    name: "in-place",
    load: {
      filter: { id: /\/packages\/[^/]+\/dist\/.*\.js$/ },
      handler: (id) => ({
        code: readFileSync(id, "utf8").replaceAll(
          "import.meta.url",
          `new URL(${JSON.stringify(relative(folder, id))}, import.meta.url).href`,
        ),
        map: readFileSync(`${id}.map`, "utf8"),
      }),
    },
  };
}

/** Modules of Node that take milliseconds to load, and that many commands do not use. */
const SLOW = [
  "child_process",
  "crypto",
  "fs/promises",
  "timers/promises",
  "worker_threads",
  "zlib",
];
const SLOW_REQUIRE = new RegExp(
  `^(\\s*(?:let|const) \\w+ = )require\\("(?:node:)?(${SLOW.join("|")})"\\);`,
  "gm",
);

/** Loads such modules of Node when they are first used. */
const lazily = {
  name: "lazily",
  renderChunk: (code) => ({
    code: code.replace(
      SLOW_REQUIRE,
      '$1new Proxy({}, { get: (_, name) => require("node:$2")[name] });',
    ),
    map: null, // no line has moved
  }),
};

/** Returns the licenses of the third-party packages to which some modules belong. */
export function licensesOf(moduleIds) {
  const folders = new Set(
    moduleIds.flatMap((id) => /^\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []),
  );
  const licenses = [...folders].sort().map((folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const { name, version, license } = manifest;
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const text = file ? readFileSync(join(folder, file), "utf8").trim() : license;
    return `${name} ${version}\n\n${text}\n`;
  });
  return licenses.join(`\n${"-".repeat(80)}\n\n`);
}

/** Writes a file, as a whole, if that changes it: a command that starts meanwhile may read it. */
function update(file, contents) {
  if (existsSync(file) && readFileSync(file, "utf8") === contents) return;
  writeWhole(file, contents);
}

/**
 * Bundles a compiled module. Removes other files of the folder if the bundle has one of its own.
 *
 * @param name the bundle's name
 * @param module the module, from the root
 * @param place the folder in which the bundle runs, from the root
 * @param into the folder to write it into
 * @returns the paths of the modules in it
 */
async function bundleModule(name, module, place, { into = join(root, place), ...output } = {}) {
  const built = await build({
    cwd: root,
    input: { [name]: module },
    platform: "node",
    external: EXTERNAL,
    plugins: [inPlace(join(root, place)), lazily],
    optimization: { inlineConst: false }, // tests change constants as the code is loaded
    write: false,
    output: {
      dir: into,
      format: "cjs",
      entryFileNames: "[name].cjs",
      chunkFileNames: "[name].cjs",
      sourcemap: true,
      ...output,
    },
  });
  mkdirSync(into, { recursive: true });
  for (const { type, fileName, code, source } of built.output) {
    update(join(into, fileName), type === "chunk" ? code : source);
  }
  if (place === BUNDLE) {
    const made = new Set(built.output.map(({ fileName }) => fileName));
    const left = readdirSync(into).filter((file) => /\.cjs(\.map)?$/.test(file) && !made.has(file));
    for (const file of left) rmSync(join(into, file));
  }
  return built.output.flatMap((chunk) => chunk.moduleIds ?? []);
}

/** Lists the compiled modules for `packages/threads/src/thread.ts`; they call `answerRequests`. */
function threadModules() {
  const folders = readdirSync(join(root, "packages")).map((name) => `packages/${name}/dist`);
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => file.endsWith("-worker.js"))
    .filter((file) => readFileSync(join(root, file), "utf8").includes("answerRequests"));
}

function bundleThread(module) {
  return bundleModule(basename(module, ".js"), module, dirname(module), { codeSplitting: false });
}

/** Bundles the command that users install, without source maps, into a copy of this repository. */
export async function bundleForUsers(copy) {
  const into = join(copy, BUNDLE);
  await bundleModule("main", "packages/cli/dist/main.js", BUNDLE, { into, sourcemap: false });
  // Those of this repository's bundles, which have all that theirs have.
  copyFileSync(join(root, BUNDLE, LICENSES), join(into, LICENSES));
}

/** Bundles the command of this repository, with the research commands, and the threads. */
export default async function bundle() {
  const threads = threadModules().map(bundleThread);
  const command = bundleModule("main", "packages/lab/dist/main.js", BUNDLE);
  const moduleIds = (await Promise.all([command, ...threads])).flat();
  update(join(root, BUNDLE, LICENSES), licensesOf(moduleIds));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
