/*
 * Writes out the types that are inferred from the schemas of the JSON, for users, who then need no
 * zod: interfaces with the descriptions as docstrings.
 */
import * as schemas from "@gridlock/schemas";
import { OUTPUT_SCHEMAS } from "@gridlock/schemas/outputs";
import { compile } from "json-schema-to-typescript";
import { z } from "zod";

/** The path in `packages` of the declarations that {@link jsonTypes} replaces in the package. */
export const JSON_TYPES = "gridlock/dist/json.d.ts";

/** Returns the declarations of all types that `@gridlock/schemas` exports. */
export async function jsonTypes() {
  const registry = z.registry();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const uri = (id) => `#/definitions/${id}`;
  const definitions = z.toJSONSchema(registry, { uri, target: "draft-7" }).schemas;
  for (const definition of Object.values(definitions)) delete definition.$id; // types have names
  for (const { command, lines, schema } of Object.values(OUTPUT_SCHEMAS)) {
    const { id } = registry.get(schema);
    definitions[id].description =
      `${lines ? "A line of the output" : "The output"} of \`${command}\`.`;
  }
  const all = { definitions, type: "object", additionalProperties: false };
  const declared = await compile(all, "Json", {
    bannerComment: "",
    additionalProperties: false,
    unreachableDefinitions: true,
  });
  return declared
    .replace("export interface Json {}\n", "")
    .replaceAll(/( \*\n)? \* This interface was referenced by [\s\S]*?\n(?= \*\/)/g, "");
}
