export { hardestQuestion } from "./hardest.js";
export type { Traffic } from "./network.js";
export * from "./options.js";
export * from "./simulate.js";
