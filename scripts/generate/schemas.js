/*
 * Writes the JSON Schemas of the command's JSON output into docs/schemas, from the schemas with which the tests compare
 * real output. With --check it only compares.
 *
 *     npm run generate -- schemas
 */
import { OUTPUT_SCHEMAS } from "@gridlock/schemas/outputs";
import { z } from "zod";
import { writeOrCheck } from "../files.js";

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

These JSON Schemas (2020-12) describe Gridlock's JSON output. \`npm run generate -- schemas\` writes
them from the schemas for [zod](https://zod.dev) in \`packages/schemas\`, with which the tests compare
real output.

${rows.join("\n")}
`,
);
writeOrCheck("npm run generate -- schemas", files, FOLDER);
