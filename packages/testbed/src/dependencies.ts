import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { formatTable } from "@gridlock/report";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Bytes of npm's output about all packages. */
const MOST_OUTPUT = 2 ** 26;

/** SPDX identifiers of the licenses that ask for no more than notices. */
const PERMISSIVE = new Set(
  [
    "0BSD",
    "Apache-2.0",
    "BlueOak-1.0.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
  ].concat(["MIT-0", "PSF-2.0", "Python-2.0", "Unlicense", "WTFPL", "Zlib"]),
);

/** Packages with other licenses, and why they may be used. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "axe-core": "MPL-2.0; the tests use it unchanged, and no published package depends on it",
  "@resvg/resvg-wasm": "MPL-2.0; npm installs it unchanged, with its license, beside Gridlock",
};

/** Packages that are held back on purpose. */
const HELD_BACK: Readonly<Record<string, string>> = {
  "@types/node": "has the types of the oldest Node that is supported",
  "@types/better-sqlite3": "has the types of better-sqlite3 12",
  "better-sqlite3": "13 needs Node 22",
  commander: "15 needs Node 22",
  typescript: "openapi-typescript needs the compiler API of 5",
  vitest: "5 needs Node 22",
};

/** An installed package, as npm describes it. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression or, in old packages, an object. */
  readonly license?: string | { readonly type: string };
}

/** Lists the installed packages that users of Gridlock, or its tests, run. */
export async function productionPackages(): Promise<InstalledPackage[]> {
  const packages = JSON.parse(await npm("query", ".prod")) as InstalledPackage[];
  return packages.filter(({ name }) => name !== "gridlock" && !name.startsWith("@gridlock/"));
}

/** Returns the packages whose licenses are not permissive or not known, as sentences. */
export function licenseFaults(packages: readonly InstalledPackage[]): string[] {
  return packages.flatMap(({ name, version, license }) => {
    const expression = typeof license === "string" ? license : license?.type;
    if (isPermissive(expression) || name in EXCEPTIONS) return [];
    return [`${name} ${version} has the license ${expression ?? "(not stated)"}`];
  });
}

/** Returns whether an SPDX expression without AND and WITH offers a permissive license. */
function isPermissive(expression = ""): boolean {
  return expression
    .replace(/^\((.*)\)$/, "$1")
    .split(" OR ")
    .some((license) => PERMISSIVE.has(license));
}

/** Counts the packages of each license; lists the exceptions. */
function licenseTable(packages: readonly InstalledPackage[]): string[][] {
  const byLicense = new Map<string, string[]>();
  for (const { name, license } of packages) {
    const expression = typeof license === "string" ? license : (license?.type ?? "(not stated)");
    byLicense.set(expression, [...(byLicense.get(expression) ?? []), name]);
  }
  return [...byLicense].map(([license, names]) => {
    const reasons = names.flatMap((name) => EXCEPTIONS[name] ?? []);
    const [first = ""] = names;
    const examples = names.length === 1 ? first : `${first} and others`;
    return [license, `${names.length}`, [examples, ...reasons].join(": ")];
  });
}

interface Outdated {
  readonly current: string;
  readonly latest: string;
}

/**
 * Lists the direct dependencies of which the registry has newer versions: name, pinned version,
 * newest version, and the reason for which it is held back.
 */
async function outdatedPackages(): Promise<string[][]> {
  // npm lists only versions that run on this Node, and exits with 1 if there are any.
  const listed = JSON.parse(await npm("outdated")) as Record<string, Outdated | Outdated[]>;
  const rows = new Map<string, string[]>();
  for (const [name, outdated] of Object.entries(listed)) {
    const [{ current, latest }] = [outdated].flat() as [Outdated];
    rows.set(name, [name, current, latest, HELD_BACK[name] ?? ""]);
  }
  const direct = JSON.parse(await npm("query", ":is(:root, .workspace) > *")) as InstalledPackage[];
  for (const [name, reason] of Object.entries(HELD_BACK)) {
    if (rows.has(name)) continue;
    const current = direct.find((one) => one.name === name)?.version ?? "";
    const newest = JSON.parse(await npm("view", name, "version")) as string;
    if (newest !== current) rows.set(name, [name, current, newest, reason]);
  }
  return [...rows.values()].sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
}

/** Runs npm in the repository; returns its JSON. */
async function npm(...args: string[]): Promise<string> {
  const run = promisify(execFile)("npm", [...args, "--json"], {
    cwd: ROOT,
    maxBuffer: MOST_OUTPUT,
  });
  const { stdout } = await run.catch(
    (error: { stdout?: string; stderr?: string; code: number }) => {
      if (error.code === 1 && args[0] === "outdated" && error.stdout)
        return { stdout: error.stdout };
      throw new Error(`npm ${args.join(" ")} failed: ${error.stderr}`);
    },
  );
  return stdout || "{}";
}

/** A check of a release that puts no run in trouble. */
export interface Checkup {
  /** Says what it checks or measures. */
  readonly what: string;
  /** Passes text to `tell`; returns faults, as sentences. */
  run(tell: (text: string) => void): Promise<readonly string[]>;
}

/** All checkups, by name. */
export const CHECKUPS: Readonly<Record<string, Checkup>> = {
  licences: {
    what: "checks that the dependencies' licenses are permissive",
    async run(tell) {
      const packages = await productionPackages();
      tell(formatTable(["license", "packages", ""], licenseTable(packages), [1]));
      return licenseFaults(packages);
    },
  },
  versions: {
    what: "compares pinned versions with the newest on the registry",
    async run(tell) {
      const rows = await outdatedPackages();
      tell(formatTable(["package", "pinned", "newest", "held back because"], rows));
      return [];
    },
  },
};
