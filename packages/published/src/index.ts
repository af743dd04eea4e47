export * from "./games.js";
