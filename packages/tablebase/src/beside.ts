import { existsSync, statSync } from "node:fs";
import { cellCount, type Game, largestTile } from "@gridlock/game";
import { StoreError } from "@gridlock/store";
import { type Column, columnFileOf, columnName } from "./columns.js";
import { LayerFile } from "./layer-file.js";
import { MAX_SWEEP_CELLS } from "./module.js";

/** State of a game's tabulation, as far as the headers of its layers show it. */
export interface TabulationSummary {
  readonly game: Game;
  /** File of the positions. */
  readonly file: string;
  /** Names of the columns present. */
  readonly columns: readonly string[];
  /** Number of positions found so far. */
  readonly positions: number;
  /** True if every required column is present and no present column lacks a layer. */
  readonly complete: boolean;
  /** Total size of the files in bytes. */
  readonly bytes: number;
  /** Reason why a file cannot be used. */
  readonly error: string | undefined;
}

/** Columns that every tabulation has. */
const ALWAYS: readonly Column[] = ["positions", "minimax", "expected"];

/** Returns the tabulations beside a database, in the order in which the database lists games. */
export function tabulationsBeside(databaseFile: string): TabulationSummary[] {
  return games().flatMap((game) => summaryOf(databaseFile, game) ?? []);
}

/** Returns all games that can be tabulated. */
function games(): Game[] {
  const found: Game[] = [];
  for (let rows = 1; rows * rows <= MAX_SWEEP_CELLS; rows++) {
    for (let cols = Math.max(rows, 2); rows * cols <= MAX_SWEEP_CELLS; cols++) {
      found.push({ shape: { rows, cols }, tiles: [2, 4] }, { shape: { rows, cols }, tiles: [2] });
    }
  }
  const cells = ({ shape }: Game) => cellCount(shape);
  return found.sort((a, b) => cells(a) - cells(b) || a.shape.rows - b.shape.rows);
}

function summaryOf(databaseFile: string, game: Game): TabulationSummary | undefined {
  const fileOf = (column: Column) => columnFileOf(databaseFile, game, column);
  const columns = columnsOf(game).filter((column) => existsSync(fileOf(column)));
  if (columns.length === 0) return undefined;
  let positions = 0;
  let complete = true;
  let error: string | undefined;
  for (const column of new Set([...ALWAYS, ...columns])) {
    try {
      using file = new LayerFile(databaseFile, game, column, false);
      if (column === "positions") positions = file.count;
      complete &&= file.complete;
    } catch (thrown) {
      if (!(thrown instanceof StoreError)) throw thrown;
      complete = false;
      if (thrown.code !== "missing") error ??= thrown.message;
    }
  }
  return {
    game,
    file: fileOf("positions"),
    columns: columns.map(columnName),
    positions,
    complete,
    bytes: columns.reduce((bytes, column) => bytes + statSync(fileOf(column)).size, 0),
    error,
  };
}

/** Returns all columns that a game's tabulation can have. */
function columnsOf(game: Game): Column[] {
  const columns = [...ALWAYS];
  for (let tile = 8; tile <= largestTile(game); tile *= 2) columns.push({ reach: tile });
  return columns;
}
