import * as api from "@gridlock/schemas/api";
import { z } from "zod";
import { GROUPS, type Operation, PROBLEMS } from "./operation.js";
import { BatchBoardSchema, BatchEntrySchema } from "./parameters.js";
import { LINES_TYPE } from "./reply.js";

/** The schemas that the description names. */
const COMPONENTS = z.registry<{ id: string }>();
const NAMED = { ...api, BatchBoard: BatchBoardSchema, BatchEntry: BatchEntrySchema };
for (const [id, schema] of Object.entries(NAMED)) COMPONENTS.add(schema, { id });

/** Returns the address of a schema in the description. */
const uri = (id: string) => `#/components/schemas/${id}`;

type Json = Readonly<Record<string, unknown>>;

/** Describes the API as OpenAPI 3.1, from the schemas that check its requests. */
export function describeApi(operations: readonly Operation[], version: string) {
  const { schemas } = z.toJSONSchema(COMPONENTS, {
    uri,
    io: "output",
    override({ zodSchema, jsonSchema }) {
      if (!(zodSchema instanceof z.ZodDiscriminatedUnion)) return;
      Object.assign(jsonSchema, { discriminator: discriminatorOf(zodSchema) });
    },
  });
  const paths: Record<string, Record<string, ReturnType<typeof describeOperation>>> = {};
  for (const operation of operations) {
    const { path, method = "get" } = operation;
    paths[path] = { ...paths[path], [method]: describeOperation(operation) };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Gridlock",
      version,
      description:
        "Values of adversarial 2048. All values are points for the slider, of the move and everything after it, whoever moves.",
      contact: { name: "The Gridlock authors" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: ".", description: "The server that gives this description." }],
    // There are no accounts.
    security: [],
    tags: Object.entries(GROUPS).map(([name, contents]) => ({ name, description: contents })),
    paths,
    components: {
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([id, { $id: _id, $schema: _schema, ...schema }]) => [
          id,
          schema,
        ]),
      ),
    },
  };
}

/** Describes how to tell the objects of a union apart. */
function discriminatorOf({ options, def }: z.ZodDiscriminatedUnion): Json {
  const objects = options as readonly z.ZodObject[];
  const mapping = objects.map((option) => {
    const { value } = option.shape[def.discriminator] as z.ZodLiteral;
    return [value, uri(COMPONENTS.get(option)?.id ?? "")];
  });
  return { propertyName: def.discriminator, mapping: Object.fromEntries(mapping) };
}

function describeOperation(operation: Operation) {
  const { id, summary, description, group, path, query, body, reply } = operation;
  const examples: Readonly<Record<string, string>> = { shape: "3x3", ...operation.examples };
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(
    ([, name = ""]): Json => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string" },
      ...(name === "shape" && { description: "Rows x columns: 3x3." }),
      example: examples[name],
    }),
  );
  const content: Json = { [reply.type]: reply.schema ? contentOf(reply.schema, reply.type) : {} };
  const problems = [400, ...(operation.problems ?? [])] as const;
  return {
    operationId: id,
    summary,
    description,
    tags: [group],
    parameters: [...inPath, ...(query ? parametersOf(query) : [])],
    ...(body && {
      requestBody: {
        required: true,
        content: { [body.type]: { ...contentOf(body.schema, body.type), example: body.example } },
      },
    }),
    responses: Object.fromEntries<{ readonly description: string; readonly content: Json }>([
      [200, { description: "Done.", content }],
      ...problems.map((status) => [status, describeProblem(status)] as const),
    ]),
  };
}

function describeProblem(status: keyof typeof PROBLEMS) {
  const retryAfter = {
    description: "Seconds after which to try again.",
    schema: { type: "integer" },
  };
  return {
    description: PROBLEMS[status],
    ...(status === 429 && { headers: { "Retry-After": retryAfter } }),
    content: { "application/problem+json": contentOf(api.Problem, "application/problem+json") },
  };
}

/** Describes the fields of a query as parameters. */
function parametersOf(query: z.ZodObject): Json[] {
  return Object.entries<z.ZodType>(query.shape).map(([name, field]) => {
    const { $schema: _schema, description, ...schema } = z.toJSONSchema(field);
    return { name, in: "query", required: !field.isOptional(), description, schema };
  });
}

/** Describes a content. Lines are a text, each line of which has the schema. */
function contentOf(schema: z.ZodType, type: string): Json {
  const described = schemaOf(schema);
  if (type.endsWith("json") && type !== LINES_TYPE) return { schema: described };
  return { schema: { type: "string", contentMediaType: type, contentSchema: described } };
}

/** Refers to a schema by its name, or to the members of a union without one. */
function schemaOf(schema: z.ZodType): Json {
  const id = COMPONENTS.get(schema)?.id;
  if (id !== undefined) return { $ref: uri(id) };
  return { anyOf: (schema as z.ZodUnion<readonly z.ZodType[]>).options.map(schemaOf) };
}
