import { STATUS_CODES } from "node:http";
import type { ApiOperation, ApiPage, ApiParameter } from "@gridlock/explorer";
import type { Description, Parameter } from "./openapi.js";
import { GROUPS, type Operation } from "./operation.js";

/** Returns the page that shows the description of the API. */
export function apiPage(
  { components, paths }: Description,
  operations: readonly Operation[],
): ApiPage {
  const shown = (operation: Operation): ApiOperation => {
    const { id, method = "get", path, summary, bodies } = operation;
    const { parameters = [], responses = {} } = paths[path]?.[method] ?? {};
    const [body] = bodies ?? [];
    return {
      ...{ id, method, path, summary },
      parameters: parameters.map(shownParameter),
      ...(body && { body: { type: body.type, example: body.example } }),
      responses: Object.entries(responses).map(([status, { description: said, content }]) => {
        const [type, schema] = Object.entries(content)[0] as [string, object];
        const title = STATUS_CODES[status] ?? "";
        return { status, title, description: said, type, objects: objectsOf(schema) };
      }),
    };
  };
  return {
    name: "api",
    groups: Object.keys(GROUPS).map((name) => ({
      name,
      operations: operations.filter(({ group }) => group === name).map(shown),
    })),
    objects: Object.entries(components.schemas).map(([name, { description: said, ...schema }]) => ({
      ...{ name, description: said ?? "" },
      schema: JSON.stringify(schema, null, 2),
    })),
  };
}

function shownParameter(parameter: Parameter): ApiParameter {
  const { name, required, description = "", example, schema } = parameter;
  return {
    ...{ name, place: parameter.in, required, description },
    choices: schema.enum?.map(String) ?? (schema.type === "boolean" ? ["true", "false"] : []),
    example: example ?? String(schema.examples?.[0] ?? ""),
  };
}

/** Returns the names of the objects that a schema refers to. */
function objectsOf(schema: object): string[] {
  const found = JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g);
  return [...found].map(([, name]) => name as string);
}
