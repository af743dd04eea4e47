import { createHash } from "node:crypto";
import type { Shape } from "@gridlock/game";
import { kernelFiles } from "./files.js";
import { moduleFile } from "./module.js";
import { PACKER_FILE } from "./records.js";

const VERSION_DIGITS = 12;

/**
 * Returns the version of a shape's kernel: hexadecimal digits of a digest of its code, including
 * that of large tables and that which packs records. Only kernels of the same version can use its
 * records.
 */
export function kernelVersion(shape: Shape): string {
  const hash = createHash("sha256");
  for (const file of [moduleFile(shape), moduleFile(shape, ".shard"), PACKER_FILE]) {
    hash.update(kernelFiles.bytes(file));
  }
  return hash.digest("hex").slice(0, VERSION_DIGITS);
}
