/* Files that scripts generate: written or, with --check, compared with the existing files. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Writes generated files or, with `--check`, exits with 1 if they are missing or differ.
 *
 * @param {string} name what writes them, as scripts/generate.js calls it
 * @param {ReadonlyMap<string, string>} files their texts, by paths from the root
 * @param {string} [folder] a folder with generated files alone: others in it are removed, or reported
 */
export function writeOrCheck(name, files, folder) {
  const stale = [...files].filter(([file, text]) => textOf(file) !== text).map(([file]) => file);
  const others = (folder === undefined ? [] : readdirSync(join(root, folder)))
    .map((other) => `${folder}/${other}`)
    .filter((file) => !files.has(file));
  if (process.argv.includes("--check")) {
    for (const file of stale)
      console.error(`${file} is not current; run npm run generate -- ${name}`);
    for (const file of others)
      console.error(`${file} is not generated any more; run npm run generate -- ${name}`);
    if (stale.length + others.length > 0) process.exitCode = 1;
    return;
  }
  for (const file of stale) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), files.get(file));
    console.log(`wrote ${file}`);
  }
  for (const file of others) rmSync(join(root, file));
}

function textOf(file) {
  try {
    return readFileSync(join(root, file), "utf8");
  } catch {
    return undefined;
  }
}
