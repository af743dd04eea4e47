/*
 * Reads what the entry of a package exports from its compiled declarations: each export with its docstring, its
 * declaration, laid out by Biome, and its signature.
 */
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseSync } from "oxc-parser";
import { format } from "./biome.js";

/** Columns of a declaration. */
const WIDTH = 80;
/** Characters of a type, and of a list of members, in a signature. */
const MOST_LENGTH = 140;
const MOST_MEMBERS = 260;
/** Separates declarations while Biome lays them out. */
const MARK = "// ----";

const parsed = new Map();
/** Texts to read in place of files. */
const standIns = new Map();

/** Has a text read in place of a file. */
export function standIn(file, text) {
  standIns.set(file, text);
}

/**
 * Lists the exports of an entry, by name, in its order. What several entries export is the same object in each.
 *
 * @param {string} file a `.d.ts`
 */
export function exportsOf(file) {
  const { program, own } = parse(file);
  const found = new Map();
  for (const statement of program.body) {
    if (!statement.source?.value.startsWith(".")) continue;
    const from = join(dirname(file), statement.source.value.replace(/\.js$/, ".d.ts"));
    const below = exportsOf(from);
    if (statement.type === "ExportAllDeclaration") {
      for (const [name, declaration] of below) found.set(name, declaration);
    } else if (statement.type === "ExportNamedDeclaration") {
      for (const { local, exported } of statement.specifiers) {
        const declaration = below.get(local.name);
        if (declaration === undefined) throw new Error(`${file}: ${local.name} is not in ${from}`);
        found.set(exported.name, declaration);
      }
    }
  }
  return new Map([...found, ...own]);
}

/** Parses a file; lists what it declares and exports itself, each name with all its declarations. */
function parse(file) {
  if (parsed.has(file)) return parsed.get(file);
  const text = standIns.get(file) ?? readFileSync(file, "utf8");
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
        name,
        module: basename(file, ".d.ts"),
        isType: /^TS(Interface|TypeAlias)/.test(declaration.type) && (earlier?.isType ?? true),
        docstring: earlier?.docstring || textOf(docstring?.value ?? ""),
        call: earlier?.call ?? callOf(name, declaration),
        signature: earlier?.signature ?? signatureOf(name, declaration, code),
        code: earlier ? `${earlier.code}\n${code}` : code,
      });
    }
  }
  parsed.set(file, { program, own });
  return parsed.get(file);
}

function textOf(comment) {
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\*+ ?/, "").trimEnd());
  return lines.join("\n").trim();
}

/** Returns a declaration with its public members alone. */
function codeOf(text, declaration, start, comments) {
  let code = text;
  const hidden =
    declaration.type === "ClassDeclaration" ? declaration.body.body.filter(isHidden) : [];
  for (const member of hidden.toReversed()) {
    const docstring = comments.findLast(({ end }) => end <= member.start);
    const touches =
      docstring?.start > start &&
      /^\s*$/.test(text.slice(docstring.end - start, member.start - start));
    const from = touches ? docstring.start : member.start;
    code = code.slice(0, from - start) + code.slice(member.end - start);
  }
  return code.replace(/^export (declare )?/, "").replaceAll(/^[ \t]*\n/gm, "");
}

function isHidden({ key, accessibility }) {
  return key?.type === "PrivateIdentifier" || accessibility === "private";
}

/** Returns what a call of a function looks like, without types; for anything else, its name. */
function callOf(name, { type, params }) {
  return type === "TSDeclareFunction" ? `${name}(${parametersOf(params)})` : name;
}

function parametersOf(params) {
  const names = params.map((parameter) => {
    if (parameter.type === "RestElement") return `...${parameter.argument.name}`;
    // A parameter that is taken apart has no name.
    return `${parameter.name ?? "options"}${parameter.optional ? "?" : ""}`;
  });
  return names.join(", ");
}

/**
 * Returns a declaration in one line, without its name: the parameters and the result of a function, the members of a
 * class or an interface, the kind alone of what takes too long.
 */
function signatureOf(name, declaration, code) {
  const line = code
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .replace(/;$/, "");
  if (declaration.type === "TSDeclareFunction") {
    return line.replace(`function ${name}`, "").replaceAll(/\{[^{}]*\}(?=\??:)/g, "options");
  }
  if (declaration.type === "ClassDeclaration" || declaration.type === "TSInterfaceDeclaration") {
    const members = membersOf(declaration.body.body);
    const head = line.slice(0, line.indexOf("{")).replace(` ${name}`, "").trim();
    return members.length === 0 ? head : `${head} { ${shortened(members)} }`;
  }
  const [kind] = line.split(" ");
  return line.length <= MOST_LENGTH ? line.replace(` ${name}`, "") : kind;
}

/** Lists the names of public members, methods with those of the parameters of their last overload. */
function membersOf(members) {
  const named = members
    .filter((member) => member.key && !isHidden(member) && member.kind !== "constructor")
    .map(({ type, key, computed, optional, kind, params, value }) => {
      const name =
        key.type === "MemberExpression" ? `Symbol.${key.property.name}` : (key.name ?? key.value);
      const isMethod = /MethodSignature|MethodDefinition/.test(type) && !/^[gs]et$/.test(kind);
      const call = isMethod ? `(${parametersOf(params ?? value.params)})` : "";
      return [name, `${computed ? `[${name}]` : name}${optional ? "?" : ""}${call}`];
    });
  return [...new Map(named).values()];
}

/** Joins names until they take too long. */
function shortened(names) {
  const fits = (count) => names.slice(0, count).join(", ").length <= MOST_MEMBERS;
  const count = names.findIndex((_, i) => !fits(i + 1));
  return count < 0 ? names.join(", ") : [...names.slice(0, count), "…"].join(", ");
}

/** Lays out declarations, each with the docstrings of its members as comments of one line each. */
export function layOut(codes) {
  const source = codes.join(`\n${MARK}\n`);
  const formatted = format(source, "reference.d.ts", `--line-width=${WIDTH}`);
  const laidOut = formatted.split(`${MARK}\n`).map((code) =>
    code
      .trim()
      .replaceAll(/^( *)\/\*\*([\s\S]*?)\*\/\n/gm, (_, indent, comment) =>
        paragraphsOf(textOf(comment))
          .map((line) => `${indent}// ${line}\n`)
          .join(""),
      )
      // The fields of a schema, which its type repeats in a form that nobody reads.
      .replace(/^(const \w+: [\w.]+)<(?:.*\n){4}[\s\S]*;$/, "$1<…>;"),
  );
  if (laidOut.length !== codes.length) throw new Error("a declaration was lost");
  return laidOut;
}

/** Puts each paragraph, list item and tag of a docstring on a line. */
function paragraphsOf(text) {
  return text
    .split(/\n(?:\s*\n)?(?=[-@])|\n\s*\n/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, " ").replaceAll(/\{@link ([^}]+)\}/g, "`$1`"));
}

/** Returns the text of a docstring before its tags, and its tags: parameters, results, and errors. */
export function partsOf(docstring) {
  const [about = "", ...tags] = docstring.split(/(?:^|\n)(?=@)/);
  return {
    about: about.trim(),
    tags: tags.map((tag) => {
      const [, kind, name = "", text] = /^@(\w+)(?: +\{([^}]+)\})?\s*([\s\S]*)$/.exec(tag) ?? [];
      if (kind !== "param") return { kind, name, text: text.trim() };
      const [parameter, ...words] = text.trim().split(/\s+/);
      return { kind, name: parameter, text: words.join(" ") };
    }),
  };
}
