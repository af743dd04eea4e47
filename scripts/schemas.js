/*
 * Writes the JSON Schemas of the command's JSON output into docs/schemas, from the schemas with which the tests compare
 * real output. With --check it only compares.
 *
 *     npm run build:schemas
 */
import { OUTPUT_SCHEMAS } from "@gridlock/cli";
import { z } from "zod";
import { writeOrCheck } from "./generated.js";

const FOLDER = "docs/schemas";

const files = new Map();
const rows = [];
for (const [name, { command, lines, schema }] of Object.entries(OUTPUT_SCHEMAS)) {
  const title = `${lines ? "A line of the output" : "The output"} of ${command}`;
  const { $schema, ...rest } = z.toJSONSchema(schema);
  files.set(`${FOLDER}/${name}.json`, `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`);
  rows.push(`- [${name}.json](${name}.json): \`${command}\`${lines ? ", each line" : ""}`);
}
files.set(
  `${FOLDER}/README.md`,
  `# JSON Schemas

These JSON Schemas (2020-12) describe Gridlock's JSON output. \`npm run build:schemas\` writes them
from schemas for [zod](https://zod.dev), which \`@gridlock/cli\` exports as \`OUTPUT_SCHEMAS\`. The
tests compare real output with them.

${rows.join("\n")}
`,
);
writeOrCheck("build:schemas", files, FOLDER);
