import { createInterface } from "node:readline";
import { setImmediate } from "node:timers/promises";
import {
  type Board,
  type Bound,
  drawBoard,
  formatBoard,
  formatShape,
  type Game,
  normalShape,
  parseBoard,
  type Tiles,
} from "@gridlock/game";
import { createTable, Kernel, tableLimits } from "@gridlock/kernel";
import {
  type Analysis,
  Analyst,
  defaultMemory,
  saveCostlyBounds,
  whyNoKernel,
} from "@gridlock/solver";
import { type BoundTable, Database, StoreError } from "@gridlock/store";
import { Command, Option } from "commander";
import { EXIT, UsageError } from "./exit.js";
import { formatBound, formatTable } from "./format.js";
import {
  dbOption,
  jsonOption,
  memoryOption,
  parseSeconds,
  tilesOption,
  tooLittleMemory,
} from "./options.js";

interface QueryFlags {
  readonly tiles: Tiles;
  readonly db: string;
  readonly budget: number;
  readonly memory?: number;
  readonly json?: true;
}

/** Milliseconds between two times that a batch saves what it has proven. */
const SAVE_MS = 200;
/** The table of a query's own searches: enough for seconds. */
const MEMORY = 256 * 2 ** 20;

export function queryCommand(): Command {
  return new Command("query")
    .description("tell the value of a board, of each move, and a line of best play")
    .argument("[board...]", "rows of tiles, 0 for empty; with 'placer' behind, the placer moves")
    .addOption(tilesOption())
    .addOption(dbOption())
    .addOption(
      new Option("--budget <seconds>", "how long to search for what the database does not hold")
        .default(5)
        .argParser(parseSeconds),
    )
    .addOption(memoryOption("memory for the table of such a search"))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Without a board, boards are read from standard input, one a line, and each is answered in one line.
A value is given only when it is proven; otherwise the interval is given in which it lies. What a
search proves is stored. A move is worth its score plus the value of the board it leads to.

Examples:
  $ gridlock query "2 0 0/0 4 0/0 0 0"
  $ gridlock query "2 0 0/0 4 0/0 0 0 placer" --json
  $ gridlock query --json < boards.txt`,
    )
    .action(async (words: string[], flags: QueryFlags) => {
      process.exitCode = await runQuery(words, flags);
    });
}

async function runQuery(words: readonly string[], flags: QueryFlags): Promise<number> {
  if (words.length === 0) {
    if (process.stdin.isTTY) console.error("reading boards, one a line; Ctrl-D ends");
    return answerLines(flags);
  }
  const node = parseBoard(words.join(" "));
  const library = new Library(flags);
  try {
    const analysis = library.analystFor(node.board).analyse(node, flags.budget);
    console.log(flags.json ? asJson(analysis) : asText(analysis));
    const reason = whyNoKernel({ shape: node.board, tiles: flags.tiles });
    if (reason && analysis.bound.lo < analysis.bound.hi) console.error(`note: ${reason}`);
    return EXIT.ok;
  } finally {
    library.close();
  }
}

/** Answers each line of standard input with a line; a bad line is answered with its error. */
async function answerLines(flags: QueryFlags): Promise<number> {
  const library = new Library(flags);
  let code: number = EXIT.ok;
  let answered = 0;
  let saved = performance.now();
  const output = new LineWriter();
  try {
    const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
    for await (const line of lines) {
      if (line.trim() === "") continue;
      answered++;
      try {
        const node = parseBoard(line);
        const analyst = library.analystFor(node.board);
        const analysis = analyst.analyse(node, flags.budget);
        await output.write(flags.json ? asJson(analysis) : asLine(analysis));
      } catch (error) {
        if (error instanceof StoreError) throw error;
        const { message } = error as Error;
        code = EXIT.usage;
        console.error(`error: board ${answered}: ${message}`);
        await output.write(
          flags.json
            ? JSON.stringify({ board: line.trim(), error: message })
            : `${line.trim()}: error`,
        );
      }
      if (process.stdout.destroyed) break; // the reader has seen enough
      if (performance.now() - saved > SAVE_MS) {
        library.save();
        // Lets go of the processor, so that what is answered is written out.
        await output.end();
        await setImmediate();
        saved = performance.now();
      }
    }
    await output.end();
  } finally {
    library.close();
  }
  return code;
}

/** Milliseconds that a line may wait for more to be written with it. */
const FLUSH_MS = 20;

/** Writes lines to standard output, many together when they come fast. */
class LineWriter {
  #pending: string[] = [];
  #lastWrite = 0;

  async write(line: string): Promise<void> {
    this.#pending.push(line);
    if (this.#pending.length >= 256 || this.#lastWrite + FLUSH_MS < performance.now()) {
      await this.end();
    }
  }

  /** Writes what is pending, and waits when the reader is slower than we are. */
  async end(): Promise<void> {
    this.#lastWrite = performance.now();
    if (this.#pending.length === 0 || process.stdout.destroyed) return;
    const text = `${this.#pending.join("\n")}\n`;
    this.#pending = [];
    if (!process.stdout.write(text)) {
      await new Promise<void>((resume) => {
        const goOn = () => {
          process.stdout.off("drain", goOn).off("close", goOn);
          resume();
        };
        process.stdout.on("drain", goOn).on("close", goOn);
      });
    }
  }
}

