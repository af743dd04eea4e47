/* Formats sources with Biome. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Returns a source of TypeScript as Biome formats it.
 *
 * @throws {Error} with what Biome reports, if it cannot parse the source
 */
export function format(source) {
  const { status, stdout, stderr } = spawnSync(
    "node_modules/.bin/biome",
    ["format", "--stdin-file-path=source.ts"],
    { cwd: root, encoding: "utf8", input: source, maxBuffer: 2 ** 26 },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
