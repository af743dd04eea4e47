import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "../src/index.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

it("names links to files and headings that do not exist", () => {
  const folder = temporaryFolder();
  const config = { customRules: [join(root, "scripts/markdown-links.js")], globs: ["**/*.md"] };
  writeFileSync(join(folder, ".markdownlint-cli2.jsonc"), JSON.stringify(config));
  mkdirSync(join(folder, "docs"));
  writeFileSync(
    join(folder, "docs/other.md"),
    "# Other\n\n## The [same](other.md) `code`\n\n## Twice\n\n## Twice 2\n\n```text\n# no heading\n```\n",
  );
  const links = {
    good: [
      "docs/other.md",
      "docs",
      "docs/other.md#the-same-code",
      "#page",
      "https://example.org/no.md#x",
    ],
    bad: ["other.md", "docs/other.md#missing", "#missing", "docs/other.md#no-heading"],
  };
  const page = [...links.good, ...links.bad].map((link) => `[text](${link})\n`).join("\n");
  writeFileSync(join(folder, "page.md"), `# Page\n\n${page}`);
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, "node_modules/markdownlint-cli2/markdownlint-cli2-bin.mjs")],
    { cwd: folder, encoding: "utf8" },
  );
  const named = [...stderr.matchAll(/relative-links .*\[Context: "(.*)"\]/g)].map(
    ([, link]) => link,
  );
  expect(named, stderr).toEqual(links.bad);
  expect(status).toBe(1);
});
