/*
 * Objects of the JSON that the command prints and the HTTP API sends. Each name is that of a schema
 * and of the type that is inferred from it; scripts/json-types.js writes these types out for users.
 */
export * from "./api.js";
export * from "./paper.js";
export * from "./players.js";
export * from "./solve.js";
export * from "./status.js";
export * from "./verify.js";
