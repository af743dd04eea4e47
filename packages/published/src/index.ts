export * from "./games.js";
export * from "./literature.js";
