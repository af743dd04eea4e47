import { availableParallelism } from "node:os";
import {
  type Answer,
  answerAsJson,
  Library,
  playerAnswer,
  playerAnswerAsJson,
  worthAsJson,
} from "@gridlock/answers";
import {
  type Bound,
  describeGame,
  formatBoard,
  GameError,
  isExact,
  type Node,
  normalShape,
  parseBoard,
  type Tiles,
} from "@gridlock/game";
import type { PlayerMaker } from "@gridlock/players";
import { whyNoKernel } from "@gridlock/solver";
import { Command, Option } from "commander";
import { EXIT, UsageError } from "../exit.js";
import { layersDataOption } from "../options/cluster.js";
import { queryMemory } from "../options/memory.js";
import { dbOption, jsonOption, memoryOption, tilesOption } from "../options/options.js";
import { parseSeconds } from "../options/parse.js";
import { answerPage } from "../output/answer-page.js";
import { asLine } from "../output/answer-text.js";
import { showWork, steady } from "../output/display.js";
import { LineWriter } from "../output/line-writer.js";
import { playerAnswerAsText } from "../output/player-answer.js";
import { printLine } from "../output/stdout.js";
import { printError } from "../output/visible.js";

interface QueryFlags {
  readonly db: string;
  readonly data?: string;
  readonly tiles: Tiles;
  readonly budget: number;
  /** Bytes of the table of a search. */
  readonly memory?: number;
  readonly player?: string;
  readonly values?: true;
  readonly verified?: true;
  readonly json?: true;
}

/** Milliseconds between two saves of a batch. */
const SAVE_MS = 200;

