/* Builds another revision of this repository beside this one. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { whenProcessEnds } from "@gridlock/testbed";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SCOPE = "@gridlock";

function git(...args) {
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: "pipe" }).trim();
}

/**
 * Returns the hash of a commit.
 *
 * @throws {Error} with a sentence, if there is no such commit or no repository
 */
export function commitOf(revision) {
  try {
    return git("rev-parse", "--verify", "--end-of-options", `${revision}^{commit}`);
  } catch ({ stderr, message }) {
    const reason = (stderr || message).trim();
    throw new Error(`${revision} is not a revision of this repository: ${reason}`);
  }
}

/**
 * Links the installed third-party packages of this repository into a folder with another revision
 * of it. The packages of the repository itself are those of that revision.
 */
function linkPackages(folder) {
  const link = (from, to) => {
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(from)) {
      if (name !== SCOPE) symlinkSync(join(from, name), join(to, name));
    }
  };
  link(join(ROOT, "node_modules"), join(folder, "node_modules"));
  mkdirSync(join(folder, "node_modules", SCOPE));
  for (const name of readdirSync(join(folder, "packages"))) {
    const own = join(folder, "packages", name);
    symlinkSync(own, join(folder, "node_modules", SCOPE, name));
    const nested = join(ROOT, "packages", name, "node_modules");
    if (existsSync(nested)) link(nested, join(own, "node_modules"));
  }
}

/**
 * Builds a commit in a new folder, with the third-party packages installed here.
 *
 * @returns the path of its command's script
 * @throws {Error} if it cannot be built
 */
export async function buildRevision(commit, folder) {
  const archive = `${folder}.tar`;
  git("archive", "--format=tar", `--output=${archive}`, commit);
  mkdirSync(folder);
  execFileSync("tar", ["-xf", archive, "-C", folder]);
  const lock = (root) => readFileSync(join(root, "package-lock.json"), "utf8");
  if (lock(folder) !== lock(ROOT)) {
    console.error("note: its package-lock.json differs; it runs with the packages installed here");
  }
  linkPackages(folder);
  // A group of its own ends with all its processes.
  const options = { cwd: folder, detached: true, stdio: ["ignore", "ignore", "pipe"] };
  const build = spawn("npm", ["run", "--silent", "prepare"], options);
  const forget = whenProcessEnds(() => process.kill(-build.pid, "SIGKILL"));
  const [said, [code]] = await Promise.all([text(build.stderr), once(build, "close")]);
  forget();
  if (code !== 0) throw new Error(`npm run prepare in ${commit} failed: ${said}`.trim());
  return join(folder, "packages/cli/bin/gridlock.js");
}
