export * from "./games.js";
export * from "./literature.js";
export type { Confirmation, Provenance } from "./record.js";
