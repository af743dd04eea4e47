import { existsSync } from "node:fs";
import { describeGame, type Game, isExact } from "@gridlock/game";
import { layersFolderOf, makeCertificateFromLayers } from "@gridlock/layers";
import { formatCount, formatSeconds } from "@gridlock/report";
import type { ProveOutput } from "@gridlock/schemas";
import { makeCertificate, type ProofSummary, storedStarts, whyNoKernel } from "@gridlock/solver";
import { Database } from "@gridlock/store";
import { MOST_EFFORT } from "@gridlock/verify";
import type { Command } from "commander";
import { UsageError } from "../exit.js";
import { watchInterrupts } from "../interrupt.js";
import { commandOf, gameOf } from "../options/game.js";
import { tableMemory } from "../options/memory.js";
import { type GameFlags, gameCommand, jsonOption, memoryOption } from "../options/options.js";
import { parseInteger } from "../options/parse.js";
import { showWork } from "../output/display.js";
import { gameAsJson, printJson, printLine } from "../output/print.js";
import { certificateStanding } from "../output/standings.js";

interface ProveFlags extends GameFlags {
  readonly memory?: number;
  readonly proofEffort: number;
}

/** Makes the command `gridlock prove`. */
export function proveCommand(): Command {
  return gameCommand("prove", "make the certificate of a solved shape, which anyone can check")
    .addOption(
      memoryOption("memory of the process, most of it for the table", "by shape and free memory"),
    )
    .option(
      "--proof-effort <n>",
      "omit claims that a checker can prove by expanding at most n positions",
      (text) => parseInteger(text, 0, MOST_EFFORT),
      0,
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
A certificate is a list of claims about boards: each follows from others by one slide and one placement, and
the values of the starts follow from them. The database stores it in place of an older one.
docs/certificate.md explains how to check it without this program. Bounds come from the database and the
files of a proof by layers; prove searches again for those that they lack. It also finds and saves the lines of
best play that solve could not show.

Examples:
  $ gridlock solve 3x3 && gridlock prove 3x3 && gridlock verify 3x3
  $ gridlock export 3x3 --format certificate --output 3x3.certificate`,
    )
    .action((shape: string, flags: ProveFlags) => runProve(gameOf(shape, flags.tiles), flags));
}

async function runProve(game: Game, flags: ProveFlags): Promise<void> {
  const reason = whyNoKernel(game);
  if (reason) throw new UsageError(reason);
  refuseUnsolved(game, flags.db);
  using watch = watchInterrupts("stopping; no certificate is saved");
  const { signal } = watch;
  const { look, update: onProgress } = certificateStanding(game);
  using display = showWork(`proof of ${describeGame(game)}`, "claims", look, { signal });
  const task = {
    game,
    databaseFile: flags.db,
    memory: tableMemory(game, 1, flags.memory),
    effort: flags.proofEffort,
  };
  const folder = layersFolderOf(flags.db, game);
  const summary = existsSync(folder)
    ? await makeCertificateFromLayers({ ...task, folder }, onProgress, signal)
    : await makeCertificate(task, onProgress, signal);
  display.stop();
  print(game, summary, flags);
}

function refuseUnsolved(game: Game, db: string): void {
  using database = Database.open(db, { readOnly: true });
  const starts = storedStarts(game, database);
  const solved = starts.filter(({ bound }) => isExact(bound)).length;
  if (starts.length > 0 && solved === starts.length) return;
  throw new UsageError(
    `${db} has ${starts.length === 0 ? "no results" : `${solved} of ${starts.length} values`} of ${describeGame(game)}; run gridlock ${commandOf("solve", game)} first`,
  );
}

function print(game: Game, summary: ProofSummary, flags: ProveFlags): void {
  const { claims, lower, upper, bySearch, seconds } = summary;
  if (flags.json) {
    printJson<ProveOutput>({ ...gameAsJson(game), effort: flags.proofEffort, ...summary });
    return;
  }
  const search = bySearch > 0 ? `; ${formatCount(bySearch)} of them follow by search` : "";
  printLine(
    `${describeGame(game)}: a certificate of ${formatCount(claims)} claims, ${formatCount(lower)} lower and ${formatCount(upper)} upper${search}, in ${flags.db}, made in ${formatSeconds(seconds)}`,
  );
}
