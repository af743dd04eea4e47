import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ClusterError } from "./errors.js";
import type { RunMessage } from "./messages.js";

/** The name of the file in a proof's folder that has the id of the run that works on the proof. */
export const RUN_FILE = "run";

/**
 * Returns the path of a run's proof on this machine, once it is certain that this is the folder of the run.
 *
 * @param data the folder that all machines reach, as this one sees it (default: as the coordinator does)
 * @throws {ClusterError} `folder` if it is not there, or another one
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
