/*
 * This file exceeds 350 lines because boards that are arguments and boards on standard input share
 * their flags.
 */
import { availableParallelism } from "node:os";
import { addAbortSignal } from "node:stream";
import { type Answer, asJson, Library, playerAnswer, type Worth } from "@gridlock/answers";
import {
  BoardReader,
  type BoardRecord,
  type BoardText,
  describeGame,
  formatBoard,
  MAX_TEXT,
  type Node,
  normalShape,
  notesOf,
  readBoard,
  shortened,
} from "@gridlock/game";
import type { PlayerMaker } from "@gridlock/players";
import type { PlayerAnswer } from "@gridlock/schemas";
import type { Command } from "commander";
import { EXIT, UsageError } from "../exit.js";
import { allowDashes, type BoardFlags, boardsIn, withBoards } from "../options/boards.js";
import { checkMemory, queryMemory } from "../options/memory.js";
import { type GameFlags, gameCommand, jsonOption, memoryOption } from "../options/options.js";
import { parseSeconds } from "../options/parse.js";
import { answerPage } from "../output/answer-page.js";
import { asLine, playerAnswerAsText } from "../output/answer-words.js";
import { boardTable, freeName } from "../output/board-table.js";
import {
  lineWriter,
  printError,
  printFault,
  printLine,
  printNotes,
  writeOut,
} from "../output/print.js";
import type { QueryThread } from "./query-thread.js";

interface QueryFlags extends BoardFlags, GameFlags {
  readonly budget: number;
  /** Bytes of the table of a search. */
  readonly memory?: number;
  readonly player?: string;
  readonly values?: true;
  readonly verified?: true;
  readonly published: boolean;
  readonly csv?: true;
}

/** Most different notes that are printed on the boards of standard input. */
const MOST_NOTES = 20;
/** Milliseconds between two saves of a batch. */
const SAVE_MS = 200;
/** The default budget in seconds. Longer searches show their progress, and Ctrl-C loses nothing. */
const BUDGET_S = 5;

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
  const players =
    maker &&
    (await Promise.all(nodes.map((node) => choicesFor(node, maker, flagsFor(node, flags)))));
  using library = libraryOf(flags);
  await using thread = await threadFor(flags);
  const table = flags.csv && boardTable(flags.values === true);
  for (const [i, node] of nodes.entries()) {
    printNotes(node);
    const own = flagsFor(node, flags);
    await verifyFor(library, node, own);
    const answer = await answerTo({ library, thread }, node, own);
    if (table) printLine(table({ text: "", fields: new Map() }, answer));
    else {
      if (i > 0 && !flags.values && !flags.json) printLine("");
      printAnswer(answer, own, players?.[i]);
    }
    if (thread?.signal.aborted) return EXIT.interrupted;
  }
  return EXIT.ok;
}

/** Returns the options with the tiles that a board's own object names. */
function flagsFor({ tiles }: BoardText, flags: QueryFlags): QueryFlags {
  return tiles === undefined ? flags : { ...flags, tiles };
}

/** The library that answers, and the thread that does so in its place if searches may take long. */
interface QuerySources {
  readonly library: Library;
  readonly thread: QueryThread | undefined;
}

/** Starts a thread for long searches. With --verified nothing is saved that Ctrl-C could lose. */
async function threadFor(flags: QueryFlags): Promise<QueryThread | undefined> {
  if (flags.budget <= BUDGET_S || flags.verified) return undefined;
  const { QueryThread } = await import("./query-thread.js");
  return new QueryThread(flags.db, flags.published, flags.memory);
}

