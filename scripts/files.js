/* Files that scripts make of others: written or, with --check, compared with the existing files. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Writes files or, with `--check`, exits with 1 if they are missing or differ.
 *
 * @param {string} command the command that writes them
 * @param {ReadonlyMap<string, string | Uint8Array>} files their contents, by paths from the root
 */
export function writeOrCheck(command, files) {
  const stale = [...files].filter(([file, contents]) => !isCurrent(file, contents));
  if (process.argv.includes("--check")) {
    for (const [file] of stale) console.error(`${file} is not current; run ${command}`);
    if (stale.length > 0) process.exitCode = 1;
    return;
  }
  for (const [file, contents] of stale) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), contents);
    console.log(`wrote ${file}`);
  }
}

function isCurrent(file, contents) {
  try {
    return readFileSync(join(root, file)).equals(Buffer.from(contents));
  } catch {
    return false;
  }
}
