import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = new URL("../../../", import.meta.url);

function read(file: string) {
  return JSON.parse(readFileSync(fileURLToPath(new URL(file, ROOT)), "utf8"));
}

it("allows the install scripts of all dependencies, of which npm 12 would skip others", () => {
  const { packages } = read("package-lock.json") as {
    packages: Readonly<Record<string, { readonly hasInstallScript?: true }>>;
  };
  const names = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ""));
  expect(names).toContain("better-sqlite3");
  expect(read("package.json").allowScripts).toEqual(
    Object.fromEntries(names.sort().map((name) => [name, true])),
  );
});
