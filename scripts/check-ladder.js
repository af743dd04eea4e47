/*
 * Checks the imports between packages in all sources: TypeScript, tests, scripts and
 * AssemblyScript, including imports of types. Prints each import that breaks a rule, and exits with
 * 1 if there is any. The rules:
 *
 * - A package imports only packages above it on the ladder, by their names: "@gridlock/game", or by
 *   an entry that their package.json declares: "@gridlock/kernel/web".
 *   AssemblyScript has no packages; it imports modules of `boards` and `kernel` by their paths, and
 *   no modules of other packages.
 * - `game`, `schemas` and `threads` import no package. `verify` imports no package but `game` and
 *   `threads`. `kernel` does not import `store`.
 * - Packages that find, prove or store bounds do not import `published`: a published value must not
 *   become a reason for itself.
 * - A package's tests import what the package may import, the package itself, and `testbed`. Only
 *   tests import tests.
 * - Scripts import any package, and its modules too. Packages do not import scripts.
 * - Imports form no cycle, imports of types included.
 *
 *     node scripts/check-ladder.js [a folder with packages/ and scripts/]
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync, Visitor } from "oxc-parser";

/** The packages: each imports only those above it. */
const LADDER = [
  "game",
  "schemas",
  "published",
  "boards",
  "threads",
  "store",
  "verify",
  "report",
  "tablebase",
  "kernel",
  "solver",
  "players",
  "answers",
  "gridlock",
  "cluster",
  "explorer",
  "server",
  "site",
  "cli",
  "lab",
  "testbed",
];

/** The packages whose AssemblyScript others compile into their modules. */
const SHARED_ASSEMBLY = ["boards", "kernel"];

/** The packages that find, prove or store bounds. */
const PROVERS = ["store", "tablebase", "kernel", "solver", "cluster"];

/** Lists the packages above another, except for some. */
function above(name, ...excepted) {
  return LADDER.slice(0, LADDER.indexOf(name)).filter((other) => !excepted.includes(other));
}

/** The rules that the ladder does not imply. */
const MAY_IMPORT = {
  ...Object.fromEntries(PROVERS.map((name) => [name, above(name, "published")])),
  schemas: [],
  threads: [],
  verify: ["game", "threads"],
  kernel: above("kernel", "published", "store"),
};

const root = process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url));

/** Lists the source files under a folder, by paths from the root. */
function sourcesUnder(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => /(?<!\.d)\.[cm]?[jt]sx?$/.test(name))
    .map((name) => posix.join(folder, name));
}

/** Lists the specifiers of a file's imports, and of its exports from other modules. */
function specifiersOf(file) {
  // AssemblyScript has decorators on functions, which TypeScript does not.
  const source = readFileSync(join(root, file), "utf8");
  const text = placeOf(file).isAssembly ? source.replaceAll(/^@\w+$/gm, "") : source;
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const found = [];
  const add = ({ source }) => {
    if (source?.type === "Literal") found.push(source.value);
  };
  new Visitor({
    ImportDeclaration: add,
    ExportAllDeclaration: add,
    ExportNamedDeclaration: add,
    ImportExpression: add,
    TSImportType: add,
  }).visit(program);
  return found;
}

/** Returns a file's package (`undefined` for scripts), and whether it is a test or assembly. */
function placeOf(file) {
  const [, own, folder] = /^packages\/([^/]+)\/([^/]+)\//.exec(file) ?? [];
  return { own, isTest: folder === "test", isAssembly: folder === "assembly" };
}

function manifestOf(name) {
  const file = join(root, `packages/${name}/package.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

/** Returns the source file that a relative import refers to. */
function resolve(file, specifier) {
  const path = posix
    .join(posix.dirname(file), specifier)
    .replace(/^(packages\/[^/]+)\/dist\//, "$1/src/");
  const stem = path.replace(/\.js$/, "");
  const candidates = [`${stem}.ts`, `${stem}.tsx`, path];
  return candidates.find((candidate) => existsSync(join(root, candidate)));
}

/** Explains why a file may not import a package; `undefined` if it may. */
function packageFault(file, name) {
  const { own, isTest } = placeOf(file);
  if (!LADDER.includes(name)) return `there is no package ${name} on the ladder`;
  if (own === undefined || (isTest && (name === own || name === "testbed"))) return;
  const allowed = MAY_IMPORT[own] ?? above(own);
  if (!allowed.includes(name)) return `${own} may import only: ${allowed.join(", ") || "nothing"}`;
}

/** Explains why a file may not import another by its path; `undefined` if it may. */
function pathFault(file, target) {
  if (target === undefined) return "there is no such file";
  const [from, to] = [placeOf(file), placeOf(target)];
  if (from.own === undefined) return;
  if (to.own === undefined) return "packages do not import scripts";
  if (to.isTest && !(from.isTest && from.own === to.own))
    return "only the package's tests import tests";
  if (to.isAssembly !== from.isAssembly) return "AssemblyScript and TypeScript share no modules";
  if (from.own === to.own) return;
  if (from.isAssembly && SHARED_ASSEMBLY.includes(to.own)) return packageFault(file, to.own);
  return `packages know each other by their names: @gridlock/${to.own}`;
}

/** Returns what is wrong with an import, or `undefined`, and the files that it leads to. */
function follow(file, specifier) {
  const known = /^@gridlock\/([^/]+)(\/.*)?$/.exec(specifier);
  if (known !== null) {
    const [, name, path = ""] = known;
    if (path === "" || `.${path}` in (manifestOf(name).exports ?? {}))
      return { fault: packageFault(file, name), targets: [] };
    return { fault: "packages know each other by their declared entries alone", targets: [] };
  }
  const { own, isTest } = placeOf(file);
  if (specifier.startsWith("#")) {
    const variants = Object.values(manifestOf(own).imports?.[specifier] ?? { none: "none" });
    const targets = variants.map((path) => resolve(`packages/${own}/.`, path));
    return { fault: targets.includes(undefined) ? "there is no such file" : undefined, targets };
  }
  if (specifier.startsWith(".")) {
    const target = resolve(file, specifier);
    return { fault: pathFault(file, target), targets: [target] };
  }
  return { fault: own === "game" && !isTest ? "game may import nothing" : undefined, targets: [] };
}

/**
 * Lists cycles among imports, each as a path that ends where it begins. Finds at least one if there
 * are any.
 */
function findCycles(imports) {
  const cycles = [];
  const done = new Set();
  const visit = (file, path) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file]);
    if (path.includes(file) || done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return cycles;
}

const faults = [];
const imports = new Map();
const packages = readdirSync(join(root, "packages"));
const folders = packages.flatMap((name) =>
  ["src", "bin", "test", "assembly"].map((folder) => `packages/${name}/${folder}`),
);
for (const name of packages) {
  if (!LADDER.includes(name)) faults.push(`packages/${name} is not on the ladder`);
}
for (const file of [...folders, "scripts"].flatMap(sourcesUnder)) {
  imports.set(file, []);
  for (const specifier of specifiersOf(file)) {
    const { fault, targets } = follow(file, specifier);
    if (fault === undefined) imports.get(file).push(...targets);
    else faults.push(`${file} imports ${specifier}: ${fault}`);
  }
}
for (const cycle of findCycles(imports)) faults.push(`imports form a cycle: ${cycle.join(" → ")}`);

for (const fault of faults) console.error(fault);
console.log(
  faults.length > 0
    ? `${faults.length} faults`
    : `the imports of ${imports.size} files keep to the ladder`,
);
process.exitCode = Math.min(faults.length, 1);
