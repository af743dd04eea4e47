/*
 * Formats the AssemblyScript as Biome formats TypeScript or, with `--check`, exits with 1 if a file is formatted
 * differently. Biome cannot parse a decorator of a function (`@inline`), so `biome.json` leaves these files out, and
 * this script passes them to Biome with each decorator turned into a comment.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const check = process.argv.includes("--check");

/** Lists the AssemblyScript of all packages, by paths from the root. */
function sources() {
  return readdirSync(join(root, "packages"))
    .map((name) => `packages/${name}/assembly`)
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((file) => `${folder}/${file}`));
}

/** Returns a source as Biome formats it. */
function format(file, source) {
  const args = ["format", "--stdin-file-path", "assembly.ts"];
  const { status, stdout, stderr } = spawnSync(join(root, "node_modules/.bin/biome"), args, {
    cwd: root,
    input: source.replaceAll(/^(@\w+)$/gm, "//$1"),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${file}: Biome cannot format it\n${stderr}`);
  return stdout.replaceAll(/^\/\/(@\w+)$/gm, "$1");
}

let differ = 0;
for (const file of sources()) {
  const source = readFileSync(join(root, file), "utf8");
  const formatted = format(file, source);
  if (formatted === source) continue;
  differ++;
  if (check) console.error(`${file} is not formatted; run npm run format`);
  else writeFileSync(join(root, file), formatted);
}
console.log(
  check && differ === 0
    ? "the AssemblyScript is formatted"
    : `${differ} files ${check ? "differ" : "formatted"}`,
);
process.exitCode = check && differ > 0 ? 1 : 0;
