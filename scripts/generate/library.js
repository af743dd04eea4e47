/*
 * Writes what others need to build on the packages: docs/library.md, with recipes and tables of the exports, and
 * docs/reference/, with every export of every entry, its docstring and its declaration. The explorer shows these files
 * as pages. With --check it only compares.
 *
 *     npm run generate -- library
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { wrapMarkdown } from "@gridlock/report";
import { exportsOf, layOut, partsOf, standIn } from "../declarations.js";
import { writeOrCheck } from "../files.js";
import { JSON_TYPES, jsonTypes } from "../json-types.js";

/** The package that users install. */
const PUBLIC = "gridlock";
/** Packages of which docs/library.md lists functions and classes. */
const LISTED = [
  ...["game", "published", "solver", "answers", "verify"],
  ...["tablebase", "enumeration", "variants", "players"],
];
/** Packages that are in the reference alone. */
const OTHERS = [
  ...["schemas", "store", "kernel", "layers", "report"],
  ...["cluster", "server", "site", "lab"],
];
/** The recipes of `examples/`, by their headings. */
const RECIPES = {
  "Solve a shape": "solve",
  "Look at a board": "query",
  "Stop and resume": "stop",
  "Search without files and threads": "kernel",
};
const FOLDER = "docs/reference";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Reads a package: its description, and the exports of each of its entries. */
function readPackage(name) {
  const folder = join(root, "packages", name);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const entries = Object.entries(manifest.exports).filter(([, { types }]) => types !== undefined);
  const seen = new Set();
  return {
    name,
    description: `${manifest.description}.`,
    entries: entries.map(([entry, { types }]) => {
      const all = [...exportsOf(join(folder, types)).values()];
      // Types that are generated from schemas come last.
      all.sort((a, b) => Number(/json$/.test(a.module)) - Number(/json$/.test(b.module)));
      const own = all.filter((each) => !seen.has(each));
      for (const each of own) seen.add(each);
      return {
        name: `@gridlock/${name}${entry.slice(1)}`,
        // What another entry exports has its name to itself.
        own: own.map((each) => ({
          ...each,
          id: `${entry.slice(2)}${entry === "." ? "" : "."}${each.name}`,
        })),
        shared: all.filter((each) => !own.includes(each)).map((each) => each.name),
      };
    }),
  };
}

standIn(join(root, "packages", JSON_TYPES), await jsonTypes());
const packages = [PUBLIC, ...LISTED, ...OTHERS].map(readPackage);

/** Returns where a name of a docstring or a declaration leads: `#Board`, or `game.json#Board`. */
function targetOf(name, entry, { name: own, entries }) {
  const idIn = (exports) => exports.find((each) => each.name === name)?.id;
  const ids = [entry, ...entries].map(({ own }) => idIn(own));
  const id = ids.find((each) => each !== undefined);
  if (id !== undefined) return `#${id}`;
  // Names that several packages export may be of any of them.
  const elsewhere = packages
    .filter((other) => other.name !== own && other.name !== PUBLIC)
    .map((other) => [other.name, idIn(other.entries[0].own)])
    .filter(([, id]) => id !== undefined);
  return elsewhere.length === 1 ? `${elsewhere[0][0]}.json#${elsewhere[0][1]}` : undefined;
}

/** Returns the reference of a package. */
function referenceOf(read) {
  const codes = layOut(read.entries.flatMap(({ own }) => own.map(({ code }) => code)));
  const entries = read.entries.map((entry) => {
    const linked = (text) =>
      text.replaceAll(/\{@link ([^}]+)\}/g, (_, name) => {
        const target = targetOf(name.split(".")[0], entry, read);
        return target === undefined ? `\`${name}\`` : `[\`${name}\`](${target})`;
      });
    const exports = entry.own.map(({ name, id, module, docstring }) => {
      const { about, tags } = partsOf(docstring);
      const code = codes.shift();
      const names = new Set(code.replaceAll(/^ *\/\/.*$/gm, "").match(/\b[A-Z]\w+/g));
      const links = [...names]
        .filter((other) => other !== name)
        .map((other) => [other, targetOf(other, entry, read)])
        .filter(([, target]) => target !== undefined);
      return {
        ...{ name, id, module, about: linked(about) },
        tags: tags.map((tag) => ({ ...tag, text: linked(tag.text) })),
        ...{ code, links: Object.fromEntries(links) },
      };
    });
    return { name: entry.name, exports, shared: entry.shared };
  });
  return { name: `@gridlock/${read.name}`, description: read.description, entries };
}

