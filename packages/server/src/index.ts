export { ServerError } from "./errors.js";
export type { Limits, ServerOptions } from "./options.js";
export { createServer, type Server } from "./server.js";
