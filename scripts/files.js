/* Files that scripts make of others: written or, with --check, compared with the existing files. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Writes files or, with `--check`, exits with 1 if they are missing or differ.
 *
 * @param {string} command the command that writes them
 * @param {ReadonlyMap<string, string | Uint8Array>} files their contents, by paths from the root
 * @param {string} [folder] a folder with such files alone: others in it are removed, or reported
 */
export function writeOrCheck(command, files, folder) {
  const stale = [...files].filter(([file, contents]) => !isCurrent(file, contents));
  const others = (folder === undefined ? [] : readdirSync(join(root, folder)))
    .map((other) => `${folder}/${other}`)
    .filter((file) => !files.has(file));
  if (process.argv.includes("--check")) {
    for (const [file] of stale) console.error(`${file} is not current; run ${command}`);
    for (const file of others) console.error(`${file} is not made any more; run ${command}`);
    if (stale.length + others.length > 0) process.exitCode = 1;
    return;
  }
  for (const [file, contents] of stale) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), contents);
    console.log(`wrote ${file}`);
  }
  for (const file of others) rmSync(join(root, file));
}

function isCurrent(file, contents) {
  try {
    return readFileSync(join(root, file)).equals(Buffer.from(contents));
  } catch {
    return false;
  }
}
