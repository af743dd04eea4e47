import { createInterface } from "node:readline";
import { setImmediate } from "node:timers/promises";
import {
  type Board,
  type Bound,
  drawBoard,
  formatBoard,
  formatShape,
  type Game,
  isExact,
  type Node,
  normalShape,
  parseBoard,
  placements,
  slides,
  type Tiles,
} from "@gridlock/game";
import { createTable, Kernel, tableLimits } from "@gridlock/kernel";
import {
  type Column,
  canTabulate,
  columnFileOf,
  Tabulation,
  valueOfNode,
} from "@gridlock/retrograde";
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
import { formatBound, formatPoints, formatTable } from "./format.js";
import {
  dbOption,
  jsonOption,
  machineTooSmall,
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
/** What is kept in memory of a tabulation: all of 3×3 finds room. */
const MOST_CACHE = 2 ** 30;

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
search proves is stored. A move is worth its score plus the value of the board it leads to. Where
gridlock tabulate has been, all is looked up, and what is to be expected against chance is told too.

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
    const answer = library.answer(node);
    console.log(flags.json ? asJson(answer) : asText(answer));
    const reason = whyNoKernel({ shape: node.board, tiles: flags.tiles });
    if (reason && !isExact(answer.bound)) console.error(`note: ${reason}`);
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
        const answer = library.answer(parseBoard(line));
        await output.write(flags.json ? asJson(answer) : asLine(answer));
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
  readonly tabulation: Tabulation | undefined;
}

/** What there is to tell of a board. */
interface Answer extends Analysis {
  /** What its positions are worth against chance; `undefined` where there is no tabulation. */
  readonly ordinary:
    | {
        /** Points that are to be expected from the board; `undefined` when it has not been tabulated. */
        readonly expected: number | undefined;
        /** The same after each move, without the move's score. */
        readonly afterMoves: readonly (number | undefined)[];
      }
    | undefined;
}

/** The analysts of the games that are asked about, over one database and the tabulations beside it. */
class Library {
  readonly #flags: QueryFlags;
  readonly #database: Database;
  readonly #shelves = new Map<string, Shelf>();

  constructor(flags: QueryFlags) {
    this.#flags = flags;
    this.#database = openToRead(flags.db);
  }

