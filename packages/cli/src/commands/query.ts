import { type Answer, asJson, playerAnswer, type Worth } from "@gridlock/answers";
import { type BoardText, readBoard } from "@gridlock/game";
import type { PlayerMaker } from "@gridlock/players";
import type { PlayerAnswer } from "@gridlock/schemas";
import type { Command } from "commander";
import { EXIT, UsageError } from "../exit.js";
import { allowDashes, boardsIn, withBoards } from "../options/boards.js";
import { gameCommand, jsonOption, memoryOption } from "../options/options.js";
import { parseSeconds } from "../options/parse.js";
import { answerPage } from "../output/answer-page.js";
import { asLine, playerAnswerAsText } from "../output/answer-words.js";
import { boardTable } from "../output/board-table.js";
import { printError, printLine, printNotes, writeOut } from "../output/print.js";
import { answerInput } from "./query-input.js";
import { BUDGET_S, type QueryFlags, QuerySources } from "./query-sources.js";

/** Makes the command `gridlock query`. */
export function queryCommand(): Command {
  const command = gameCommand(
    "query",
    "print the value of a board and of each move, and a line of best play",
    [
      "[board...]",
      "boards, each in quotes: rows of tiles, 0 or · for an empty cell, / between rows; append 'placer' if the placer moves (default: the boards on standard input)",
    ],
  )
    .option(
      "--budget <seconds>",
      "seconds to search for values missing from the database and the files beside it; for large published starts at most 0.15",
      parseSeconds,
      BUDGET_S,
    )
    .addOption(memoryOption("memory for the table of such a search", "up to 256M"))
    .option(
      "--verified",
      "answer only from the certificate, which is checked once, the rules and search; save no values",
    )
    .option("--no-published", "do not use the published values and the literature")
    .option("--values", "print only the value of each board, without moves and line of play")
    .option(
      "--player <name>",
      "also print this player's choices and their cost (see gridlock play --help)",
    )
    .addOption(jsonOption())
    .option("--csv", "print CSV: the columns given with the boards, the value and the best moves");
  return allowDashes(withBoards(command))
    .addHelpText(
      "after",
      `
query prints a value only if it is proven, and otherwise the proven interval. A move is worth its score plus
the value of the board it leads to. A move is "best" if it is proven that no other one is better, "no better" if
another one is proven to be at least as good, and "open" if it may be better than all others. A line of best play
lists the slider's moves as directions and the placer's as tile@row,column.

Values come from the database and the tabulation, and otherwise from a search, which saves what it proves if a
solve of the shape has begun in the database. Starts that none of these knows have the values of results/, which
travel with the program; the answer names their proof. Beside a tabulation, query also prints the scores expected
against chance.

docs/notation.md lists the formats of boards: rows divided by / or line ends, JSON, NumPy, exponents, saved games
and the hexadecimal digits of other programs. Boards from standard input get one line each, with --json one
object each, which keeps the other fields of a JSON object. A line of JSON is a board's text in quotes, or an object
with "board" and, where needed, "turn", "tiles", "shape", "exponents" and "order". A table in CSV has a column "board".

The bounds of a database that somebody else made may be false. --verified uses none of them, nor the
tabulation: it checks the certificate beside the database as verify does, unless this very file was checked
on this machine before, and answers from its claims.

Examples:
  $ gridlock query "2 0 0/0 4 0/0 0 0"
  $ gridlock query "2 · ·/· 4 ·/· · · placer" --json
  $ gridlock query "2 2 0/0 0 0" "2 0 2/0 0 0"
  $ gridlock query "2 0 0/0 4 0/0 0 0" --player emr
  $ gridlock query "2 0 0/0 4 0/0 0 0" --verified --db downloaded.db
  $ gridlock query "0 2 0 0 0 0 0 2 0" --shape 3x3
  $ gridlock query 123f010f200fffff
  $ gridlock query --values < boards.txt
  $ gridlock query --json < boards.ndjson
  $ gridlock query --csv < boards.csv`,
    )
    .action(async (words: string[], flags: QueryFlags) => {
      process.exitCode = await runQuery(words, flags);
    });
}

async function runQuery(words: readonly string[], flags: QueryFlags): Promise<number> {
  if (flags.player !== undefined && words.length === 0) {
    throw new UsageError("--player works only with boards on the command line");
  }
  if (words.length === 0) {
    if (process.stdin.isTTY) {
      printError("reading boards; end each with an empty line, or press Ctrl-D to finish");
    }
    return answerInput(flags);
  }
  const nodes = boardsIn(words).map((text) => readBoard(text, flags));
  // The players take time to load, and only --player needs them.
  const { PlayerMaker } = flags.player === undefined ? {} : await import("@gridlock/players");
  using maker = PlayerMaker && new PlayerMaker(flags.db);
  const players = maker && (await Promise.all(nodes.map((node) => choicesFor(node, maker, flags))));
  await using sources = await QuerySources.open(flags);
  const table = flags.csv && boardTable(flags.values === true);
  for (const [i, node] of nodes.entries()) {
    printNotes(node);
    const answer = await sources.answer(node);
    if (table) printLine(table({ text: "", fields: new Map() }, answer));
    else {
      if (i > 0 && !flags.values && !flags.json) printLine("");
      printAnswer(answer, flags, players?.[i]);
    }
    if (sources.signal?.aborted) return EXIT.interrupted;
  }
  return EXIT.ok;
}

/** Prints the answer to a board of the command line. */
function printAnswer(
  answer: Answer | Worth,
  flags: QueryFlags,
  player: PlayerChoices | undefined,
): void {
  if (flags.json) {
    const choices = player && "moves" in answer ? player(answer) : undefined;
    printLine(JSON.stringify(asJson(answer, choices)));
  } else if ("moves" in answer) {
    writeOut(Buffer.from(`${answerPage(answer)}\n`)); // as it is: with our own colours and no foreign text
    if (player) printLine(`\n${playerAnswerAsText(player(answer))}`);
  } else printLine(asLine(answer));
}

/** Returns the choices of a player on the board of an answer, and their cost. */
type PlayerChoices = (answer: Answer) => PlayerAnswer;

/** Makes the player that is asked for, to answer a board. */
async function choicesFor(
  { board, turn, tiles }: BoardText,
  maker: PlayerMaker,
  flags: QueryFlags,
): Promise<PlayerChoices> {
  if (turn === "placer") {
    throw new UsageError(
      "--player needs a board with the slider to move; in this one the placer moves",
    );
  }
  const { asked } = await import("../options/player.js");
  const { CellRules } = await import("@gridlock/players");
  const name = flags.player as string;
  const player = await asked(() =>
    maker.player(name, { shape: board, tiles: tiles ?? flags.tiles }),
  );
  return (answer) => {
    const isOver = answer.moves.length === 0;
    const choices = isOver ? [] : player.choose(new CellRules(board).cells(board));
    return playerAnswer(player.name, choices, answer);
  };
}
