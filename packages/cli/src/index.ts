export { main } from "./main.js";
export { OUTPUT_SCHEMAS, type OutputSchema } from "./schemas/index.js";
