export * from "./grid.js";
export * from "./key-index.js";
export * from "./layers.js";
export * from "./sweep-back.js";
export * from "./values.js";
