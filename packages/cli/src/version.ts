import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./root.js";

/** The version of this program, from the root's package. */
export const VERSION: string = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version;
