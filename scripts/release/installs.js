/*
 * Packs the package that users install, and installs it in empty folders with each package manager under each version
 * of Node.js, as a user does. Runs the recipes of examples/ there, and every command. Prints a line for each
 * installation, and exits with 1 if one fails.
 *
 *     node scripts/release/installs.js                       with all package managers, under this Node.js
 *     node scripts/release/installs.js --with npm,pnpm,deno  with these; Deno runs the kernel where npm has installed it
 *     node scripts/release/installs.js --node 20,22,24       under these versions
 *
 * The package managers and versions of Node.js come from the registry. The SQLite driver is made once for a version:
 * its install script downloads a ready-made one or, where none is to be had, compiles one, which takes minutes.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import {
  bytesUnder,
  compileRecipes,
  DENO,
  DRIVER,
  install,
  MANAGERS,
  MOST_BYTES,
  nativePackages,
  offerDriver,
  outputOf,
  packInto,
  RECIPES,
  RESOLUTIONS,
  temporaryFolder,
  tryCommands,
} from "@gridlock/testbed";
import { parseCommandLine } from "../command-line.js";

const { values: flags } = parseCommandLine({
  options: {
    with: { type: "string", default: [...Object.keys(MANAGERS), "deno"].join() },
    node: { type: "string", default: process.versions.node },
  },
});

/** Draws charts; users install it where they want them. */
const CHARTS = "echarts@6";
/** Loads the kernel without Node's modules. */
const DENO_RECIPE = `
  import { openKernel } from "@gridlock/gridlock/kernel";
  const kernel = await openKernel("3x3", (name) =>
    Deno.readFile(new URL(import.meta.resolve("@gridlock/gridlock/wasm/" + name))));
  console.log("value:", kernel.query("4 2 0/0 0 0/0 0 0").value);
`;

const outside = temporaryFolder((remove) => process.on("exit", remove));
const tarball = packInto(outside);
/** Where the recipes are compiled, beside an installation. */
const compiled = join(outside, "compiled");

/** Returns the package manager that installs what a name stands for. */
function managerOf(name) {
  const manager = MANAGERS[name === "deno" ? "npm" : name];
  if (manager) return manager;
  throw new Error(`${name} is not known; expected ${Object.keys(MANAGERS).join(", ")} or deno`);
}

/** Fetches a version of Node.js; returns its folder, which has its programs and headers. */
function fetchNode(version) {
  const folder = join(outside, `node-${version}`);
  mkdirSync(folder);
  const name = `node-${process.platform}-${process.arch}@${version}`;
  outputOf("npm", ["pack", name, "--silent", "--pack-destination", folder], outside);
  outputOf("tar", ["-xzf", ...readdirSync(folder)], folder);
  return join(folder, "package");
}

/** Returns the environment in which a version of Node.js is used, with a driver for it. */
function environmentOf(version) {
  const drivers = join(outside, `drivers-${version}`);
  mkdirSync(drivers);
  if (process.versions.node.startsWith(version)) return offerDriver(DRIVER, drivers);
  const node = fetchNode(version);
  const env = {
    PATH: join(node, "bin") + delimiter + process.env.PATH,
    npm_config_nodedir: node,
  };
  writeFileSync(join(drivers, "package.json"), "{}");
  const { version: driver } = JSON.parse(readFileSync(join(DRIVER, "package.json"), "utf8"));
  outputOf("npm", ["install", `better-sqlite3@${driver}`], drivers, env);
  const abi = outputOf("node", ["-p", "process.versions.modules"], drivers, env).trim();
  return { ...env, ...offerDriver(join(drivers, "node_modules/better-sqlite3"), drivers, abi) };
}

function expectOutput(program, args, folder, env, expected) {
  const output = outputOf(program, args, folder, env);
  if (!expected.test(output))
    throw new Error(`${program} ${args.join(" ")} printed ${output.slice(-500)}`);
}

/** Installs the package with a package manager, and uses it; returns what there is to say of it. */
async function tryManager(name, folder, env) {
  const manager = managerOf(name);
  install(tarball, folder, manager, env);
  const bytes = bytesUnder(folder);
  const native = nativePackages(folder);
  const figures = `${(bytes / 1e6).toFixed(1)} MB, native: ${native.join(", ")}`;
  if (bytes > MOST_BYTES || native.length !== 1) throw new Error(`${figures}: too much`);
  if (name === "deno") {
    writeFileSync(join(folder, "deno.js"), DENO_RECIPE);
    const [program, ...args] = [...DENO, "run", "--allow-read", "deno.js"];
    expectOutput(program, args, folder, env, /^value: 180$/m);
    return figures;
  }
  const { run = [] } = manager;
  const all = { ...env, ...manager.environment };
  cpSync(join(compiled, "recipes"), join(folder, "recipes"), { recursive: true });
  for (const { name: recipe, args, prints } of RECIPES) {
    const [program, ...first] = [...run, "node", `recipes/${recipe}.js`];
    expectOutput(program, [...first, ...args], folder, all, prints);
  }
  const [add, ...words] = manager.add;
  outputOf(add, [...words, CHARTS], folder, all);
  const command =
    run.length > 0 ? [...run, "gridlock"] : [join(folder, "node_modules/.bin/gridlock")];
  await tryCommands(command, { cwd: folder, env: all });
  return figures;
}

install(tarball, compiled, { ...MANAGERS.npm, environment: { npm_config_ignore_scripts: "true" } });
for (const resolution of RESOLUTIONS) compileRecipes(compiled, resolution);
for (const version of flags.node.split(",")) {
  const env = environmentOf(version);
  const exact = outputOf("node", ["--version"], outside, env).trim();
  for (const name of flags.with.split(",")) {
    const { since = 0 } = managerOf(name);
    const title = `${name.padEnd(12)} Node.js ${exact.slice(1).padEnd(8)}`;
    if (Number.parseInt(exact.slice(1), 10) < since) {
      console.log(`${title} skipped: it needs Node.js ${since} or newer`);
      continue;
    }
    try {
      const figures = await tryManager(name, join(outside, `${name}-${version}`), env);
      console.log(`${title} ${figures}: works`);
    } catch (error) {
      console.log(`${title} FAILED: ${error.message}`);
      process.exitCode = 1;
    }
  }
}