/** All that belongs to one game. */
interface Shelf {
  readonly game: Game;
  readonly analyst: Analyst;
  readonly bounds: BoundTable;
  readonly kernel: Kernel | undefined;
}

/** The analysts of the games that are asked about, over one database. */
class Library {
  readonly #flags: QueryFlags;
  readonly #database: Database;
  readonly #analysts = new Map<string, Shelf>();

  constructor(flags: QueryFlags) {
    this.#flags = flags;
    this.#database = openToRead(flags.db);
  }

  /** The analyst of a board's game. */
  analystFor(board: Board): Analyst {
    const shape = normalShape(board);
    const name = formatShape(shape);
    let entry = this.#analysts.get(name);
    if (entry === undefined) {
      const game = { shape, tiles: this.#flags.tiles };
      const bounds = this.#database.bounds(game);
      const kernel = kernelFor(game, this.#flags.memory);
      entry = { game, bounds, kernel, analyst: new Analyst(game, bounds, kernel) };
      this.#analysts.set(name, entry);
    }
    return entry.analyst;
  }

  /** Stores what has been proven, if the database can be written. */
  save(): void {
    for (const { analyst, bounds } of this.#analysts.values()) {
      const fresh = analyst.takeFresh();
      if (!this.#database.readOnly) bounds.merge(fresh);
    }
  }

  /** Stores all that has been proven, what the searches found on their way too. */
  close(): void {
    try {
      this.save();
      if (this.#database.readOnly) return;
      for (const { game, analyst, bounds, kernel } of this.#analysts.values()) {
        if (kernel && analyst.hasSearched) saveCostlyBounds(kernel, game, bounds);
      }
    } finally {
      this.#database.close();
    }
  }
}

/** Opens a database for writing or, where it may only be read, for reading. */
function openToRead(file: string): Database {
  try {
    return Database.open(file);
  } catch (error) {
    if (!(error instanceof StoreError && error.code === "read-only")) throw error;
    const database = Database.open(file, { readOnly: true });
    console.error(`${file} may only be read: what a search proves will not be stored`);
    return database;
  }
}

function kernelFor(game: Game, memory: number | undefined): Kernel | undefined {
  if (whyNoKernel(game) !== undefined) return undefined;
  const { least } = tableLimits(game, 1);
  if (memory !== undefined && memory < least) throw new UsageError(tooLittleMemory(memory, least));
  const bytes =
    memory ?? Math.max(least, Math.min(MEMORY, defaultMemory(game, 1, process.availableMemory())));
  return new Kernel(createTable(game, bytes, 1), 0);
}

/**
 * One JSON object; see the README for its fields. Written out here, since a batch would otherwise spend
 * a tenth of its time in `JSON.stringify`; no text in it needs escaping.
 */
function asJson({ board, turn, bound, moves, line }: Analysis): string {
  const kind = turn === "slider" ? "move" : "place";
  const known = ({ lo, hi }: Bound) => `"lo":${lo},"hi":${hi},"value":${lo === hi ? lo : null}`;
  const moveTexts = moves.map(
    ({ move, score, bound: after }) =>
      `{"${kind}":"${move.name}","score":${score},${known(after)}}`,
  );
  const steps = line?.moves.map(({ name }) => `"${name}"`) ?? [];
  const end = line ? `"${formatBoard(line.end)}"` : "null";
  return `{"board":"${formatBoard(board)}","turn":"${turn}",${known(bound)},"moves":[${moveTexts.join()}],"line":[${steps.join()}],"end":${end}}`;
}

/** One line for people. */
function asLine({ board, turn, bound, line }: Analysis): string {
  const end = line ? `, ends at ${formatBoard(line.end)}` : "";
  return `${formatBoard(board, turn)}: ${formatBound(bound)}${end}`;
}

/** The board, its value, its moves and a line of best play, for people. */
function asText({ board, turn, bound, moves, line }: Analysis): string {
  const known = bound.lo === bound.hi;
  const value = known ? `value ${bound.lo}` : `value not known yet: ${formatBound(bound)}`;
  const parts = [`${drawBoard(board)}\n\n${turn} to move, ${value}`];
  if (moves.length === 0) parts.push("the game is over");
  else {
    parts.push(
      formatTable(
        [turn === "slider" ? "slide" : "place", "score", "then", "in all"],
        moves.map(({ move, score, bound: of }) => [
          move.name,
          String(score),
          formatBound(of),
          formatBound({ lo: score + of.lo, hi: score + of.hi }),
        ]),
        [1, 2, 3],
      ),
    );
  }
  if (line && line.moves.length > 0) {
    const steps = line.moves.map(({ name }) => name).join(" ");
    parts.push(`best play: ${steps}\n\n${drawBoard(line.end)}`);
  }
  return parts.join("\n\n");
}
