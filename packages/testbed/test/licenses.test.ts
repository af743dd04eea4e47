import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

/** SPDX identifiers of the licenses that ask for no more than notices. */
const PERMISSIVE = new Set(
  "0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause CC0-1.0 ISC MIT MIT-0 PSF-2.0 Python-2.0 Unlicense WTFPL Zlib".split(
    " ",
  ),
);

/** Packages with other licenses, and why they may be used. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "axe-core": "MPL-2.0; the tests use it unchanged, and no published package depends on it",
  "@resvg/resvg-wasm": "MPL-2.0; npm installs it unchanged, with its license, beside Gridlock",
};

/** An installed package, as npm describes it. */
interface InstalledPackage {
  readonly name: string;
  /** An SPDX expression or, in old packages, an object. */
  readonly license?: string | { readonly type: string };
}

/** Returns whether a package offers a permissive license; expressions with AND or WITH do not. */
function isPermissive({ license }: InstalledPackage): boolean {
  const expression = (typeof license === "string" ? license : license?.type) ?? "";
  return expression
    .replace(/^\((.*)\)$/, "$1")
    .split(" OR ")
    .some((one) => PERMISSIVE.has(one));
}

it("of all packages that users or the tests run are permissive", async () => {
  const cwd = new URL("../../..", import.meta.url);
  const query = ["query", ".prod", "--json"];
  const { stdout } = await promisify(execFile)("npm", query, { cwd, maxBuffer: 2 ** 26 });
  const packages = (JSON.parse(stdout) as InstalledPackage[]).filter(
    ({ name }) => name !== "gridlock" && !name.startsWith("@gridlock/"),
  );
  expect(packages.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["better-sqlite3", "bullmq", "hono", "preact"]),
  );
  const others = packages.filter((one) => !isPermissive(one) && !(one.name in EXCEPTIONS));
  expect(others.map(({ name, license }) => `${name}: ${license ?? "not stated"}`)).toEqual([]);
});

it.each([
  [["MIT", "(MIT OR GPL-3.0-only)", { type: "ISC" }], true],
  [["GPL-3.0-only", "(MIT AND GPL-3.0-only)", "(GPL-3.0-only AND (MIT OR X))", ""], false],
])("%j are told apart from others", (licenses, permissive) => {
  for (const license of licenses) expect(isPermissive({ name: "one", license })).toBe(permissive);
  expect(isPermissive({ name: "one" })).toBe(false);
});
