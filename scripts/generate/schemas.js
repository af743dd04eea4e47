/*
 * Writes the JSON Schemas of the command's JSON output into docs/schemas, from the schemas with which the tests compare
 * real output, and their types and those of the HTTP API into the package `gridlock`. With --check it only compares.
 *
 *     npm run generate -- schemas
 */
import { AnswerSchema } from "@gridlock/answers";
import { OUTPUT_SCHEMAS } from "@gridlock/cli";
import { compile } from "json-schema-to-typescript";
import { z } from "zod";
import { describeApi } from "../../packages/server/dist/openapi.js";
import { writeOrCheck } from "./files.js";

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
them from schemas for [zod](https://zod.dev), which \`@gridlock/cli\` exports as \`OUTPUT_SCHEMAS\`.
The tests compare real output with them.

${rows.join("\n")}
`,
);
writeOrCheck("schemas", files, FOLDER);

/** Returns a schema without what a type does not say. */
function forTypes(schema) {
  if (Array.isArray(schema)) return schema.map(forTypes);
  if (typeof schema !== "object" || schema === null) return schema;
  const { title, prefixItems, ...rest } = schema;
  // Up to draft 7, which the compiler reads, `items` had the elements of a tuple.
  const tuple = prefixItems && {
    items: prefixItems,
    minItems: prefixItems.length,
    maxItems: prefixItems.length,
  };
  const entries = Object.entries({ ...rest, ...tuple });
  return Object.fromEntries(entries.map(([key, value]) => [key, forTypes(value)]));
}

/** Returns the declaration of the type of a schema. */
async function typeOf(name, description, schema) {
  return await compile({ ...forTypes(z.toJSONSchema(schema)), description }, name, {
    bannerComment: "",
    additionalProperties: false,
    format: true,
  });
}

const types = [
  await typeOf(
    "Answer",
    "A board's value, those of its moves, and a line of best play.",
    AnswerSchema,
  ),
];
for (const [name, { command, lines, schema }] of Object.entries(OUTPUT_SCHEMAS)) {
  const title = `${lines ? "A line of the output" : "The output"} of \`${command}\`.`;
  const typeName = `${name.replaceAll(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase())}Output`;
  types.push(await typeOf(typeName, title, schema));
}
const text = `/* The types of the JSON in docs/schemas; written by npm run generate -- schemas. */

${types.join("\n")}`;
writeOrCheck("schemas", new Map([["packages/gridlock/src/json.ts", text]]));

/** Returns the types of the objects of the HTTP API, by their names in its description. */
async function typesOfApi() {
  const { components } = describeApi([], "");
  const definitions = JSON.parse(
    JSON.stringify(forTypes(components.schemas)).replaceAll(
      "#/components/schemas/",
      "#/definitions/",
    ),
  );
  const all = { definitions, type: "object", additionalProperties: false };
  const declared = await compile(all, "Api", {
    ...{ bannerComment: "", additionalProperties: false, format: true },
    ...{ unreachableDefinitions: true, ignoreMinAndMaxItems: true },
  });
  return declared
    .replace(/export interface Api \{\}\n+/, "")
    .replaceAll(/ \*\n \* This interface was referenced by [\s\S]*?\n(?= \*\/)/g, "")
    .replaceAll(/\/\*\*\n \* This interface was referenced by [\s\S]*?\*\/\n/g, "");
}

const apiText = `/* The types of the JSON of the HTTP API; written by npm run generate -- schemas. */

${await typesOfApi()}`;
writeOrCheck("schemas", new Map([["packages/gridlock/src/api-json.ts", apiText]]));
