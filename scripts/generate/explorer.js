/*
 * Bundles what the pages run in a browser: their client (`packages/explorer/src/client` and its styles) into
 * `packages/explorer/site/`, and the worker of a site (`packages/site/src/worker.ts`) into `packages/site/web/`. With
 * `--check`, bundles into memory instead, and exits with 1 if the committed files differ. The packages must be compiled.
 *
 *     npm run generate -- explorer
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { BROWSERS } from "../check-browsers.js";
import { writeOrCheck } from "../files.js";

const packages = join(dirname(fileURLToPath(import.meta.url)), "../../packages");

/** The bundles: a package, what it bundles, and the files that come of it. */
const BUNDLES = [
  {
    name: "explorer",
    folder: "site",
    files: ["app.js", "app.css"],
    input: { app: "src/client/main.tsx", style: "src/styles/app.css" },
  },
  { name: "site", folder: "web", files: ["worker.js"], input: { worker: "src/worker.ts" } },
];

/**
 * Adds a class for each number of a row or a column, since the pages use no styles in attributes: the rows and columns of
 * a board, and the place of a cell in it.
 */
const numbers = {
  name: "numbers",
  transform: {
    filter: { id: /styles\/app\.css$/ },
    handler: (css) =>
      css + Array.from({ length: 17 }, (_, i) => `.r${i}{--r:${i}}.c${i}{--c:${i}}`).join(""),
  },
};

/** The bundled files, by their paths from the root of the repository. */
const made = new Map();
for (const { name, folder, files: expected, input } of BUNDLES) {
  const root = join(packages, name);
  const entries = Object.entries(input).map(([entry, path]) => [entry, join(root, path)]);
  const result = await build({
    root,
    configFile: false,
    envDir: false,
    logLevel: "warn",
    publicDir: false,
    plugins: [numbers],
    build: {
      write: false,
      target: Object.entries(BROWSERS).map(([browser, oldest]) => browser + oldest),
      modulePreload: false,
      rolldownOptions: {
        input: Object.fromEntries(entries),
        output: { entryFileNames: "[name].js", assetFileNames: "app.[ext]" },
      },
    },
  });
  const files = result.output
    .map((file) => ({ file: file.fileName, content: "code" in file ? file.code : file.source }))
    .filter(({ file }) => expected.includes(file));
  if (files.length !== expected.length)
    throw new Error(`expected ${expected}, not ${files.map(({ file }) => file)}`);

  for (const { file, content } of files) made.set(`packages/${name}/${folder}/${file}`, content);
}
writeOrCheck("npm run generate -- explorer", made);
