import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { snippetsOf } from "../src/index.js";
import { RECIPES } from "./installed/package.js";

/*
 * The package that users install: docs/library.md explains all that it exports, and so do
 * docstrings.
 */

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const PACKAGE = join(ROOT, "packages/gridlock");
/** Lines of each recipe in docs/library.md. */
const MOST_LINES_OF_RECIPE = 15;

const LIBRARY = join(ROOT, "docs/library.md");
const text = readFileSync(LIBRARY, "utf8");

const { exports } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, { readonly types: string }>>;
};
const entries = Object.entries(exports).map(
  ([entry, { types }]) => [`@gridlock/gridlock${entry.slice(1)}`, join(PACKAGE, types)] as const,
);
const program = ts.createProgram(
  entries.map(([, file]) => file),
  {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    // Neither is needed to find exports, and both take seconds.
    noLib: true,
    types: [],
  },
);
const checker = program.getTypeChecker();

/** Lists what an entry exports, but for the types of the JSON, which are inferred from schemas. */
function exportsOf(file: string): ts.Symbol[] {
  const source = program.getSourceFile(file);
  const symbol = source && checker.getSymbolAtLocation(source);
  return (symbol ? checker.getExportsOfModule(symbol) : [])
    .map((each) => (each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each))
    .filter(({ declarations = [] }) =>
      declarations.some((each) => each.getSourceFile().fileName.startsWith(PACKAGE)),
    );
}

describe.each(entries)("%s", (name, file) => {
  const all = exportsOf(file);

  it("has docstrings, and a place in docs/library.md", () => {
    expect(all.length).toBeGreaterThan(2);
    expect(text).toContain(`\`${name}\``);
    for (const each of all) {
      expect(each.getDocumentationComment(checker), each.name).not.toEqual([]);
      expect(text).toMatch(new RegExp(`\`[^\`\n]*\\b${each.name}\\b[^\`\n]*\``));
    }
  });

  it("has docstrings of the methods of its classes and interfaces", () => {
    const methods = all
      .filter(({ flags }) => flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))
      .flatMap(({ members = new Map<string, ts.Symbol>() }) => [...members.values()])
      .filter(({ flags, name }) => flags & ts.SymbolFlags.Method && !name.startsWith("__#"));
    for (const method of methods) {
      expect(method.getDocumentationComment(checker), method.name).not.toEqual([]);
      expect(text).toContain(`${method.name}(`);
    }
  });
});

it("docs/library.md has the recipes that are run, of a few lines each", () => {
  const recipes = snippetsOf(LIBRARY).filter(({ language }) => language === "ts");
  const shown = recipes.map(({ lines }) => `${lines.join("\n")}\n`);
  expect(shown).toHaveLength(RECIPES.length);
  for (const { name } of RECIPES) {
    const source = readFileSync(join(ROOT, `examples/${name}.ts`), "utf8");
    expect(shown.filter((each) => source.endsWith(each))).toHaveLength(1);
  }
  for (const { lines } of recipes) expect(lines.length).toBeLessThanOrEqual(MOST_LINES_OF_RECIPE);
});