export function queryCommand(): Command {
  return new Command("query")
    .description("print the value of a board and of each move, and a line of best play")
    .argument(
      "[board...]",
      "boards, each in quotes: rows of tiles, 0 or · for an empty cell, / between rows; append 'placer' if the placer moves (default: one per line of standard input)",
    )
    .addOption(tilesOption())
    .addOption(dbOption())
    .addOption(layersDataOption())
    .addOption(
      new Option(
        "--budget <seconds>",
        "seconds to search for values missing from the database and the files beside it",
      )
        .default(5)
        .argParser(parseSeconds),
    )
    .addOption(memoryOption("memory for the table of such a search", "up to 256M"))
    .option(
      "--verified",
      "answer only from the certificate, which is checked first, the rules and search; save nothing",
    )
    .option("--values", "print only the value of each board, without moves and line of play")
    .option(
      "--player <name>",
      "also print this player's choices and their cost (see gridlock players)",
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
query prints a value only if it is proven, and otherwise the proven interval. A move is worth its score plus
the value of the board it leads to; * marks the moves that are proven best. A line of best play lists the
slider's moves as directions and the placer's as tile@row,column.

Values come from the database, the tabulation and the files of a proof by layers, and otherwise from a search,
which saves what it proves. Beside a tabulation, query also prints the scores expected against chance. Boards
from standard input get one line each, with --json one object each.

The bounds of a database that somebody else made may be false. --verified uses none of them, nor the tabulation
and the proof by layers: it checks the certificate of the game as verify does, and answers from its claims.

Examples:
  $ gridlock query "2 0 0/0 4 0/0 0 0"
  $ gridlock query "2 · ·/· 4 ·/· · · placer" --json
  $ gridlock query "2 2 0/0 0 0" "2 0 2/0 0 0"
  $ gridlock query "2 0 0/0 4 0/0 0 0" --player emr
  $ gridlock query "2 0 0/0 4 0/0 0 0" --verified --db downloaded.db
  $ gridlock query --values < boards.txt`,
    )
    .action(async (words: string[], flags: QueryFlags, command: Command) => {
      if (flags.verified && command.getOptionValueSource("data") === "cli") {
        throw new UsageError(
          "--verified cannot be combined with --data: it does not use proofs by layers; remove one of the two",
        );
      }
      process.exitCode = await runQuery(words, flags);
    });
}

async function runQuery(words: readonly string[], flags: QueryFlags): Promise<number> {
  if (flags.player !== undefined && (words.length === 0 || flags.values)) {
    throw new UsageError(
      "--player works only with boards on the command line, and not with --values",
    );
  }
  if (words.length === 0) {
    if (process.stdin.isTTY) printError("reading boards, one per line; press Ctrl-D to finish");
    return answerLines(flags);
  }
  const nodes = boardsIn(words).map(parseBoard);
  using maker = flags.player === undefined ? undefined : await loadMaker(flags.db);
  const players =
    maker && (await Promise.all(nodes.map((node) => answererFor(node, maker, flags))));
  using library = libraryOf(flags);
  for (const [i, node] of nodes.entries()) {
    await verifyFor(library, node, flags);
    if (i > 0 && !flags.values && !flags.json) printLine("");
    answerOne(library, node, flags, players?.[i]);
  }
  return EXIT.ok;
}

/** Returns the boards of the arguments: one each if any of them has several cells, otherwise one of all words. */
function boardsIn(words: readonly string[]): string[] {
  if (!words.some((word) => /\s/.test(word.trim()))) return [words.join(" ")];
  const boards: string[] = [];
  for (const word of words) {
    if (/^(slider|placer)$/i.test(word) && boards.length > 0)
      boards.push(`${boards.pop()} ${word}`);
    else boards.push(word);
  }
  return boards;
}

/** Prints the answer to a board of the command line. */
function answerOne(
  library: Library,
  node: Node,
  flags: QueryFlags,
  player: Awaited<ReturnType<typeof answererFor>> | undefined,
): void {
  const query = { ...node, ...flags };
  let bound: Bound;
  if (flags.values) {
    const worth = library.worth(query);
    bound = worth.bound;
    printLine(flags.json ? worthAsJson(worth) : asLine(worth));
  } else {
    const answer = library.answer(query);
    bound = answer.bound;
    if (flags.json) printLine(answerAsJson(answer, player?.asJson(answer)));
    else printLine([answerPage(answer), ...(player ? [player.asText(answer)] : [])].join("\n\n"));
  }
  const reason = whyNoKernel({ shape: node.board, tiles: flags.tiles });
  if (reason && !isExact(bound)) printError(`note: ${reason}`);
}

/** With --verified, checks the certificate of a board's game if that has not been done yet. */
async function verifyFor(library: Library, { board }: Node, flags: QueryFlags): Promise<void> {
  const game = { shape: normalShape(board), tiles: flags.tiles };
  if (!flags.verified || library.hasVerified(game)) return;
  let latest = steady(0, 0);
  using _display = showWork(describeGame(game), "claims checked", () => latest);
  await library.verify(game, {
    threads: availableParallelism(),
    onProgress: ({ checked, total }) => {
      latest = steady(checked, total);
    },
  });
}

function libraryOf({ db, data, memory, verified }: QueryFlags): Library {
  return new Library({
    db,
    verified: verified === true,
    ...(data !== undefined && { data }),
    tableBytes: (game) => queryMemory(game, memory),
    warn: printError,
  });
}

/** Loads the players, which only `--player` needs. */
async function loadMaker(db: string): Promise<PlayerMaker> {
  const { PlayerMaker } = await import("@gridlock/players");
  return new PlayerMaker(db);
}

/** Makes the player that is asked for, to answer a board. */
async function answererFor({ board, turn }: Node, maker: PlayerMaker, flags: QueryFlags) {
  if (turn === "placer") {
    throw new UsageError(
      "--player needs a board with the slider to move; in this one the placer moves",
    );
  }
  const { asked } = await import("../options/player.js");
  const { Grid } = await import("@gridlock/players");
  const name = flags.player as string;
  const player = await asked(() => maker.player(name, { shape: board, tiles: flags.tiles }));
  const chosen = ({ moves }: Answer) => ({
    name: player.name,
    choices: moves.length === 0 ? [] : player.choose(new Grid(board).cells(board)),
  });
  return {
    asJson: (answer: Answer) => playerAnswerAsJson(playerAnswer(chosen(answer), answer)),
    asText: (answer: Answer) => playerAnswerAsText(playerAnswer(chosen(answer), answer)),
  };
}

/** Answers each line of standard input with a line, an invalid one with its error. */
async function answerLines(flags: QueryFlags): Promise<number> {
  using library = libraryOf(flags);
  using output = new LineWriter();
  let code: number = EXIT.ok;
  let answered = 0;
  let saved = performance.now();
  for await (const lines of linesOf(process.stdin)) {
    for (const line of lines) {
      answered++;
      try {
        output.write(await answerLine(library, line, flags));
      } catch (error) {
        if (!(error instanceof GameError || error instanceof UsageError)) throw error;
        const { message } = error;
        code = EXIT.usage;
        printError(`error: board ${answered}: ${message}`);
        output.write(
          flags.json ? JSON.stringify({ board: line, error: message }) : `${line}: error`,
        );
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

/** Yields the lines of an input, trimmed and without blank ones, as many at a time as have arrived. */
async function* linesOf(input: NodeJS.ReadStream): AsyncGenerator<string[]> {
  let rest = "";
  try {
    for await (const chunk of input.setEncoding("utf8")) {
      const lines = `${rest}${chunk}`.split(/[\r\n]+/);
      rest = lines.pop() as string;
      yield lines.map((line) => line.trim()).filter(Boolean);
    }
  } catch (error) {
    throw new Error(`cannot read standard input: ${(error as Error).message}`, { cause: error });
  }
  if (rest.trim() !== "") yield [rest.trim()];
}

/** Answers a board in one line. */
async function answerLine(library: Library, board: string, flags: QueryFlags): Promise<string> {
  const node = parseBoard(board);
  await verifyFor(library, node, flags);
  const query = { ...node, ...flags };
  if (flags.values) {
    const worth = library.worth(query);
    return flags.json ? worthAsJson(worth) : asLine(worth);
  }
  const answer = library.answer(query);
  if (flags.json) return answerAsJson(answer);
  return asLine(answer, answer.line && formatBoard(answer.line.end));
}
