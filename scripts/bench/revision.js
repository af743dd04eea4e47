/* Builds another revision of this repository beside this one. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { whenProcessEnds } from "@gridlock/testbed";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

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
 * Builds a commit in a new folder, with the third-party packages that it names.
 *
 * @returns the path of its command's script
 * @throws {Error} if it cannot be built
 */
export async function buildRevision(commit, folder) {
  const archive = `${folder}.tar`;
  git("archive", "--format=tar", `--output=${archive}`, commit);
  mkdirSync(folder);
  execFileSync("tar", ["-xf", archive, "-C", folder]);
  // A group of its own ends with all its processes.
  const options = { cwd: folder, detached: true, stdio: ["ignore", "ignore", "pipe"] };
  const build = spawn("npm", ["ci", "--prefer-offline", "--no-audit", "--no-fund"], options);
  const forget = whenProcessEnds(() => process.kill(-build.pid, "SIGKILL"));
  const [said, [code]] = await Promise.all([text(build.stderr), once(build, "close")]);
  forget();
  if (code !== 0) throw new Error(`npm ci in ${commit} failed: ${said}`.trim());
  return join(folder, "packages/cli/bin/gridlock.js");
}
