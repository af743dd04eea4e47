import { describeGame } from "@gridlock/game";
import { formatBytes, formatTable } from "@gridlock/report";
import type { CleanOutput } from "@gridlock/schemas";
import { StoreError } from "@gridlock/store";
import { Argument, Command } from "commander";
import { KINDS, type Kind, type Leftover, leftoversBeside } from "../cleaning.js";
import { EXIT } from "../exit.js";
import { dbOption, jsonOption } from "../options/options.js";
import { ask, canAsk } from "../output/ask.js";
import { gameAsJson } from "../output/json.js";
import { printJson, printLine } from "../output/stdout.js";
import { printError } from "../output/visible.js";

interface CleanFlags {
  readonly db: string;
  readonly unfinished?: true;
  readonly yes?: true;
  readonly json?: true;
}

/** A leftover and what has become of it. */
interface Outcome extends Omit<Leftover, "state"> {
  readonly state: Leftover["state"] | "removed";
}

/** Makes the command `gridlock clean`. */
export function cleanCommand(): Command {
  return new Command("clean")
    .description("list and remove files beside a database that no proven value depends on")
    .addArgument(new Argument("[kinds...]", "what to remove (default: all)").choices(KINDS))
    .addOption(dbOption())
    .option("--unfinished", "also remove snapshots that a solve would resume from")
    .option("--yes", "remove without asking")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Lists snapshots of transposition tables, databases of workers (worker*.db) with their snapshots, and
tabulations, says how much disk space removing them frees, and asks before it does so. Without a terminal to
ask on, it removes nothing unless --yes is given. It never removes files that a running process uses, the
database with its values and certificates, or proofs by layers, which gridlock verify checks.

Examples:
  $ gridlock clean
  $ gridlock clean snapshots workers --yes
  $ gridlock clean tabulations --db /data/gridlock.db --json`,
    )
    .action(async (kinds: Kind[], flags: CleanFlags) => {
      process.exitCode = await runClean(kinds.length === 0 ? KINDS : kinds, flags);
    });
}

async function runClean(kinds: readonly Kind[], flags: CleanFlags): Promise<number> {
  const leftovers = leftoversBeside(flags.db, kinds);
  const chosen = leftovers.filter(
    ({ state }) => state === "removable" || (state === "unfinished" && flags.unfinished),
  );
  if (!flags.json) print(leftovers, chosen, flags.db);
  const agreed =
    chosen.length > 0 &&
    (flags.yes || (!flags.json && canAsk() && (await ask("Remove these files? [y/N] "))));
  const outcomes = leftovers.map((one): Outcome => {
    return { ...one, state: agreed && chosen.includes(one) ? removed(one) : one.state };
  });
  const freed = sum(outcomes.filter(({ state }) => state === "removed"));
  if (flags.json) printJson<CleanOutput>(asJson(outcomes, agreed ? freed : sum(chosen)));
  else if (agreed) printLine(`freed ${formatBytes(freed)}`);
  else if (chosen.length > 0) printLine("nothing was removed; add --yes to remove these files");
  return EXIT.ok;
}

/** Removes files, unless another process has just begun to use them. */
function removed(one: Leftover): Outcome["state"] {
  try {
    one.remove();
    return "removed";
  } catch (error) {
    if (!(error instanceof StoreError && error.code === "locked")) throw error;
    printError(`not removed: ${error.message}`);
    return "in use";
  }
}

function sum(leftovers: readonly Pick<Leftover, "bytes">[]): number {
  return leftovers.reduce((bytes, one) => bytes + one.bytes, 0);
}

function print(leftovers: readonly Leftover[], chosen: readonly Leftover[], db: string): void {
  if (leftovers.length === 0) {
    printLine(`there is nothing to remove beside ${db}`);
    return;
  }
  const rows = leftovers.map(({ kind, game, bytes, state, files, note }) => [
    kind,
    game ? describeGame(game) : "",
    formatBytes(bytes),
    state,
    files[0] + (files.length > 1 ? ` and ${files.length - 1} more` : ""),
    note,
  ]);
  printLine(formatTable(["kind", "game", "size", "state", "files", ""], rows, [2]));
  const kept = leftovers.some((one) => one.state === "unfinished" && !chosen.includes(one));
  printLine(
    `\nRemoving ${chosen.length === leftovers.length ? "them" : "the removable files"} frees ${formatBytes(sum(chosen))}.${kept ? " A solve would resume from the unfinished snapshots; --unfinished removes them too." : ""}`,
  );
}

function asJson(outcomes: readonly Outcome[], bytes: number): CleanOutput {
  return {
    bytes,
    files: outcomes.map(({ kind, game, files, bytes: size, state }) => ({
      ...{ kind, ...(game ? gameAsJson(game) : { shape: null, tiles: null }) },
      ...{ files, bytes: size, state },
    })),
  };
}
