/*
 * Formats the AssemblyScript as Biome formats TypeScript or, with `--check`, exits with 1 if a file
 * is formatted differently. Biome cannot parse a decorator of a function (`@inline`), so
 * `biome.json` leaves these files out, and this script passes them to Biome with each decorator
 * turned into a comment.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { writeOrCheck } from "./files.js";

const root = new URL("../", import.meta.url);
const packages = new URL("packages/", root);

/** @throws {Error} with what Biome reports, if it cannot parse the source */
function format(source) {
  const { status, stdout, stderr } = spawnSync(
    "node_modules/.bin/biome",
    ["format", "--stdin-file-path=source.ts"],
    { cwd: fileURLToPath(root), encoding: "utf8", input: source, maxBuffer: 2 ** 26 },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

const sources = readdirSync(packages, { recursive: true }).filter((file) =>
  /^[^/]+\/assembly\/[^/]+$/.test(file),
);
const formatted = sources.map((file) => {
  const source = readFileSync(new URL(file, packages), "utf8").replaceAll(/^(@\w+)$/gm, "//$1");
  return [`packages/${file}`, format(source).replaceAll(/^\/\/(@\w+)$/gm, "$1")];
});
writeOrCheck("npm run format", new Map(formatted));
