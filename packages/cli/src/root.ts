import { fileURLToPath } from "node:url";

/** The folder in which this program is installed, with its results and documentation. */
export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
