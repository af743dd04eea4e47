/*
 * Packs all published packages into one folder, as npm would publish them:
 *
 *     npm run pack -- FOLDER
 *
 * The folder must exist. `npm install FOLDER/*.tgz` installs them anywhere.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("expected a folder: npm run pack -- FOLDER");

const published = readdirSync(join(root, "packages")).filter((name) => {
  const file = join(root, "packages", name, "package.json");
  return JSON.parse(readFileSync(file, "utf8")).private !== true;
});
const workspaces = published.map((name) => `--workspace=packages/${name}`);
const { status } = spawnSync(
  "npm",
  ["pack", "--silent", "--pack-destination", resolve(folder), ...workspaces],
  { cwd: root, stdio: "inherit" },
);
process.exitCode = status ?? 1;
