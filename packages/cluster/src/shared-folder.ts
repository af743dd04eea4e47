import { randomUUID } from "node:crypto";
import { closeSync, ftruncateSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Game } from "@gridlock/game";
import { layersBuild } from "@gridlock/layers";
import { expectFolder, openPlain, readPlain, reasonOf } from "@gridlock/store";
import type { Logger } from "pino";
import { ClusterError } from "./errors.js";
import type { RunMessage } from "./messages.js";

/** The name of the file in a proof's folder with the id of the run that works on it. */
export const RUN_FILE = "run";
/** More bytes than the id of a run has. */
const MOST_ID_BYTES = 256;
/** Milliseconds between two looks at a folder that is away. */
const LOOK_EVERY_MS = 500;

/**
 * Marks a proof's folder as that of a run.
 *
 * @throws {ClusterError} `folder` if it cannot be written
 */
export function claimFolder(folder: string, run: string): void {
  const file = join(folder, RUN_FILE);
  try {
    expectFolder(folder);
    // Written in place, so that a machine that has read an earlier run's file sees the change.
    withFile(file, "update", (opened) => {
      ftruncateSync(opened);
      writeFileSync(opened, run);
    });
  } catch (error) {
    throw new ClusterError("folder", `cannot write ${file} (${reasonOf(error)})`, { cause: error });
  }
}

/** Returns the id of the run that works in a folder. */
function runIn(folder: string): string {
  expectFolder(folder);
  return readPlain(join(folder, RUN_FILE), MOST_ID_BYTES).toString();
}

function withFile<T>(
  file: string,
  use: Parameters<typeof openPlain>[1],
  action: (descriptor: number) => T,
): T {
  const opened = openPlain(file, use);
  try {
    return action(opened);
  } finally {
    closeSync(opened);
  }
}

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
    if (runIn(folder) !== run) return false;
    withFile(probe, "create", () => rmSync(probe));
    return true;
  } catch (error) {
    // A full disk is not worth waiting for: the next write fails with that reason.
    const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    return ["ENOSPC", "EDQUOT"].includes(code ?? "");
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
    found = runIn(folder);
  } catch (error) {
    throw new ClusterError(
      "folder",
      `this worker does not see the folder of the run: ${reasonOf(error)}; ${expected}`,
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
