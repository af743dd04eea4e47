/*
 * Writes the JSON Schemas of the command's JSON output into docs/schemas/, from the schemas with
 * which the tests compare real output. `npm ci` and `npm run build` call it once the packages are
 * compiled.
 *
 *     node scripts/schemas.js
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { OUTPUT_SCHEMAS } from "@gridlock/schemas/outputs";
import { z } from "zod";

const folder = new URL("../docs/schemas/", import.meta.url);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const rows = [];
for (const [name, { command, lines, schema }] of Object.entries(OUTPUT_SCHEMAS)) {
  const title = `${lines ? "A line of the output" : "The output"} of ${command}`;
  const { $schema, ...rest } = z.toJSONSchema(schema);
  const content = JSON.stringify({ $schema, title, ...rest }, null, 2);
  writeFileSync(new URL(`${name}.json`, folder), `${content}\n`);
  rows.push(`- [${name}.json](${name}.json): \`${command}\`${lines ? ", each line" : ""}`);
}
const page = `# JSON Schemas

These JSON Schemas (2020-12) describe Gridlock's JSON output. \`npm ci\` writes them from the schemas
for [zod](https://zod.dev) in \`packages/schemas\`, with which the tests compare real output.

${rows.join("\n")}
`;
writeFileSync(new URL("README.md", folder), page);
