/*
 * Bundles what the pages run in a browser: their client (`packages/explorer/src/client` and its
 * styles) into `packages/explorer/site/`, and the worker of a site (`packages/site/src/worker.ts`)
 * into `packages/site/web/`. With `--check`, bundles into memory instead, and exits with 1 if the
 * committed files differ. The packages must be compiled.
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
 * The colours of the tiles from 2 on: of the tile on a light and on a dark page, and of its digits
 * on both.
 */
const TILES = [
  ["#f4efe4", "#3b3a35", "#3d382e", "#f1ebdd"],
  ["#ecdfc3", "#4b4535", "#43351a", "#f7edd5"],
  ["#f1c985", "#7a5a22", "#42290a", "#fff3dc"],
  ["#eaaa5b", "#99601d", "#3a2204", "#fff2de"],
  ["#e08443", "#a34f1a", "#2e1402", "#fff0e4"],
  ["#bf4b27", "#ad4524", "#ffffff", "#fff2ec"],
  ["#a23240", "#9b3040", "#ffffff", "#fff0f0"],
  ["#872a5d", "#88305f", "#ffffff", "#ffeff7"],
  ["#683180", "#6f3a88", "#ffffff", "#f9efff"],
  ["#473a95", "#5245a3", "#ffffff", "#f1efff"],
  ["#274b97", "#2f56a8", "#ffffff", "#eef4ff"],
  ["#145b85", "#1a6592", "#ffffff", "#ecf7ff"],
  ["#0d6468", "#126c70", "#ffffff", "#e9fbfb"],
  ["#1a6045", "#1f6a4d", "#ffffff", "#eafbf2"],
  ["#22303a", "#d9e0e4", "#ffffff", "#14202a"],
];

/**
 * Adds classes for numbers, since the pages use no styles in attributes: the rows and columns of a
 * board, the place of a cell in it, and the tiles by exponent; and for the sides of a board and the
 * colours of moves.
 */
const numbers = {
  name: "numbers",
  transform: {
    filter: { id: /styles\/app\.css$/ },
    handler: (css) =>
      [
        css,
        ...Array.from({ length: 17 }, (_, i) => `.r${i}{--r:${i}}.c${i}{--c:${i}}`),
        ...TILES.map(
          ([light, dark, lightDigit, darkDigit], i) =>
            `.t${i + 1}{--tile:light-dark(${light},${dark});--digit:light-dark(${lightDigit},${darkDigit});--digits:${String(2 ** (i + 1)).length}}`,
        ),
        ...["up", "left", "down", "right"].map((side) => `.to-${side}{grid-area:${side}}`),
        ...["slight", "costly", "grave", "open"].map(
          (name) => `.grade-${name}{--grade:var(--${name})}`,
        ),
      ].join(""),
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
