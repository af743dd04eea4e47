export * from "./cluster-run.js";
export * from "./command.js";
export * from "./faults.js";
export * from "./folder.js";
export * from "./oracle.js";
export * from "./redis-program.js";
export * from "./redis-server.js";
export * from "./until.js";
