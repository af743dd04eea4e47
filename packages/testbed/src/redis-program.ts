import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const UNPACK = fileURLToPath(new URL("../unpack-redis.sh", import.meta.url));

/** Returns the path of a program on the PATH, or `undefined` if it is not there. */
export function findProgram(...names: string[]): string | undefined {
  const { PATH = "" } = process.env;
  for (const name of names) {
    for (const folder of PATH.split(delimiter)) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // not here
      }
    }
  }
  return undefined;
}

/**
 * Unpacks a Redis server from the packages of a Debian or Ubuntu system, unless this was done
 * before. Several processes may call it at the same time. It writes only to `cache`, and takes a
 * few seconds the first time.
 *
 * @returns the path of a program that runs the server
 * @throws {Error} if this fails, with the reason and a remedy
 */
export function unpackRedisServer(cache: string): string {
  const { error, status, stdout, stderr } = spawnSync("sh", [UNPACK, cache], { encoding: "utf8" });
  if (status === 0) return stdout.trim();
  const reason = error?.message ?? stderr.trim().split("\n").at(-1);
  throw new Error(
    `found no redis-server or valkey-server on the PATH, and could not unpack one into ${cache} (${reason}). Install one, for example with: apt-get install redis-server`,
  );
}

let program: string | undefined;

/**
 * Finds the program of a Redis server: one on the PATH, or else one unpacked into the user's cache
 * folder (`$XDG_CACHE_HOME/gridlock`, by default `~/.cache/gridlock`).
 *
 * @throws {Error} if there is no such program, with a remedy
 */
export function findRedisServer(): string {
  const { XDG_CACHE_HOME } = process.env;
  program ??=
    findProgram("redis-server", "valkey-server") ??
    unpackRedisServer(join(XDG_CACHE_HOME || join(homedir(), ".cache"), "gridlock"));
  return program;
}
