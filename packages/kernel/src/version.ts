import { createHash } from "node:crypto";
import type { Shape } from "@gridlock/game";
import { fileBytes } from "./files.js";
import { moduleFile } from "./module.js";

const VERSION_DIGITS = 12;

/**
 * Returns the version of a shape's kernel: hexadecimal digits of a digest of its code. Only kernels
 * of the same version can use its records.
 */
export function kernelVersion(shape: Shape): string {
  const hash = createHash("sha256").update(fileBytes(moduleFile(shape)));
  return hash.digest("hex").slice(0, VERSION_DIGITS);
}
