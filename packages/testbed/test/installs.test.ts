/*
 * Installs the package in empty folders with each package manager under each version of Node.js, as
 * a user does, and runs the recipes of examples/ and every command there. Deno runs the kernel
 * where npm has installed it. Needs the registry, and takes minutes, so it runs only where versions
 * are named:
 *
 *     INSTALL_UNDER=20,22,24 npx vitest run packages/testbed/test/installs.test.ts [-t pnpm]
 *
 * The SQLite driver is made once for a version: its install script downloads a ready-made one or,
 * where none is to be had, compiles one.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { temporaryFolder } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tryCommands } from "./installed/commands.js";
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
  type PackageManager,
  packInto,
  RECIPES,
  RESOLUTIONS,
} from "./installed/package.js";

const { INSTALL_UNDER = "", PATH = "" } = process.env;
const VERSIONS = INSTALL_UNDER.split(",").filter((version) => version !== "");

/** Draws charts; users install it where they want them. */
const CHARTS = "echarts@6";
/** Loads the kernel without Node's modules. */
const DENO_RECIPE = `
  import { openKernel } from "@gridlock/gridlock/kernel";
  const kernel = await openKernel("3x3", (name) =>
    Deno.readFile(new URL(import.meta.resolve("@gridlock/gridlock/wasm/" + name))));
  console.log("value:", kernel.query("4 2 0/0 0 0/0 0 0").value);
`;

type Environment = Readonly<Record<string, string>>;

let outside: string;
let tarball: string;
/** Where the recipes are compiled, beside an installation. */
let compiled: string;

/** Fetches a version of Node.js; returns its folder, which has its programs and headers. */
function fetchNode(version: string): string {
  const folder = join(outside, `node-${version}`);
  mkdirSync(folder);
  const name = `node-${process.platform}-${process.arch}@${version}`;
  outputOf("npm", ["pack", name, "--silent", "--pack-destination", folder], outside);
  outputOf("tar", ["-xzf", ...readdirSync(folder)], folder);
  return join(folder, "package");
}

/** Returns the environment in which a version of Node.js is used, with a driver for it. */
function environmentOf(version: string): Environment {
  const drivers = join(outside, `drivers-${version}`);
  mkdirSync(drivers);
  if (process.versions.node.startsWith(version)) return offerDriver(DRIVER, drivers);
  const node = fetchNode(version);
  const env = { PATH: join(node, "bin") + delimiter + PATH, npm_config_nodedir: node };
  writeFileSync(join(drivers, "package.json"), "{}");
  const { version: driver } = JSON.parse(readFileSync(join(DRIVER, "package.json"), "utf8"));
  outputOf("npm", ["install", `better-sqlite3@${driver}`], drivers, env);
  const abi = outputOf("node", ["-p", "process.versions.modules"], drivers, env).trim();
  return { ...env, ...offerDriver(join(drivers, "node_modules/better-sqlite3"), drivers, abi) };
}

function run(words: readonly string[], folder: string, env: Environment): string {
  const [program = "", ...args] = words;
  return outputOf(program, args, folder, env);
}

/** Installs the package, which may take only so much room. */
function installed(manager: PackageManager, version: string, env: Environment): string {
  const folder = join(outside, `${manager.add.join("-").replaceAll(/\W+/g, "-")}-${version}`);
  install(tarball, folder, manager, env);
  expect(bytesUnder(folder)).toBeLessThan(MOST_BYTES);
  expect(nativePackages(folder)).toHaveLength(1);
  return folder;
}

describe.runIf(VERSIONS.length > 0)("the package", { tags: ["long"], timeout: 1_800_000 }, () => {
  beforeAll(() => {
    outside = temporaryFolder(afterAll);
    tarball = packInto(outside);
    compiled = join(outside, "compiled");
    const environment = { npm_config_ignore_scripts: "true" };
    install(tarball, compiled, { ...MANAGERS.npm, environment });
    for (const resolution of RESOLUTIONS) compileRecipes(compiled, resolution);
  }, 600_000);

  describe.each(VERSIONS)("under Node.js %s", (version) => {
    let env: Environment;
    beforeAll(() => {
      env = environmentOf(version);
    }, 1_200_000);

    const all: readonly (readonly [string, PackageManager])[] = Object.entries(MANAGERS);
    const managers = all.filter(([, { since = 0 }]) => Number.parseInt(version, 10) >= since);
    it.each(managers)("works with %s", async (_, manager) => {
      const folder = installed(manager, version, env);
      const { run: before = [], environment } = manager;
      const own = { ...env, ...environment };
      cpSync(join(compiled, "recipes"), join(folder, "recipes"), { recursive: true });
      for (const { name, args, prints } of RECIPES) {
        expect(run([...before, "node", `recipes/${name}.js`, ...args], folder, own)).toMatch(
          prints,
        );
      }
      run([...manager.add, CHARTS], folder, own);
      const [first, ...words] =
        before.length > 0 ? [...before, "gridlock"] : [join(folder, "node_modules/.bin/gridlock")];
      await tryCommands([first as string, ...words], { cwd: folder, env: own });
    });

    it("has a kernel that Deno runs", () => {
      const folder = installed(
        { ...MANAGERS.npm, files: { "deno.js": DENO_RECIPE } },
        version,
        env,
      );
      expect(run([...DENO, "run", "--allow-read", "deno.js"], folder, env)).toMatch(
        /^value: 180$/m,
      );
    });
  });
});
