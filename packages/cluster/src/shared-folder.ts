import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Game } from "@gridlock/game";
import { layersBuild } from "@gridlock/layers";
import type { Logger } from "pino";
import { ClusterError } from "./errors.js";
import type { RunMessage } from "./messages.js";

/** The name of the file in a proof's folder with the id of the run that works on it. */
export const RUN_FILE = "run";
/** Milliseconds between two looks at a folder that is away. */
const LOOK_EVERY_MS = 500;

/**
 * Waits until a run's folder exists and is writable, and logs the wait. Returns whether it had to
 * wait.
 *
 * @param signal ends the wait: the promise rejects with its reason
 */
export async function awaitFolder(
  folder: string,
  run: string,
  log: Logger,
  signal: AbortSignal,
): Promise<boolean> {
  if (isUsable(folder, run)) return false;
  log.warn({ folder }, "waiting for the folder");
  do await sleep(LOOK_EVERY_MS, undefined, { signal });
  while (!isUsable(folder, run));
  log.info({ folder }, "the folder is back");
  return true;
}

function isUsable(folder: string, run: string): boolean {
  const probe = join(folder, `${randomUUID()}.tmp`);
  try {
    if (readFileSync(join(folder, RUN_FILE), "utf8") !== run) return false;
    writeFileSync(probe, "");
    rmSync(probe);
    return true;
  } catch (error) {
    // A full disk is not worth waiting for: the next write fails with that reason.
    return ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "");
  }
}

/**
 * Returns the path of a run's proof on this machine, after checking that it is the run's folder.
 *
 * @param data the path of the shared folder on this machine (default: the coordinator's path)
 * @throws {ClusterError} `folder` if the folder is missing, or belongs to another run
 */
export function folderOf(
  { run, host }: RunMessage,
  layers: NonNullable<RunMessage["layers"]>,
  data = layers.data,
): string {
  const folder = join(resolve(data), layers.folder);
  const expected = `expected the folder that ${host} knows as ${layers.data}; name its path here with --data`;
  let found: string;
  try {
    found = readFileSync(join(folder, RUN_FILE), "utf8");
  } catch (error) {
    throw new ClusterError(
      "folder",
      `this worker does not see the folder of the run: cannot read ${join(folder, RUN_FILE)} (${(error as NodeJS.ErrnoException).code}); ${expected}`,
      { cause: error },
    );
  }
  if (found !== run) {
    throw new ClusterError("folder", `${folder} is not the folder of the run; ${expected}`);
  }
  return folder;
}

/**
 * Rejects a run whose visits are made by another build: two builds would write different files for
 * the same visit.
 *
 * @throws {ClusterError} `protocol` if the builds differ
 */
export function refuseOtherBuild({ shape }: Game, build: string): void {
  const own = layersBuild(shape);
  if (own === build) return;
  throw new ClusterError(
    "protocol",
    `the run makes its layers with build ${build}, but this worker with build ${own}; use the same version of gridlock for the coordinator and all workers`,
  );
}
