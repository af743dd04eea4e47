import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { outputOf } from "./installed/package.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const BUNDLE = join(ROOT, "packages/cli/dist/bundle");

it("a bundle that is made again is left as it is, since commands may be reading it", () => {
  const written = () =>
    readdirSync(BUNDLE).map((file) => {
      const { ino, mtimeMs } = statSync(join(BUNDLE, file));
      return `${file} ${ino} ${mtimeMs}`;
    });
  const before = written();
  outputOf(process.execPath, [join(ROOT, "scripts/bundle.js")], ROOT);
  expect(written()).toEqual(before);
});
