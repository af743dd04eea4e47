/*
 * Answers and their JSON without Node: what a web worker needs to answer as the server does.
 */
export * from "./answer.js";
export * from "./answer-json.js";
export * from "./published-bounds.js";
