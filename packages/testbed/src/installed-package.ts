import { spawnSync } from "node:child_process";
import { cpSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** The name of the package that users install. */
export const PACKAGE = "@gridlock/gridlock";

/** The result of a command. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A package manager: how it is called, and its arguments to add a package without the install scripts of others. */
export interface PackageManager {
  readonly command: readonly string[];
  readonly add: readonly string[];
}

/** npm, which takes what its cache has. */
export const NPM: PackageManager = {
  command: ["npm"],
  add: ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"],
};

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
    ...{ name: "query", args: ["4 2 0/0 0 0/0 0 0"] },
    prints: /^value: 180\nbest: (?:.|\n)*\nbest play: \w+ [24]@\d,\d /,
  },
  { name: "stop", args: ["2x6", "0.5"], prints: /^stopped: all that is proven has been saved$/m },
  {
    ...{ name: "kernel", args: ["4 2 0/0 0 0/0 0 0"] },
    prints: /^value: 180, best: \w+.*\nbest play: \w+ [24]@\d,\d /,
  },
];

/** Runs a command; its output is text. */
export function runCommand(
  command: string,
  args: readonly string[],
  { cwd, input = "" }: { readonly cwd: string; readonly input?: string },
): CommandResult {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    ...{ cwd, input, encoding: "utf8" },
  });
  if (error) throw error;
  return { code: status, stdout, stderr };
}

/** Runs a command that must succeed; returns its standard output. */
export function outputOf(command: string, args: readonly string[], cwd: string): string {
  const { code, stdout, stderr } = runCommand(command, args, { cwd });
  if (code !== 0) throw new Error(`${command} ${args.join(" ")}: exit ${code}\n${stdout}${stderr}`);
  return stdout;
}

/** Packs the package into a new folder inside another; returns the tarball's path. */
export function packInto(outside: string): string {
  const folder = join(outside, "tarball");
  mkdirSync(folder);
  outputOf(process.execPath, [join(ROOT, "scripts/pack.js"), folder], ROOT);
  return join(folder, readdirSync(folder)[0] as string);
}

/** Installs the package in an empty folder, without the SQLite driver, which npm would compile or load. */
export function install(tarball: string, folder: string, { command, add }: PackageManager): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const [program, ...first] = command;
  outputOf(program as string, [...first, ...add, tarball], folder);
}

/** Copies the SQLite driver that this repository was installed with, which is the same one. */
export function addDriver(folder: string): void {
  const { resolve } = createRequire(join(folder, "package.json"));
  const own = createRequire(resolve(`${PACKAGE}/package.json`));
  const target = dirname(own.resolve("better-sqlite3/package.json"));
  cpSync(join(ROOT, "node_modules/better-sqlite3/build"), join(target, "build"), {
    recursive: true,
    filter: (file) => !file.includes("obj"),
  });
}

/** Checks the types of the recipes without the DOM's, with those of all libraries, and compiles them into `recipes/`. */
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

/** Returns the size of all files under a folder, in bytes. */
export function bytesUnder(path: string): number {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesUnder(join(path, name)), 0);
}
