import { join } from "node:path";
import { describeMachine, writeResult } from "@gridlock/cli/command";
import { formatShape, parseShape } from "@gridlock/game";
import type { BenchSettings } from "../bench.js";
import { type Experiment, filesOf, type Report } from "../experiment.js";

/** The default settings of all experiments. */
export const DEFAULTS: Omit<BenchSettings, "seed"> = {
  /** Enough for the best ordering to solve 3×3; all experiments of Qiu's paper still take only minutes. */
  mostNodes: 18_000_000,
  shapes: ["2x3", "2x4", "3x3"].map(parseShape),
};

/**
 * Writes the files of a report.
 *
 * @param out their folder
 * @param command the command that repeats the experiment; see {@link commandOf}
 */
export function writeReport(
  out: string,
  experiment: Experiment,
  report: Report,
  command: string,
): void {
  const made = { command, machine: describeMachine(), date: new Date().toISOString().slice(0, 10) };
  for (const [file, content] of filesOf(experiment, report, made)) {
    writeResult("--out", join(out, file), content);
  }
}

/**
 * Returns the command that repeats an experiment, with the settings on which its result depends and
 * that are not the defaults.
 *
 * @param words the words before the experiment's name
 * @param defaultSeed the default of `--seed`
 */
export function commandOf(
  words: string,
  { name, settings = [] }: Experiment,
  { seed, mostNodes, mostGames, shapes }: BenchSettings,
  defaultSeed: number,
): string {
  const options: Record<keyof BenchSettings, string | false> = {
    seed: seed !== defaultSeed && `--seed ${seed}`,
    mostNodes: mostNodes !== DEFAULTS.mostNodes && `--most-nodes ${mostNodes}`,
    mostGames: mostGames !== undefined && `--most-games ${mostGames}`,
    shapes: shapes !== DEFAULTS.shapes && `--shapes ${shapes.map(formatShape)}`,
  };
  const given = (Object.keys(options) as (keyof BenchSettings)[]).flatMap((setting) =>
    settings.includes(setting) ? options[setting] || [] : [],
  );
  return ["npx gridlock", words, name, ...given].join(" ");
}
