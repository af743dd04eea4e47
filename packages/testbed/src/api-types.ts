/**
 * Returns the types of an API as a TypeScript module, as openapi-typescript makes them.
 *
 * @param description an OpenAPI description as JSON
 */
export async function typesOfApi(description: string): Promise<string> {
  // Loads a whole TypeScript compiler, which other users of this package need not wait for.
  const { default: openapiTS, astToString } = await import("openapi-typescript");
  return astToString(await openapiTS(description));
}
