import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { RECIPES, snippetsOf } from "../src/index.js";

/*
 * docs/library.md and docs/reference/ have all that TypeScript finds in the packages' compiled declarations.
 */

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Packages that no program imports: the command, its pages, and what only tests use. */
const LEFT_OUT = ["cli", "explorer", "testbed"];
/** Lines of docs/library.md, and of each recipe in it. */
const MOST_LINES = 600;
const MOST_LINES_OF_RECIPE = 15;

const LIBRARY = join(ROOT, "docs/library.md");
const text = readFileSync(LIBRARY, "utf8");

/** The entries of all packages, by the names to import them by, with their declarations. */
const entries = new Map(
  readdirSync(join(ROOT, "packages"))
    .filter((name) => !LEFT_OUT.includes(name))
    .map((name) => join(ROOT, "packages", name))
    .filter((folder) => existsSync(join(folder, "package.json")))
    .flatMap((folder) => {
      const { name, exports = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      return Object.entries(exports as Record<string, { readonly types?: string }>).flatMap(
        ([entry, { types }]) =>
          types === undefined ? [] : [[name + entry.slice(1), join(folder, types)] as const],
      );
    }),
);

const program = ts.createProgram([...entries.values()], {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ESNext,
});

/** Lists the names that an entry exports. */
function exportsOf(file: string): string[] {
  const source = program.getSourceFile(file);
  const checker = program.getTypeChecker();
  const symbol = source && checker.getSymbolAtLocation(source);
  return symbol ? checker.getExportsOfModule(symbol).map(({ name }) => name) : [];
}

describe("docs/reference", () => {
  const found = readdirSync(join(ROOT, "docs/reference")).flatMap((file) => {
    const reference = JSON.parse(readFileSync(join(ROOT, "docs/reference", file), "utf8"));
    return reference.entries as {
      readonly name: string;
      readonly exports: readonly { readonly name: string; readonly about: string }[];
      readonly shared: readonly string[];
    }[];
  });

  it("has all entries of the packages that programs import", () => {
    expect(found.map(({ name }) => name).sort()).toEqual([...entries.keys()].sort());
  });

  it.each(found)("has all exports of $name", ({ name, exports, shared }) => {
    const names = [...exports.map((each) => each.name), ...shared];
    expect(names.sort()).toEqual(exportsOf(entries.get(name) as string).sort());
    expect(names.length).toBeGreaterThan(0);
  });
});

describe("docs/library.md", () => {
  it("is short", () => {
    expect(text.split("\n").length).toBeLessThanOrEqual(MOST_LINES);
  });

  it("has a row for each export of the package that users install", () => {
    const sections = text.split(/^### (?=@gridlock)/m);
    for (const [name, file] of entries) {
      if (!name.startsWith("@gridlock/gridlock")) continue;
      const section = sections.find((each) => each.startsWith(`${name}\n`));
      for (const each of exportsOf(file)) expect(section, name).toMatch(`\`${each}\``);
    }
  });

  it("has the recipes that are run, of a few lines each", () => {
    const recipes = snippetsOf(LIBRARY).filter(({ language }) => language === "ts");
    const shown = recipes.map(({ lines }) => `${lines.join("\n")}\n`);
    expect(shown).toHaveLength(RECIPES.length);
    for (const { name } of RECIPES) {
      const source = readFileSync(join(ROOT, `examples/${name}.ts`), "utf8");
      expect(shown.filter((each) => source.endsWith(each))).toHaveLength(1);
    }
    for (const { lines } of recipes) expect(lines.length).toBeLessThanOrEqual(MOST_LINES_OF_RECIPE);
  });
});
