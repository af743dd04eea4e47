/*
 * Bundles the `gridlock` command into packages/cli/dist/bundle/. Node takes longer to find and read some 250 small
 * modules than to run most commands; here it loads a few larger ones, those of the requested command alone. They are
 * CommonJS, which spares Node the start of its loader of ES modules.
 *
 *     node scripts/bundle.js
 *
 * `npm ci` and `npm run build` call it once the packages are compiled, and Vitest before the tests. Worker threads run
 * the compiled packages as they are.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
/** The folder of the bundle, from the root. */
export const BUNDLE = "packages/cli/dist/bundle";
const LICENSES = "LICENSES";

/** Packages that are used where they are installed: they are native, optional, or read their own files. */
const EXTERNAL = ["@resvg/resvg-wasm", "better-sqlite3", "echarts", "pino"];

/** Lets a compiled module find files, threads and packages as it would from its own place. */
const inPlace = {
  name: "in-place",
  load: {
    filter: { id: /\/packages\/[^/]+\/dist\/.*\.js$/ },
    handler: (id) => ({
      code: readFileSync(id, "utf8").replaceAll(
        "import.meta.url",
        `new URL(${JSON.stringify(relative(join(root, BUNDLE), id))}, import.meta.url).href`,
      ),
      map: readFileSync(`${id}.map`, "utf8"),
    }),
  },
};

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

/**
 * Bundles a command into a folder.
 *
 * @param main the compiled module of its function `main`, from the root
 * @param sourcemap whether to write source maps too
 */
export async function bundleCommand(main, folder, sourcemap) {
  const { output } = await build({
    cwd: root,
    input: { main },
    platform: "node",
    external: EXTERNAL,
    plugins: [inPlace, lazily],
    optimization: { inlineConst: false }, // tests change constants as the code is loaded
    output: {
      dir: folder,
      format: "cjs",
      entryFileNames: "[name].cjs",
      chunkFileNames: "[name].cjs",
      sourcemap,
    },
  });
  const moduleIds = output.flatMap((chunk) => chunk.moduleIds ?? []);
  writeFileSync(join(folder, LICENSES), licensesOf(moduleIds));
  const made = new Set([LICENSES, ...output.map(({ fileName }) => fileName)]);
  for (const name of readdirSync(folder)) if (!made.has(name)) rmSync(join(folder, name));
}

/** Bundles the command of this repository, with the research commands. */
export default async function bundle() {
  await bundleCommand("packages/lab/dist/main.js", join(root, BUNDLE), true);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
