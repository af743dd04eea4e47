/*
 * Writes out the types that are inferred from the schemas of the JSON, for users, who then need no zod: interfaces with
 * the descriptions as docstrings.
 */
import * as schemas from "@gridlock/schemas";
import { OUTPUT_SCHEMAS } from "@gridlock/schemas/outputs";
import { compile } from "json-schema-to-typescript";
import { z } from "zod";

/** The declarations in whose place the package has {@link jsonTypes}, by their path in the folder of packages. */
export const JSON_TYPES = "gridlock/dist/json.d.ts";

/** Returns a part of a schema as draft 7 has it, which the compiler reads. */
function asDraft7(part) {
  if (Array.isArray(part)) return part.map(asDraft7);
  if (typeof part !== "object" || part === null) return part;
  const { $id, $schema, $ref, prefixItems, minItems, maxItems, ...rest } = part;
  const { length } = prefixItems ?? [];
  const draft7 = {
    ...rest,
    ...(prefixItems && { items: prefixItems, minItems: length, maxItems: length }),
    // A reference with other fields beside it would become a copy of its type.
    ...($ref && (Object.keys(rest).length > 0 ? { allOf: [{ $ref }] } : { $ref })),
  };
  return Object.fromEntries(Object.entries(draft7).map(([key, value]) => [key, asDraft7(value)]));
}

/** Returns the declarations of all types that `@gridlock/schemas` exports. */
export async function jsonTypes() {
  const registry = z.registry();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const uri = (id) => `#/definitions/${id}`;
  const definitions = asDraft7(z.toJSONSchema(registry, { uri }).schemas);
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
