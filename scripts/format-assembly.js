/*
 * Formats the AssemblyScript as Biome formats TypeScript or, with `--check`, exits with 1 if a file is formatted
 * differently. Biome cannot parse a decorator of a function (`@inline`), so `biome.json` leaves these files out, and
 * this script passes them to Biome with each decorator turned into a comment.
 */
import { readdirSync, readFileSync } from "node:fs";
import { format } from "./biome.js";
import { writeOrCheck } from "./files.js";

const packages = new URL("../packages/", import.meta.url);
const sources = readdirSync(packages, { recursive: true }).filter((file) =>
  /^[^/]+\/assembly\/[^/]+$/.test(file),
);
const formatted = sources.map((file) => {
  const source = readFileSync(new URL(file, packages), "utf8").replaceAll(/^(@\w+)$/gm, "//$1");
  return [`packages/${file}`, format(source).replaceAll(/^\/\/(@\w+)$/gm, "$1")];
});
writeOrCheck("npm run format", new Map(formatted));
