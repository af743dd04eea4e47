/* Builds another revision of this repository. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SCOPE = "@gridlock";

/**
 * Builds a revision in a new folder, with the third-party packages that are installed here. Git and npm say what is
 * wrong.
 *
 * @returns the path of its command's script
 * @throws {Error} if there is no such revision, or it cannot be built
 */
export function buildRevision(revision, folder) {
  const run = (program, args, cwd) =>
    execFileSync(program, args, { cwd, stdio: ["ignore", process.stderr, process.stderr] });
  const archive = `${folder}.tar`;
  run(
    "git",
    ["archive", "--format=tar", `--output=${archive}`, "--end-of-options", revision],
    ROOT,
  );
  mkdirSync(folder);
  run("tar", ["-xf", archive], folder);
  const [installed, linked] = [ROOT, folder].map((root) => join(root, "node_modules"));
  mkdirSync(join(linked, SCOPE), { recursive: true });
  for (const name of readdirSync(installed)) {
    if (name !== SCOPE) symlinkSync(join(installed, name), join(linked, name));
  }
  for (const name of readdirSync(join(folder, "packages"))) {
    symlinkSync(join(folder, "packages", name), join(linked, SCOPE, name));
    const nested = join(ROOT, "packages", name, "node_modules");
    if (existsSync(nested)) symlinkSync(nested, join(folder, "packages", name, "node_modules"));
  }
  run("npm", ["run", "--silent", "prepare"], folder);
  return join(folder, "packages/cli/bin/gridlock.js");
}
