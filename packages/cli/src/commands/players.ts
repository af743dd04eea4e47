import { PLAYER_KINDS, type PlayerKind } from "@gridlock/players";
import { formatTable } from "@gridlock/report";
import type { PlayersOutput } from "@gridlock/schemas";
import { Command } from "commander";
import { jsonOption } from "../options/options.js";
import { printJson, printLine } from "../output/print.js";

/** Names that a list shows before it only counts the rest. */
const SHOWN_NAMES = 3;

/** Makes the command `gridlock players`. */
export function playersCommand(): Command {
  return new Command("players")
    .description("list the players for gridlock play and gridlock assess")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Depth and variants follow a player's name after colons, in any order: zaky-minimax:8:corner. docs/players.md
describes the players, and how to write one of your own.

Examples:
  $ gridlock players
  $ gridlock players --json | jq -r '.[].names[]'`,
    )
    .action((flags: { readonly json?: true }) => {
      if (flags.json) printJson<PlayersOutput>(PLAYER_KINDS.map(asJson));
      else printLine(asText());
    });
}

function asJson(kind: PlayerKind): PlayersOutput[number] {
  const { names, source = null, summary, depth = null, variants = {}, file = null } = kind;
  return { names, source, summary, depth, variants, file };
}

function asText(): string {
  const rows = PLAYER_KINDS.flatMap(({ names, summary, depth, variants = {}, file }) => [
    [namesOf(names), summary],
    ...(depth
      ? [["  :DEPTH", `depth in ${depth.unit}, 1 to ${depth.most} (default: ${depth.byDefault})`]]
      : []),
    ...(file ? [["  :FILE", file]] : []),
    ...Object.entries(variants).map(([name, change]) => [`  :${name}`, change]),
  ]);
  return formatTable(rows, [
    ["player", ([name]) => name],
    ["chooses", ([, how]) => how],
  ]);
}

function namesOf(names: readonly string[]): string {
  const rest = names.length - SHOWN_NAMES;
  if (rest <= 0) return names.join(", ");
  return `${names.slice(0, SHOWN_NAMES).join(", ")} and ${rest} more`;
}
