/*
 * The JSON of the command and of the HTTP API. In the package that users install,
 * scripts/json-types.js has written the declarations of these types out, so that they need no zod.
 */
export type * from "@gridlock/schemas";
