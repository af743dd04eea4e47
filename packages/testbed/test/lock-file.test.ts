import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it.each([
  ".github/workflows/check.yml",
  "examples/site/pages.yml",
  "Dockerfile",
  "docker-compose.yml",
])("pins actions and images by digests: %s", (file) => {
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
  const used = [...text.matchAll(/^.*(?:uses:|image:|FROM) (\S+)/gm)].map(([, name]) => name);
  expect(used.length).toBeGreaterThan(1);
  for (const name of used) expect(name).toMatch(/@([0-9a-f]{40}|sha256:[0-9a-f]{64})$/);
});

it("leaves the libraries of tests out of an installation with --omit=dev", () => {
  const read = (file: string) =>
    JSON.parse(readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8"));
  const { packages } = read("package-lock.json");
  const of = (name: string) => packages[`node_modules/${name}`];
  const ofTests = ["axe-core", "fast-check", "playwright-core", "publint", "vitest"];
  for (const name of ofTests) expect(of(name).dev, name).toBe(true);
  for (const name of ["better-sqlite3", "commander"]) expect(of(name).dev).toBeUndefined();
});