  /** All that can be told of a board: looked up or, within the budget, searched. */
  answer(node: Node): Answer {
    const { analyst, tabulation } = this.#shelfOf(node.board);
    const analysis = analyst.analyse(node, this.#flags.budget);
    if (tabulation === undefined) return { ...analysis, ordinary: undefined };
    const afterMoves = nodesAfter(node, this.#flags.tiles).map((next) =>
      valueOfNode(tabulation, "expected", next),
    );
    const expected = valueOfNode(tabulation, "expected", node);
    return { ...analysis, ordinary: { expected, afterMoves } };
  }

  #shelfOf(board: Board): Shelf {
    const shape = normalShape(board);
    const name = formatShape(shape);
    let shelf = this.#shelves.get(name);
    if (shelf === undefined) {
      const game = { shape, tiles: this.#flags.tiles };
      const bounds = this.#database.bounds(game);
      const kernel = kernelFor(game, this.#flags.memory);
      const tabulation = tabulationOf(game, this.#flags.db);
      const analyst = new Analyst(
        game,
        bounds,
        kernel,
        (node) => tabulation && valueOfNode(tabulation, "minimax", node),
      );
      shelf = { game, bounds, kernel, tabulation, analyst };
      this.#shelves.set(name, shelf);
    }
    return shelf;
  }

  /** Stores what has been proven, if the database can be written. */
  save(): void {
    for (const { analyst, bounds } of this.#shelves.values()) {
      const fresh = analyst.takeFresh();
      if (!this.#database.readOnly) bounds.merge(fresh);
    }
  }

  /** Stores all that has been proven, what the searches found on their way too. */
  close(): void {
    try {
      this.save();
      if (this.#database.readOnly) return;
      for (const { game, analyst, bounds, kernel } of this.#shelves.values()) {
        if (kernel && analyst.hasSearched) saveCostlyBounds(kernel, game, bounds);
      }
    } finally {
      for (const { tabulation } of this.#shelves.values()) tabulation?.close();
      this.#database.close();
    }
  }
}

/** The nodes that the moves from a node lead to, in the order in which an analysis lists them. */
function nodesAfter({ board, turn }: Node, tiles: Tiles): Node[] {
  return turn === "slider"
    ? slides(board).map((slide) => ({ board: slide.board, turn: "placer" }))
    : placements(board, tiles).map((placement) => ({ board: placement.board, turn: "slider" }));
}

/** The tabulation of a game beside a database; `undefined` if there is none, or it cannot be used. */
function tabulationOf(game: Game, db: string): Tabulation | undefined {
  if (!canTabulate(game.shape)) return undefined;
  const fileOf = (column: Column) => columnFileOf(db, game, column);
  const cache = Math.min(MOST_CACHE, process.availableMemory() / 4);
  try {
    return Tabulation.open(game, ["minimax", "expected"], fileOf, cache);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.code !== "missing") console.error(`searching instead: ${error.message}`);
    return undefined;
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
  const available = process.availableMemory();
  const bytes = memory ?? Math.max(least, Math.min(MEMORY, defaultMemory(game, 1, available)));
  if (bytes > available) throw new UsageError(machineTooSmall(bytes, least, available));
  return new Kernel(createTable(game, bytes, 1), 0);
}

/**
 * One JSON object; see the README for its fields. Written out here, since a batch would otherwise spend
 * a tenth of its time in `JSON.stringify`; no text in it needs escaping.
 */
function asJson({ board, turn, bound, moves, line, ordinary }: Answer): string {
  const kind = turn === "slider" ? "move" : "place";
  const known = ({ lo, hi }: Bound, expected: number | undefined) =>
    `"lo":${lo},"hi":${hi},"value":${lo === hi ? lo : null}${ordinary ? `,"expected":${expected ?? null}` : ""}`;
  const moveTexts = moves.map(
    ({ move, score, bound: after }, i) =>
      `{"${kind}":"${move.name}","score":${score},${known(after, ordinary?.afterMoves[i])}}`,
  );
  const steps = line?.moves.map(({ name }) => `"${name}"`) ?? [];
  const end = line ? `"${formatBoard(line.end)}"` : "null";
  const reachable = ordinary ? `"reachable":${ordinary.expected !== undefined},` : "";
  return `{"board":"${formatBoard(board)}","turn":"${turn}",${reachable}${known(bound, ordinary?.expected)},"moves":[${moveTexts.join()}],"line":[${steps.join()}],"end":${end}}`;
}

/** What is said of a board that a tabulation does not have. */
const UNREACHABLE = "not reachable from a start, so searched";

/** One line for people. */
function asLine({ board, turn, bound, line, ordinary }: Answer): string {
  const end = line ? `, ends at ${formatBoard(line.end)}` : "";
  const chance = ordinary ? `, ${formatExpected(ordinary.expected) ?? UNREACHABLE}` : "";
  return `${formatBoard(board, turn)}: ${formatBound(bound)}${chance}${end}`;
}

function formatExpected(expected: number | undefined): string | undefined {
  return expected === undefined ? undefined : `${formatPoints(expected)} against chance`;
}

/** The board, its value, its moves and a line of best play, for people. */
function asText({ board, turn, bound, moves, line, ordinary }: Answer): string {
  const known = bound.lo === bound.hi;
  const value = known ? `value ${bound.lo}` : `value not known yet: ${formatBound(bound)}`;
  const parts = [`${drawBoard(board)}\n\n${turn} to move, ${value}`];
  if (ordinary?.expected === undefined) {
    if (ordinary) parts.push(UNREACHABLE);
  } else {
    parts.push(
      `The slider can force ${bound.lo} points; against chance ${formatPoints(ordinary.expected)} are to be expected.`,
    );
  }
  if (moves.length === 0) parts.push("the game is over");
  else {
    const heads = [turn === "slider" ? "slide" : "place", "score", "then", "in all"];
    parts.push(
      formatTable(
        ordinary ? [...heads, "against chance"] : heads,
        moves.map(({ move, score, bound: of }, i) => {
          const expected = ordinary?.afterMoves[i];
          return [
            move.name,
            String(score),
            formatBound(of),
            formatBound({ lo: score + of.lo, hi: score + of.hi }),
            ...(ordinary ? [expected === undefined ? "–" : formatPoints(score + expected)] : []),
          ];
        }),
        [1, 2, 3, 4],
      ),
    );
  }
  if (line && line.moves.length > 0) {
    const steps = line.moves.map(({ name }) => name).join(" ");
    parts.push(`best play: ${steps}\n\n${drawBoard(line.end)}`);
  }
  return parts.join("\n\n");
}