/** Answers a board, or finds only its value. */
function answerTo(
  { library, thread }: QuerySources,
  { board, turn }: Node,
  flags: QueryFlags,
): Answer | Worth | Promise<Answer | Worth> {
  const { tiles, budget, memory, values = false } = flags;
  const query = { board, turn, tiles, budget };
  if (thread) {
    queryMemory({ shape: normalShape(board), tiles }, memory); // refuses what the thread would not
    return thread.answer({ ...query, valueOnly: values });
  }
  return values ? library.worth(query) : library.answer(query);
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

/** With --verified, checks the certificate of a board's game if that has not been done yet. */
async function verifyFor(library: Library, { board }: Node, flags: QueryFlags): Promise<void> {
  const game = { shape: normalShape(board), tiles: flags.tiles };
  if (!flags.verified || library.hasVerified(game)) return;
  const { showWork, steady } = await import("../output/display.js");
  const { checkStanding } = await import("../output/standings.js");
  const standing = checkStanding();
  using display = showWork(describeGame(game), "claims checked", steady(0, 0));
  await library.verify(game, {
    threads: availableParallelism(),
    memory: checkMemory(undefined),
    onProgress: (progress) => display.show(standing(progress)),
  });
}

function libraryOf({ db, memory, verified, published }: QueryFlags): Library {
  return new Library({
    db,
    published,
    verified: verified === true,
    tableBytes: (game) => queryMemory(game, memory),
    warn: printError,
  });
}

/** Returns the choices of a player on the board of an answer, and their cost. */
type PlayerChoices = (answer: Answer) => PlayerAnswer;

/** Makes the player that is asked for, to answer a board. */
async function choicesFor(
  { board, turn }: Node,
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
  const player = await asked(() => maker.player(name, { shape: board, tiles: flags.tiles }));
  return (answer) => {
    const isOver = answer.moves.length === 0;
    const choices = isOver ? [] : player.choose(new CellRules(board).cells(board));
    return playerAnswer(player.name, choices, answer);
  };
}

/** Answers each board of standard input with a line, an invalid one with its error. */
async function answerInput(flags: QueryFlags): Promise<number> {
  using library = libraryOf(flags);
  await using thread = await threadFor(flags);
  using output = lineWriter();
  const reader = new BoardReader(flags);
  const format = formatOf(flags, reader);
  const notes = new Set<string>();
  let code: number = EXIT.ok;
  let saved = performance.now();
  for await (const lines of linesOf(process.stdin, thread?.signal)) {
    for (const record of lines.flatMap((line) =>
      line === undefined ? reader.end() : reader.push(line),
    )) {
      const { read, error, line } = record;
      if (error) {
        code = EXIT.usage;
        printFault(error, error.message, `line ${line}`);
        output.write(format(record, undefined));
      } else {
        for (const note of notesOf(read)) {
          if (!notes.has(note) && notes.size < MOST_NOTES)
            printError(`note: line ${line}: ${note}`);
          notes.add(note);
        }
        const own = flagsFor(read, flags);
        await verifyFor(library, read, own);
        output.write(format(record, await answerTo({ library, thread }, read, own)));
        if (thread?.signal.aborted) return EXIT.interrupted;
      }
      if (performance.now() - saved > SAVE_MS) {
        library.save();
        saved = performance.now();
      }
    }
    output.flush(); // the next lines may be long in coming
  }
  return code;
}

/**
 * Yields the lines of an input, as many at a time as have arrived, and `undefined` after the last
 * one. Of a line that is too long it yields the beginning, which is too long as well.
 *
 * @throws the signal's reason when it aborts
 */
async function* linesOf(
  input: NodeJS.ReadStream,
  signal?: AbortSignal,
): AsyncGenerator<(string | undefined)[]> {
  let rest = "";
  if (signal) addAbortSignal(signal, input);
  try {
    for await (const chunk of input.setEncoding("utf8")) {
      // A line end of two characters may be cut in two.
      const lines = `${rest}${chunk}`.split(/\r\n|\n|\r(?!$)/);
      rest = (lines.pop() as string).slice(0, MAX_TEXT + 1);
      yield lines;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw new Error(`cannot read standard input: ${(error as Error).message}`, { cause: error });
  }
  yield [...rest.split("\r"), undefined];
}

type Formatter = (record: BoardRecord, answer: Answer | Worth | undefined) => string;

/** Returns the function that formats an answer, or the error of a record without one, in a line. */
function formatOf(flags: QueryFlags, reader: BoardReader): Formatter {
  if (flags.csv) {
    const table = boardTable(flags.values === true);
    return (record, answer) => table(record, answer, reader);
  }
  if (flags.json) return recordAsJson;
  return ({ text }, answer) => {
    if (answer === undefined) return `${shortened(text.split(/[\r\n]+/).join("/"))}: error`;
    const end = "line" in answer ? answer.line?.end : undefined;
    return asLine(answer, end && formatBoard(end));
  };
}

/** Formats an answer or an error as a JSON object, with the board's fields as they were written. */
function recordAsJson(
  { text, fields, error }: BoardRecord,
  answer: Answer | Worth | undefined,
): string {
  const own =
    answer === undefined
      ? { board: text, error: error?.message, code: error?.code }
      : asJson(answer);
  const named = Object.entries(own).map(([name, value]) => [freeName(name, fields), value]);
  const others = [...fields].map(([name, json]) => `,${JSON.stringify(name)}:${json}`);
  return `${JSON.stringify(Object.fromEntries(named)).slice(0, -1)}${others.join("")}}`;
}
