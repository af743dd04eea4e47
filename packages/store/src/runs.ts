import type { Board, Game, Shape, Tiles } from "@gridlock/game";
import {
  cellCount,
  formatBoard,
  formatTiles,
  MAX_CELLS,
  MIN_CELLS,
  parseBoard,
} from "@gridlock/game";
import { quoted } from "./errors.js";
import { GameRow } from "./game-row.js";
import type { SqliteFile } from "./sqlite-file.js";

/** The outcome of a run; `unfinished` while it runs, and for ever if it was killed. */
export type RunOutcome = "unfinished" | "solved" | "stopped" | "failed";

/** The properties of a run when it begins. */
export interface RunStart {
  readonly game: Game;
  readonly version: string;
  /** The machine: processor, threads, memory, runtime. */
  readonly machine: string;
  /** The options of the run, given or by default. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** The cost of a run. */
export interface RunCost {
  readonly positions: number;
  readonly afterstates: number;
  readonly seconds: number;
}

/** The question that a run searches: is the board worth at least the threshold, in points? */
export interface RunQuestion {
  readonly board: Board;
  readonly threshold: number;
}

/** A logged run. */
export interface Run extends RunStart, RunCost {
  readonly id: number;
  /** Starting time, ISO 8601, UTC. */
  readonly started: string;
  readonly outcome: RunOutcome;
  /** The question under search when the run last recorded its cost; null if there was none. */
  readonly question: RunQuestion | null;
}

/** The log of solves in a database. */
export class RunLog {
  readonly #at: SqliteFile;

  /** Use `Database.runs` instead. */
  constructor(at: SqliteFile) {
    this.#at = at;
  }

  /** Logs the beginning of a run, and returns its number. */
  begin({ game, version, machine, options }: RunStart): number {
    const row = new GameRow(this.#at, game);
    row.create();
    const { lastInsertRowid } = this.#at.run(
      "INSERT INTO run (game, started, version, machine, options) VALUES (?, ?, ?, ?, ?)",
      ...[row.id, new Date().toISOString(), version, machine, JSON.stringify(options)],
    );
    return Number(lastInsertRowid);
  }

  /** Updates the outcome and cost of a run, and the question that it searches (default: none). */
  update(
    id: number,
    outcome: RunOutcome,
    { positions, afterstates, seconds }: RunCost,
    question?: RunQuestion,
  ): void {
    this.#at.run(
      `UPDATE run SET outcome = ?, positions = ?, afterstates = ?, seconds = ?, board = ?,
        threshold = ? WHERE id = ?`,
      ...[outcome, positions, afterstates, seconds],
      ...[question ? formatBoard(question.board) : null, question?.threshold ?? null, id],
    );
    this.#at.expectInPlace();
  }

  /** Lists all runs, the latest first. */
  all(): Run[] {
    type Row = Omit<Run, "game" | "options" | "question"> &
      GameColumns &
      QuestionColumns & { options: string };
    const find = `SELECT run.*, rows, cols, tiles FROM run JOIN game ON game.id = run.game
      ORDER BY run.id DESC`;
    return this.#at
      .all<Row>(find)
      .map(({ rows, cols, tiles, options, board, threshold, ...run }) => ({
        ...this.#checked(run),
        game: gameOfColumns({ rows, cols, tiles }, this.#at),
        options: this.#parse(options),
        question: board === null ? null : this.#questionOf({ board, threshold }),
      }));
  }

  /** Checks the types of a run's columns: in a damaged file they may be of any type. */
  #checked<T extends Omit<Run, "game" | "options" | "question">>(run: T): T {
    const texts = [run.version, run.machine, run.outcome];
    const counts = [run.positions, run.afterstates, run.seconds];
    const isRun =
      isTime(run.started) &&
      texts.every((text) => typeof text === "string") &&
      counts.every((count) => typeof count === "number" && count >= 0);
    if (isRun) return run;
    throw this.#at.damaged("it holds a run with no starting time or cost");
  }

  #questionOf({ board, threshold }: QuestionColumns): RunQuestion {
    try {
      if (typeof threshold === "number")
        return { board: parseBoard(String(board)).board, threshold };
    } catch {
      // Reported below.
    }
    throw this.#at.damaged(`it holds a run that searches the board ${quoted(String(board))}`);
  }

  #parse(options: string): Record<string, unknown> {
    try {
      const parsed: unknown = JSON.parse(options);
      if (typeof parsed === "object" && parsed !== null) return parsed as Record<string, unknown>;
    } catch {
      // Reported below.
    }
    throw this.#at.damaged(`it holds a run with the options ${quoted(options)}`);
  }
}

/** Returns whether a value is a time in ISO 8601. */
export function isTime(value: unknown): value is string {
  return typeof value === "string" && Number.isFinite(Date.parse(value));
}

/** A question as the row of its run stores it. */
interface QuestionColumns {
  readonly board: string | null;
  readonly threshold: number | null;
}

/** A game as its row stores it. */
export interface GameColumns extends Shape {
  readonly tiles: string;
}

/**
 * Decodes the game of a row.
 *
 * @throws {StoreError} `damaged` if the columns are not a game.
 */
export function gameOfColumns({ rows, cols, tiles }: GameColumns, at: SqliteFile): Game {
  const shape = { rows, cols };
  const known: readonly Tiles[] = [[2, 4], [2]];
  const tilesOf = known.find((set) => formatTiles(set) === tiles);
  const cells = cellCount(shape);
  const isWhole = Number.isInteger(rows) && Number.isInteger(cols);
  if (
    !(isWhole && rows >= 1 && rows <= cols && cells >= MIN_CELLS && cells <= MAX_CELLS) ||
    !tilesOf
  ) {
    throw at.damaged(`it holds the game ${rows}x${cols} with the tiles ${quoted(tiles)}`);
  }
  return { shape, tiles: tilesOf };
}
