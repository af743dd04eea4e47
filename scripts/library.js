/*
 * Writes docs/library.md from the docstrings of the packages that others build on: every export of every entry with its
 * signature and the first paragraph of its docstring. With --check it only compares.
 *
 *     npm run build:library
 */
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";
import { writeOrCheck } from "./generated.js";

const PACKAGES = [
  ...[
    "game",
    "published",
    "solver",
    "answers",
    "store",
    "verify",
    "tablebase",
    "layers",
    "players",
  ],
];
/** A link in a docstring. */
const LINK = /\{@link ([^}]+)\}/g;
/** Columns of text. */
const WIDTH = 100;

const root = fileURLToPath(new URL("..", import.meta.url));

/** Returns the declarations of a package's entry by their names, in its order. */
function exportsOf(file) {
  const { program, own } = parse(file);
  const found = new Map();
  for (const statement of program.body) {
    const from =
      statement.source && join(dirname(file), statement.source.value.replace(/\.js$/, ".d.ts"));
    if (statement.type === "ExportAllDeclaration") {
      for (const [name, declaration] of exportsOf(from)) found.set(name, declaration);
    } else if (statement.type === "ExportNamedDeclaration" && from) {
      const below = exportsOf(from);
      for (const { local, exported } of statement.specifiers) {
        const declaration = below.get(local.name);
        if (declaration === undefined) throw new Error(`${file}: ${local.name} is not in ${from}`);
        found.set(exported.name, declaration);
      }
    }
  }
  for (const [name, declaration] of own) found.set(name, declaration);
  return found;
}

/** Parses a file; lists what it declares and exports itself, each name with all its declarations. */
function parse(file) {
  const text = readFileSync(file, "utf8");
  const { program, comments, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const own = new Map();
  for (const { type, declaration, start, end } of program.body) {
    if (type !== "ExportNamedDeclaration" || !declaration) continue;
    const names = declaration.declarations?.map(({ id }) => id.name) ?? [declaration.id.name];
    const docstring = comments.findLast(
      (comment) => comment.end <= start && text.slice(comment.end, start).trim() === "",
    );
    const code = codeOf(text.slice(start, end), declaration, start, comments);
    for (const name of names) {
      const earlier = own.get(name);
      own.set(name, {
        module: basename(file, ".d.ts"),
        about: earlier?.about || paragraphOf(docstring?.value ?? ""),
        code: earlier ? `${earlier.code}\n${code}` : code,
      });
    }
  }
  return { program, own };
}

/** Returns a declaration as it is shown: public members alone, indented by two spaces. */
function codeOf(text, declaration, start, comments) {
  let code = text;
  if (declaration.type === "ClassDeclaration") {
    const hidden = declaration.body.body.filter(
      ({ key, accessibility }) => key?.type === "PrivateIdentifier" || accessibility === "private",
    );
    for (const member of hidden.toReversed()) {
      const docstring = comments.findLast(({ end }) => end <= member.start);
      const touches =
        docstring && /^\s*$/.test(text.slice(docstring.end - start, member.start - start));
      const from = touches && docstring.start > start ? docstring.start : member.start;
      code = code.slice(0, from - start) + code.slice(member.end - start);
    }
  }
  // The type of a schema says its fields in a form that nobody reads.
  if (declaration.type === "VariableDeclaration" && code.split("\n").length > 3) {
    code = code.replace(/<.*>;$/s, "<…>;");
  }
  return code
    .replace(/^export (declare )?/, "")
    .replaceAll(LINK, "`$1`")
    .replaceAll(/^[ \t]*\n/gm, "")
    .replaceAll(/^( {4})+/gm, (indent) => indent.slice(indent.length / 2));
}

/** Returns the first paragraph of a docstring, in one line. */
function paragraphOf(comment) {
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\*+ ?/, "").trim());
  const text =
    lines
      .join("\n")
      .trim()
      .split(/\n\s*\n|\n@|^@/)[0] ?? "";
  return text.replaceAll("\n", " ").replaceAll(LINK, "`$1`").trim();
}

/** Breaks a text into lines of some width. */
function wrap(text, width = WIDTH) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}

/** Returns a declaration with the first paragraph of its docstring above it. */
function shown({ about, code }) {
  if (about === "") return code;
  const lines = wrap(about, WIDTH - "/**  */".length);
  const [only] = lines;
  const comment = lines.length === 1 ? `/** ${only} */` : `/**\n * ${lines.join("\n * ")}\n */`;
  return `${comment}\n${code}`;
}

function sectionOf(name) {
  const folder = join(root, "packages", name);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const found = new Map();
  const entries = Object.entries(manifest.exports).flatMap(([entry, { types }]) => {
    const own = exportsOf(join(folder, types));
    for (const [exported, declaration] of own) found.set(exported, declaration);
    if (entry === ".") return [];
    const names = [...own.keys()].map((exported) => `\`${exported}\``).join(", ");
    return [
      wrap(`\`@gridlock/${name}${entry.slice(1)}\` needs no Node and exports: ${names}.`).join(
        "\n",
      ),
    ];
  });
  const byModule = new Map();
  for (const declaration of found.values()) {
    const { module } = declaration;
    byModule.set(module, [...(byModule.get(module) ?? []), shown(declaration)]);
  }
  const modules = [...byModule].map(
    ([module, texts]) => `### ${name}: ${module}\n\n\`\`\`ts\n${texts.join("\n\n")}\n\`\`\``,
  );
  const about = wrap(`${manifest.description}.`).join("\n");
  return [`## @gridlock/${name}`, about, ...entries, ...modules].join("\n\n");
}

const page = `# The packages as libraries

Users install one package, \`@gridlock/gridlock\`, with the command and a small library;
[examples/](../examples) shows what it is used for. It consists of the packages that
[architecture.md](architecture.md) describes. They need Node 20.19 or newer and are ES modules with
types. This page lists what each package exports, module by module, with the first paragraph of each
docstring; \`npm run build:library\` writes it.

The package is not in npm's registry. A clone packs it, and other folders install it:

<!-- not run: installs everything again -->
\`\`\`console
$ npm ci && npm run pack -- /tmp
$ cd my-project && npm install /tmp/gridlock-*.tgz
\`\`\`

npm 12 and newer then ask to build the SQLite driver: \`npm install-scripts approve better-sqlite3\`,
then \`npm rebuild better-sqlite3\`.

What has a method \`[Symbol.dispose]\` or \`[Symbol.asyncDispose]\` holds a file, a thread or a timer
until it is called; \`using\` and \`await using\` call it.

${PACKAGES.map((name) => `- [@gridlock/${name}](#gridlock${name})`).join("\n")}

${PACKAGES.map(sectionOf).join("\n\n")}
`;
writeOrCheck("build:library", new Map([["docs/library.md", page]]));
