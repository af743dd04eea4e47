export * from "./grid.js";
export * from "./key-index.js";
export * from "./layers.js";
export * from "./values.js";
