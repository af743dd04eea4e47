/*
 * Writes the files that are generated from others: all of them, or those that are named. With
 * --check, compares them with the committed files instead, and exits with 1 if any differs. The
 * packages must be compiled.
 *
 *     npm run generate                 all
 *     npm run generate -- explorer     this
 *
 * published   packages/published/src/data.json, from values, certificates and confirmations in results/
 * explorer    what the pages run in a browser: packages/explorer/site and packages/site/web
 */
import { parseCommandLine, refuse } from "./command-line.js";

const ALL = ["published", "explorer"];

const { positionals } = parseCommandLine({
  allowPositionals: true,
  options: { check: { type: "boolean", default: false } },
});
const unknown = positionals.find((name) => !ALL.includes(name));
if (unknown !== undefined) refuse(`nothing generates "${unknown}"; expected some of ${ALL}`);
for (const name of ALL) {
  if (positionals.length === 0 || positionals.includes(name)) await import(`./generate/${name}.js`);
}
