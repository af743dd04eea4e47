import { spawnSync } from "node:child_process";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

/** The folder of the SQLite driver that this repository was installed with. */
export const DRIVER = join(ROOT, "node_modules/better-sqlite3");

/** The name of the package that users install. */
export const PACKAGE = "@gridlock/gridlock";

/** Where a command runs, its standard input, and what is added to this process's environment. */
export interface CommandOptions {
  readonly cwd: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The result of a command. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A package manager: its command that adds a tarball to a project, and what it reads. */
export interface PackageManager {
  /** The command, without the tarball, whose path follows. */
  readonly add: readonly string[];
  /** The prefix of the tarball's path. */
  readonly prefix?: string;
  /** The command that runs others, `node` too, if they do not find what is installed without it. */
  readonly run?: readonly string[];
  /** Files that the project needs, and their text. */
  readonly files?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** The oldest major version of Node.js that it supports, if that is not Gridlock's. */
  readonly since?: number;
}

/** Returns the command of a program in a package, which npx fetches unless npm's cache has it. */
function fetched(version: string, program: string): string[] {
  return ["npx", "--yes", "--prefer-offline", `--package=${version}`, program];
}

/** The manifest of the project that the package is installed in. */
const MANIFEST = { private: true, type: "module" };
const NPM_INSTALL = ["install", "--prefer-offline", "--no-audit", "--no-fund"];
const YARN = fetched("@yarnpkg/cli-dist@4.18.1", "yarn");

/** The package managers, with the commands that the README of the package recommends. */
export const MANAGERS = {
  npm: { add: ["npm", ...NPM_INSTALL] },
  npm12: {
    since: 22,
    add: [...fetched("npm@12.2.2", "npm"), ...NPM_INSTALL],
    files: {
      "package.json": JSON.stringify({ ...MANIFEST, allowScripts: { "better-sqlite3": true } }),
    },
  },
  pnpm: {
    add: [...fetched("pnpm@10.34.9", "pnpm"), "add", "--allow-build=better-sqlite3"],
    environment: { npm_config_prefer_offline: "true" },
  },
  yarn: {
    add: [...YARN, "add"],
    prefix: `${PACKAGE}@file:`,
    run: [...YARN, "exec"],
    files: { "yarn.lock": "" },
    environment: { YARN_ENABLE_SCRIPTS: "true", YARN_ENABLE_GLOBAL_CACHE: "false" },
  },
  "yarn-classic": { add: [...fetched("yarn@1.22.22", "yarn"), "add"] },
  bun: { add: [...fetched("bun@1.4.5", "bun"), "add"] },
} as const satisfies Readonly<Record<string, PackageManager>>;

/** The command of Deno. */
export const DENO = fetched("deno@2.9.6", "deno");

/** Bytes that the files of an installation may have. */
export const MOST_BYTES = 80e6;

/** Module resolutions of TypeScript, and the kinds of modules that they go with. */
export const RESOLUTIONS = [
  { module: "ESNext", moduleResolution: "bundler" },
  { module: "Node16", moduleResolution: "node16" },
  { module: "NodeNext", moduleResolution: "nodenext" },
] as const;

/** The recipes of `examples/`: their arguments, and lines that they print. */
export const RECIPES: readonly {
  readonly name: string;
  readonly args: readonly string[];
  readonly prints: RegExp;
}[] = [
  { name: "solve", args: ["2x3"], prints: /^2 2 0\/0 0 0: 44, best play ends with [\d /]+$/m },
  {
    name: "query",
    args: ["4 2 0/0 0 0/0 0 0"],
    prints: /^value: 180\nbest: (?:.|\n)*\nbest play: \w+ [24]@\d,\d /,
  },
  { name: "stop", args: ["2x6", "0.5"], prints: /^stopped: all that is proven has been saved$/m },
  {
    name: "kernel",
    args: ["4 2 0/0 0 0/0 0 0"],
    prints: /^value: 180, best: \w+.*\nbest play: \w+ [24]@\d,\d /,
  },
];

/** Runs a command; its output is text. */
export function runCommand(
  command: string,
  args: readonly string[],
  { cwd, input = "", env = {} }: CommandOptions,
): CommandResult {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    input,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  if (error) throw error;
  return { code: status, stdout, stderr };
}

/** Runs a command that must succeed; returns its standard output. */
export function outputOf(
  command: string,
  args: readonly string[],
  cwd: string,
  env?: CommandOptions["env"],
): string {
  const { code, stdout, stderr } = runCommand(command, args, { cwd, ...(env && { env }) });
  if (code !== 0) throw new Error(`${command} ${args.join(" ")}: exit ${code}\n${stdout}${stderr}`);
  return stdout;
}

/** Packs the package into a new folder inside another; returns the tarball's path. */
export function packInto(outside: string): string {
  const folder = join(outside, "tarball");
  mkdirSync(folder);
  outputOf(process.execPath, [join(ROOT, "scripts/release/pack.js"), folder], ROOT);
  return join(folder, readdirSync(folder)[0] as string);
}

/** Installs the package in an empty folder, as its users do. */
export function install(
  tarball: string,
  folder: string,
  { add, prefix = "", files = {}, environment = {} }: PackageManager,
  env: CommandOptions["env"] = {},
): void {
  mkdirSync(folder, { recursive: true });
  const manifest = { "package.json": JSON.stringify(MANIFEST) };
  for (const [name, text] of Object.entries({ ...manifest, ...files })) {
    writeFileSync(join(folder, name), text);
  }
  const [program, ...args] = add;
  outputOf(program as string, [...args, prefix + tarball], folder, { ...environment, ...env });
}

/**
 * Packs the SQLite driver's native part, as its install script expects it, into a folder.
 *
 * @param driver the folder of the driver's package, with the native part
 * @param abi the version of Node's ABI that it has been built for
 * @returns an environment in which the install script takes it, instead of downloading one or
 *   compiling
 */
export function offerDriver(
  driver: string,
  folder: string,
  abi = process.versions.modules,
): Readonly<Record<string, string>> {
  const { version } = JSON.parse(readFileSync(join(driver, "package.json"), "utf8"));
  const system = `node-v${abi}-${process.platform}-${process.arch}`;
  const file = join(folder, `better-sqlite3-v${version}-${system}.tar.gz`);
  outputOf("tar", ["-czf", file, "build/Release/better_sqlite3.node"], driver);
  return { npm_config_better_sqlite3_local_prebuilds: folder };
}

/** Compiles the recipes into `recipes/`, checking also all libraries' types, without the DOM's. */
export function compileRecipes(folder: string, resolution: (typeof RESOLUTIONS)[number]): void {
  cpSync(join(ROOT, "examples"), join(folder, "examples"), { recursive: true });
  const types = join(folder, "node_modules/@types");
  mkdirSync(types, { recursive: true });
  const node = join(types, "node");
  if (!lstatSync(node, { throwIfNoEntry: false })) {
    symlinkSync(join(ROOT, "node_modules/@types/node"), node);
  }
  const options = { ...resolution, skipLibCheck: false, outDir: "../recipes" };
  const file = join(folder, "examples", `tsconfig.${resolution.moduleResolution}.json`);
  writeFileSync(file, JSON.stringify({ extends: "./tsconfig.json", compilerOptions: options }));
  outputOf(join(ROOT, "node_modules/.bin/tsc"), ["-p", file], folder);
}

/** Lists the packages under a folder that have a native module, or the means to build one. */
export function nativePackages(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const native = files.filter((file) => /\.node$|\bbinding\.gyp$/.test(file));
  const names = native.map(
    (file) => /.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(`/${file}`)?.[1] ?? file,
  );
  return [...new Set(names)];
}

/** Returns the size of all files under a folder, in bytes. */
export function bytesUnder(path: string): number {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesUnder(join(path, name)), 0);
}
