import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Lists the files of a proof by layers, including files that should have been removed, with their
 * SHA-256, sorted by name. The list is empty if the folder does not exist.
 */
export function proofFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /\.(block|letters|tmp)$/.test(name))
    .sort()
    .map((name) => `${name} ${sha256(readFileSync(join(folder, name)))}`);
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
