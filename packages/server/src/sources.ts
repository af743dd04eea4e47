import type { Answerer } from "./answerer.js";
import type { Catalogue } from "./catalogue.js";
import type { ProjectFiles } from "./files.js";
import type { Settings } from "./options.js";
import type { PlayerPool } from "./players.js";
import type { RunWatch } from "./runs.js";

/** The files, threads and settings that the routes use to answer requests. */
export interface Sources {
  readonly settings: Settings;
  readonly answerer: Answerer;
  readonly catalogue: Catalogue;
  readonly players: PlayerPool;
  readonly runs: RunWatch;
  readonly files: ProjectFiles;
}
