/*
 * Checks that the scripts of the pages use no built-in of JavaScript or of browsers that the oldest
 * browsers lack which `docs/explorer.md` names. A script names its built-ins, also those of its
 * dependencies, in its bundle; what a name is a property of cannot be seen there. So a name counts
 * if no older built-in has it and the script defines none of that name.
 *
 *     node scripts/check-browsers.js
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync, Visitor } from "oxc-parser";
import { features } from "web-features";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The oldest browsers that run the pages: the first versions that know light-dark() of CSS. */
export const BROWSERS = { chrome: "123", firefox: "120", safari: "17.5" };

/** The folders of scripts that browsers load. */
const FOLDERS = ["packages/explorer/site", "packages/site/web"];

/** The names of these browsers in the data. Edge has the versions of Chrome. */
const NAMES = {
  chrome: ["chrome", "chrome_android", "edge"],
  firefox: ["firefox", "firefox_android"],
  safari: ["safari", "safari_ios"],
};

/** Built-ins that scripts can do without. */
const OPTIONAL = new Set([
  "deviceMemory", // Chrome alone has it
  "isComposing", // Safari sets it late: Enter then ends the entry of a character and of the board
  "movementX",
  "movementY", // of a mouse: Chrome on Android has none
  "moveBefore", // Preact looks whether it is there
]);

/** The keys of the compatibility data of a built-in, or of a property of one. */
const KEY = /^(?:javascript\.builtins|api)\.(?:(\w+)\.)?(\w+?)(?:_static)?$/;

/** Returns whether all the oldest browsers have a feature. */
function isOld(support) {
  return Object.entries(BROWSERS).every(([browser, oldest]) =>
    NAMES[browser].every((name) => Number(support[name]?.replace("≤", "")) <= Number(oldest)),
  );
}

/** Built-ins by name (`Array`, `Array.fromAsync`): true if all of the oldest browsers have it. */
const known = new Map();
/** Names of built-ins' properties that all these browsers have, and that only newer ones have. */
const [older, newer] = [new Set(), new Set()];
for (const { status } of Object.values(features)) {
  for (const [key, { support }] of Object.entries(status?.by_compat_key ?? {})) {
    const [, object, name] = KEY.exec(key) ?? [];
    if (name === undefined) continue;
    known.set(object ? `${object}.${name}` : name, isOld(support));
    if (object !== undefined && object !== name) (isOld(support) ? older : newer).add(name);
  }
}

/** Returns the built-ins that a script uses and that the oldest browsers lack. */
function newBuiltIns(file, code) {
  const used = new Set();
  const properties = new Set();
  const defined = new Set();
  const define = ({ key, computed }) => !computed && defined.add(key.name ?? key.value);
  /** The parts of patterns, like `{ name }` in `const { name } = object`, which define nothing. */
  const patterns = new Set();
  new Visitor({
    MemberExpression({ object, property, computed }) {
      if (computed) return;
      properties.add(property.name);
      if (known.get(`${object.name}.${property.name}`) === false)
        used.add(`${object.name}.${property.name}`);
    },
    Identifier({ name }) {
      if (known.get(name) === false) used.add(name);
    },
    ObjectPattern({ properties: parts }) {
      for (const part of parts) patterns.add(part);
    },
    Property: (part) => !patterns.has(part) && define(part),
    MethodDefinition: define,
    PropertyDefinition: define,
  }).visit(parseSync(file, code).program);
  for (const name of properties) {
    if (newer.has(name) && !older.has(name) && !defined.has(name)) used.add(name);
  }
  return [...used].filter((name) => !OPTIONAL.has(name)).sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { chrome, firefox, safari } = BROWSERS;
  const stated = `Chrome and Edge ${chrome}, Firefox ${firefox} and Safari ${safari}`;
  const page = readFileSync(join(root, "docs/explorer.md"), "utf8");
  if (!page.replaceAll(/\s+/g, " ").includes(stated)) {
    console.error(`docs/explorer.md does not say: ${stated}`);
    process.exitCode = 1;
  }
  for (const folder of FOLDERS) {
    for (const name of readdirSync(join(root, folder)).filter((each) => each.endsWith(".js"))) {
      const file = join(root, folder, name);
      for (const builtIn of newBuiltIns(file, readFileSync(file, "utf8"))) {
        console.error(`${folder}/${name} uses ${builtIn}, which the oldest browsers lack`);
        process.exitCode = 1;
      }
    }
  }
}