/** Returns the first sentence of a docstring, without links. */
function sentenceOf(docstring) {
  const [paragraph = ""] = docstring.split(/\n\s*\n|(?:^|\n)@/);
  const text = paragraph.replaceAll(/\s+/g, " ").replaceAll(/\{@link ([^}]+)\}/g, "`$1`");
  return /^.*?[.!?](?= [A-Z`]|$)/.exec(text)?.[0] ?? text;
}

/** Returns a row of a table; a pipe would end its cell. */
function row(...cells) {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** Returns the table of all exports of an entry, with their signatures. */
function fullTable({ name, own, shared }) {
  const ordered = own.toSorted((a, b) => Number(a.isType) - Number(b.isType));
  const rows = ordered.map(({ name, signature, docstring }) =>
    row(`\`${name}\``, `\`${signature}\``, sentenceOf(docstring)),
  );
  const more = shared.map((each) => `\`${each}\``).join(", ");
  return [
    `### ${name}`,
    ...(shared.length > 0 ? [`Also exports ${more}, as above.`] : []),
    ["| export | signature | purpose |", "| --- | --- | --- |", ...rows].join("\n"),
  ];
}

/** Returns the table of the functions, classes and constants of a package. */
function shortTable({ name, description, entries }) {
  const all = entries.flatMap(({ own }) => own);
  const rows = all
    .filter(({ isType }) => !isType)
    .map(({ call, docstring }) => row(`\`${call}\``, sentenceOf(docstring)));
  const types = all.filter(({ isType }) => isType).map(({ name }) => `\`${name}\``);
  return [
    `### @gridlock/${name}`,
    `${description} [Reference](reference/${name}.json)`,
    ["| export | purpose |", "| --- | --- |", ...rows, row("types", types.join(", "))].join("\n"),
  ];
}

/** Returns a recipe: its first comment says what it does, and how to run it. */
function recipe([title, name]) {
  const text = readFileSync(join(root, `examples/${name}.ts`), "utf8");
  const [head, body] = text.split(/^\/\/\n\n?(?=import)/m);
  const [about] = head.replaceAll(/^\/\/ ?/gm, "").split("\n\n");
  return [
    `### ${title}`,
    `[examples/${name}.ts](../examples/${name}.ts). ${about}`,
    `\`\`\`ts\n${body.trim()}\n\`\`\``,
  ];
}

const [main] = packages;
const page = [
  "# Gridlock as a library",
  `One package, \`@gridlock/gridlock\`, has the command and a library. It needs Node.js 20.19 or newer,
and consists of ES modules with types. \`npm run generate -- library\` writes this page from the
examples and the docstrings.`,
  `[Install](#install) · [Recipes](#recipes) · [The public package](#the-public-package) · [Packages of
the repository](#packages-of-the-repository)`,
  "## Install",
  "The package is not in npm's registry. Pack it in a clone, and install the tarball in your project:",
  `<!-- not run: installs everything again -->
\`\`\`console
$ npm ci && node scripts/release/pack.js /tmp
$ cd my-project && npm install /tmp/gridlock-*.tgz
\`\`\``,
  `The README of the package has the commands for npm 12, pnpm, Yarn and Bun. In your project, \`npx
gridlock\` runs the command; in any other folder, it would install an unrelated package of that
name. The README also says which entries can be bundled, and how to leave out the main one.`,
  "## Recipes",
  `An object with a method \`[Symbol.dispose]\` or \`[Symbol.asyncDispose]\` holds a file, a thread or a
timer until the method is called. \`using\` and \`await using\` call it at the end of a block.`,
  ...Object.entries(RECIPES).flatMap(recipe),
  "## The public package",
  `These tables list every export. The [reference](reference/${PUBLIC}.json) adds the whole docstrings
and declarations. Its files are data: \`gridlock serve\` and \`gridlock site\` make pages of them.`,
  ...main.entries.flatMap(fullTable),
  "## Packages of the repository",
  `The public package is built from the packages that [architecture.md](architecture.md) describes. In
a clone, programs can import them too. Their exports may change with any version.`,
  ...packages.filter(({ name }) => LISTED.includes(name)).flatMap(shortTable),
  "### Other packages",
  [
    "| package | contents |",
    "| --- | --- |",
    ...packages
      .filter(({ name }) => OTHERS.includes(name))
      .map(({ name, description }) =>
        row(`[@gridlock/${name}](reference/${name}.json)`, description),
      ),
  ].join("\n"),
].join("\n\n");
const files = packages.map((read) => [
  `${FOLDER}/${read.name}.json`,
  `${JSON.stringify(referenceOf(read), null, 2)}\n`,
]);
writeOrCheck("npm run generate -- library", new Map(files), FOLDER);
writeOrCheck(
  "npm run generate -- library",
  new Map([["docs/library.md", wrapMarkdown(`${page}\n`)]]),
);
