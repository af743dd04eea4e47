export type { ServerOptions } from "./options.js";
export { createServer, type Server, ServerError } from "./server.js";
