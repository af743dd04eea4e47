/*
 * Adds the license and a README to the package in the working folder, for publication. The README has the package's
 * section of docs/library.md, if there is one. npm runs this before it packs a package; neither file is under version
 * control.
 */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";

const { name, description } = JSON.parse(readFileSync("package.json", "utf8"));
const library = readFileSync(new URL("../docs/library.md", import.meta.url), "utf8");
const section = library.split(/^## /m).find((text) => text.startsWith(`${name}\n`));

copyFileSync(new URL("../LICENSE", import.meta.url), "LICENSE");
writeFileSync(
  "README.md",
  `# ${name}

${section?.slice(name.length).trim() ?? `${description}.`}

## Gridlock

This package is a part of Gridlock, the exact solver of adversarial 2048: the score that a slider can
force, whatever the placer does. The package @gridlock/cli has its command, \`gridlock\`.
`,
);
