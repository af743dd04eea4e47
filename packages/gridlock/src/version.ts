import { readFileSync } from "node:fs";

/** The version of this package, or in the repository that of its root. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
).version;
