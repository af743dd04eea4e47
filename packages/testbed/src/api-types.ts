import openapiTS, { astToString } from "openapi-typescript";

/**
 * Returns the types of an API as a TypeScript module, as openapi-typescript makes them.
 *
 * @param description an OpenAPI description as JSON
 */
export async function typesOfApi(description: string): Promise<string> {
  return astToString(await openapiTS(description));
}
