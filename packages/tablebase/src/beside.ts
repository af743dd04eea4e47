import { existsSync, statSync } from "node:fs";
import { type Game, largestTile } from "@gridlock/game";
import { filesBeside, StoreError } from "@gridlock/store";
import { type Column, columnFileOf, columnName } from "./columns.js";
import { LayerFile } from "./layer-file.js";

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

/** Returns the tabulations beside a database, smaller shapes first. */
export function tabulationsBeside(databaseFile: string): TabulationSummary[] {
  return filesBeside(databaseFile, columnName("positions")).map(({ game }) =>
    summaryOf(databaseFile, game),
  );
}

function summaryOf(databaseFile: string, game: Game): TabulationSummary {
  const fileOf = (column: Column) => columnFileOf(databaseFile, game, column);
  const columns = columnsOf(game).filter((column) => existsSync(fileOf(column)));
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
