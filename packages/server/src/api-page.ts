import { STATUS_CODES } from "node:http";
import type { ApiOperation, ApiPage, ApiParameter } from "@gridlock/explorer";
import { GROUPS, type Operation } from "./operation.js";

/** The parts of the description of the API that the page shows. */
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly description?: string }>>;
  };
}

interface Described {
  readonly parameters: readonly DescribedParameter[];
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content: Readonly<Record<string, object>> }
    >
  >;
}

interface DescribedParameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly description?: string;
  readonly example?: string;
  readonly schema: {
    readonly type?: string;
    readonly enum?: readonly string[];
    readonly examples?: readonly string[];
  };
}

/** Returns the page that shows the description of the API. */
export function apiPage(
  description: Readonly<Record<string, unknown>>,
  operations: readonly Operation[],
): ApiPage {
  const { components, paths } = description as unknown as Description;
  const shown = (operation: Operation): ApiOperation => {
    const { id, method, path, summary, bodies } = operation;
    const { parameters, responses } = (paths[path] as Record<string, Described>)[
      method
    ] as Described;
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

function shownParameter(parameter: DescribedParameter): ApiParameter {
  const { name, required, description = "", example, schema } = parameter;
  return {
    ...{ name, place: parameter.in, required, description },
    choices: schema.enum ?? (schema.type === "boolean" ? ["true", "false"] : []),
    example: example ?? schema.examples?.[0] ?? "",
  };
}

/** Returns the names of the objects that a schema refers to. */
function objectsOf(schema: object): string[] {
  const found = JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g);
  return [...found].map(([, name]) => name as string);
}
