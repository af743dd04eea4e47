/*
 * Bundles the pages' client (`packages/explorer/src/client` and its styles) into `packages/explorer/site/`. With
 * `--check`, bundles into memory instead, and exits with 1 if the committed files differ. The packages must be compiled.
 *
 *     npm run build:explorer
 */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = join(dirname(fileURLToPath(import.meta.url)), "../packages/explorer");
const check = process.argv.includes("--check");

const result = await build({
  root,
  configFile: false,
  envDir: false,
  logLevel: "warn",
  publicDir: false,
  build: {
    write: false,
    target: "es2022",
    // The first versions that know light-dark().
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: false,
    rolldownOptions: {
      input: { app: join(root, "src/client/main.tsx"), style: join(root, "src/styles/app.css") },
      output: { entryFileNames: "[name].js", assetFileNames: "app.[ext]" },
    },
  },
});
const files = result.output
  .map((file) => ({ name: file.fileName, content: "code" in file ? file.code : file.source }))
  .filter(({ name }) => name === "app.js" || name === "app.css");
if (files.length !== 2)
  throw new Error(`expected app.js and app.css, not ${files.map(({ name }) => name)}`);

for (const { name, content } of files) {
  const path = join(root, "site", name);
  if (!check) writeFileSync(path, content);
  else if (readFileSync(path, "utf8") !== content) {
    console.error(
      `packages/explorer/site/${name} is not what its source makes: npm run build:explorer`,
    );
    process.exitCode = 1;
  }
}
if (process.exitCode !== 1)
  console.log(check ? "the pages' client is what its source makes" : "built");
