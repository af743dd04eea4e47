import type { Game, Tiles } from "@gridlock/game";
import { cellCount, formatTiles, MAX_CELLS, MIN_CELLS, normalShape } from "@gridlock/game";
import type Sqlite from "better-sqlite3";
import { DATABASE } from "./database-schema.js";
import { explained, StoreError } from "./errors.js";

/** How a run ended; `unfinished` while it runs, and for ever if it was killed. */
export type RunOutcome = "unfinished" | "solved" | "stopped" | "failed";

/** What is known when a run begins. */
export interface RunStart {
  readonly game: Game;
  readonly version: string;
  /** The machine: processor, threads, memory, runtime. */
  readonly machine: string;
  /** The options of the run, as they were given or chosen. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** What a run has cost. */
export interface RunCost {
  readonly positions: number;
  readonly afterstates: number;
  readonly seconds: number;
}

/** A run as it was logged. */
export interface Run extends RunStart, RunCost {
  readonly id: number;
  /** When it began, ISO 8601, UTC. */
  readonly started: string;
  readonly outcome: RunOutcome;
}

/** The log of solves in a database. */
export class RunLog {
  readonly #sqlite: Sqlite.Database;
  readonly #file: string;

  /** Made by `Database`. */
  constructor(sqlite: Sqlite.Database, file: string) {
    this.#sqlite = sqlite;
    this.#file = file;
  }

  /** Notes that a run has begun, and returns its number. The game must be known to the database. */
  begin({ game, version, machine, options }: RunStart): number {
    const { rows, cols } = normalShape(game.shape);
    return this.#explained(() => {
      const { lastInsertRowid } = this.#sqlite
        .prepare(
          `INSERT INTO run (game, started, version, machine, options)
           SELECT id, ?, ?, ?, ? FROM game WHERE rows = ? AND cols = ? AND tiles = ?`,
        )
        .run(
          new Date().toISOString(),
          version,
          machine,
          JSON.stringify(options),
          rows,
          cols,
          formatTiles(game.tiles),
        );
      return Number(lastInsertRowid);
    });
  }

  /** Notes what a run has cost so far and how it stands. */
  update(id: number, outcome: RunOutcome, { positions, afterstates, seconds }: RunCost): void {
    this.#explained(() => {
      this.#sqlite
        .prepare(
          "UPDATE run SET outcome = ?, positions = ?, afterstates = ?, seconds = ? WHERE id = ?",
        )
        .run(outcome, positions, afterstates, seconds, id);
    });
  }

  /** All runs, the latest first. */
  all(): Run[] {
    type Row = Omit<Run, "game" | "options"> & {
      rows: number;
      cols: number;
      tiles: string;
      options: string;
    };
    return this.#explained(() =>
      this.#sqlite
        .prepare<[], Row>(
          `SELECT run.*, rows, cols, tiles FROM run JOIN game ON game.id = run.game
           ORDER BY run.id DESC`,
        )
        .all()
        .map(({ rows, cols, tiles, options, ...run }) => ({
          ...this.#checked(run),
          game: gameOfColumns({ rows, cols, tiles }, this.#file),
          options: this.#parse(options),
        })),
    );
  }

  /** A run, if its texts are texts: where the file is damaged, they may be of any type. */
  #checked<T extends Pick<Run, "started" | "version" | "machine" | "outcome">>(run: T): T {
    const texts = [run.started, run.version, run.machine, run.outcome];
    if (texts.every((text) => typeof text === "string")) return run;
    throw damaged(this.#file, "a run that was begun at no time");
  }

  #parse(options: string): Record<string, unknown> {
    try {
      return JSON.parse(options);
    } catch {
      throw damaged(this.#file, `a run with the options ${options}`);
    }
  }

  #explained<T>(action: () => T): T {
    return explained(this.#file, DATABASE.remedy, action);
  }
}

/** A game as its row has it. */
export interface GameColumns {
  readonly rows: number;
  readonly cols: number;
  readonly tiles: string;
}

/** The game of a row, if there is such a game. */
export function gameOfColumns({ rows, cols, tiles }: GameColumns, file: string): Game {
  const shape = { rows, cols };
  const known: readonly Tiles[] = [[2, 4], [2]];
  const tilesOf = known.find((set) => formatTiles(set) === tiles);
  const cells = cellCount(shape);
  if (!(rows >= 1 && rows <= cols && cells >= MIN_CELLS && cells <= MAX_CELLS) || !tilesOf) {
    throw damaged(file, `the game ${rows}x${cols} with the tiles ${tiles}`);
  }
  return { shape, tiles: tilesOf };
}

/** An error about a file that holds what no version of this program writes. */
export function damaged(file: string, what: string): StoreError {
  return new StoreError("damaged", `${file} is damaged: it holds ${what}; ${DATABASE.remedy}`);
}
