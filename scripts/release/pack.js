/*
 * Packs the package that users install, with the command and the library: the bundle of the
 * command, and the compiled packages of this repository, as they are, with the third-party packages
 * that they need as its dependencies.
 *
 *     node scripts/release/pack.js FOLDER
 *
 * The folder must exist. `npm install FOLDER/*.tgz` installs it anywhere; so do pnpm, Yarn and Bun.
 * Imports of the repository's packages become relative, since package managers would look for them
 * in the registry. BullMQ is bundled: it depends on a native module, which is compiled where no
 * ready-made build of it can be had.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { TemporaryFolder } from "@gridlock/testbed";
import { build } from "rolldown";
import { bundleForUsers, licensesOf } from "../bundle.js";
import { parseCommandLine } from "../command-line.js";
import { JSON_TYPES, jsonTypes } from "../json-types.js";

/** The package with the entries of the library. */
const LIBRARY = "gridlock";
/** Packages that are not part of the installed program. */
const LEFT_OUT = ["boards", "lab", "testbed"];
/** What a program runs from, in the folder of a package. */
const PARTS = ["bin", "dist", "site", "wasm", "web"];
/** Files that the pages of `gridlock serve` show. */
const SHOWN = new Set([".csv", ".json", ".md", ".png", ".svg"]);
const BUNDLED = "bullmq";
/** Packages that are used where they are installed: one is large, the other one native. */
const OPTIONAL = { echarts: "6", koffi: "3" };

const root = fileURLToPath(new URL("../..", import.meta.url));

const manifests = new Map(
  readdirSync(join(root, "packages"))
    .filter((name) => !LEFT_OUT.includes(name))
    .map((name) => [name, readFileSync(join(root, "packages", name, "package.json"), "utf8")])
    .map(([name, manifest]) => [name, JSON.parse(manifest)]),
);

/** Makes the imports in a compiled file relative. */
function rewrite(file, staged) {
  const text = readFileSync(file, "utf8");
  const own = text.replaceAll(/"(@gridlock\/[^"]+)"/g, (_, specifier) => {
    // It would be looked up from the place of the module that does so, which a bundle does not
    // show.
    if (file.endsWith(".cjs")) throw new Error(`${file} looks up ${specifier} when it runs`);
    const target = relative(root, fileURLToPath(import.meta.resolve(specifier)));
    const path = relative(dirname(file), join(staged, target));
    return JSON.stringify(path.startsWith(".") ? path : `./${path}`);
  });
  // The command's bundle loads it from the place of the module that does so.
  const place = file.endsWith(".cjs") ? join(staged, "packages/cluster/dist") : dirname(file);
  const vendor = relative(place, join(staged, `vendor/${BUNDLED}.cjs`));
  const rewritten = own.replaceAll(`"${BUNDLED}"`, JSON.stringify(vendor));
  if (rewritten !== text) writeFileSync(file, rewritten);
}

/** Lists the declarations that those of a file refer to, and itself. */
function declarationsFrom(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, path] of readFileSync(file, "utf8").matchAll(/ from "(\.[^"]+)\.js"/g)) {
    declarationsFrom(join(dirname(file), `${path}.d.ts`), found);
  }
  return found;
}

/** Copies what the packages run from, and the types of the library. */
async function copyPackages(staged) {
  const types = new Set(
    Object.values(manifests.get(LIBRARY).exports).flatMap((entry) => [
      ...declarationsFrom(join(root, "packages", LIBRARY, entry.types)),
    ]),
  );
  const isCopied = (file) =>
    !file.endsWith(".map") &&
    !/\/cli\/dist\/./.test(file) && // the command's bundle has it all
    (!file.endsWith(".d.ts") || types.has(file));
  for (const name of manifests.keys()) {
    const folder = join(staged, "packages", name);
    for (const part of PARTS) {
      const own = join(root, "packages", name, part);
      if (!existsSync(own)) continue;
      cpSync(own, join(folder, part), { recursive: true, filter: isCopied });
    }
    if (name === "cli") await bundleForUsers(staged);
    const files = readdirSync(folder, { recursive: true }).filter((file) => /\.c?js$/.test(file));
    for (const file of files) rewrite(join(folder, file), staged);
  }
}

/** Bundles a third-party package into `vendor/`, with the licenses of all that is in it. */
async function bundle(staged) {
  const { resolve: find } = createRequire(join(root, "packages/cluster/package.json"));
  const { output } = await build({
    input: find(BUNDLED),
    platform: "node",
    external: [/^(ioredis|msgpackr-extract)(\/|$)/],
    write: false,
    output: { format: "cjs", codeSplitting: false },
  });
  const [{ code, moduleIds }] = output;
  mkdirSync(join(staged, "vendor"));
  writeFileSync(join(staged, `vendor/${BUNDLED}.cjs`), code);
  writeFileSync(join(staged, "vendor/LICENSES"), licensesOf(moduleIds));
}

/** Returns a part of a manifest with paths from the root. */
function moved(part, name) {
  if (typeof part === "string") return part.replace(/^\./, `./packages/${name}`);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, moved(value, name)]));
}

function manifestOf() {
  const { name, version, description, keywords, license, engines, exports } =
    manifests.get(LIBRARY);
  const needed = [...manifests.values()].flatMap(({ dependencies = {} }) =>
    Object.entries(dependencies),
  );
  const dependencies = needed.filter(
    ([other]) => !/^@(gridlock|types)\//.test(other) && other !== BUNDLED,
  );
  return {
    name,
    version,
    description,
    keywords,
    license,
    engines,
    type: "module",
    bin: { gridlock: "packages/cli/bin/gridlock.js" },
    exports: {
      ...moved(exports, LIBRARY),
      "./wasm/*": "./packages/kernel/wasm/*",
      "./schemas/*": "./docs/schemas/*",
      "./package.json": "./package.json",
    },
    imports: Object.fromEntries(
      [...manifests].flatMap(([other, { imports = {} }]) => Object.entries(moved(imports, other))),
    ),
    sideEffects: [...manifests].flatMap(([other, { sideEffects }]) =>
      (sideEffects || []).map((file) => moved(file, other)),
    ),
    dependencies: Object.fromEntries(dependencies.sort(([a], [b]) => (a < b ? -1 : 1))),
    peerDependencies: OPTIONAL,
    peerDependenciesMeta: Object.fromEntries(
      Object.keys(OPTIONAL).map((other) => [other, { optional: true }]),
    ),
  };
}

const [folder] = parseCommandLine({ allowPositionals: true }).positionals;
if (folder === undefined) throw new Error("expected a folder: node scripts/release/pack.js FOLDER");
const staged = new TemporaryFolder().path;
await copyPackages(staged);
writeFileSync(join(staged, "packages", JSON_TYPES), await jsonTypes());
await bundle(staged);
for (const shown of ["docs", "results"]) {
  cpSync(join(root, shown), join(staged, shown), {
    recursive: true,
    filter: (file) => extname(file) === "" || SHOWN.has(extname(file)),
  });
}
cpSync(join(root, "LICENSE"), join(staged, "LICENSE"));
cpSync(join(root, "packages", LIBRARY, "README.md"), join(staged, "README.md"));
writeFileSync(join(staged, "package.json"), `${JSON.stringify(manifestOf(), null, 2)}\n`);
const { status } = spawnSync("npm", ["pack", "--silent", "--pack-destination", resolve(folder)], {
  cwd: staged,
  stdio: "inherit",
});
process.exitCode = status ?? 1;
