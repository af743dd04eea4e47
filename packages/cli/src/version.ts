import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder in which this program is installed, with its results and documentation. */
export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** The version of this program, from the root's package. */
export const VERSION: string = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version;
