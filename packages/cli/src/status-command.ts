import { type Bound, describeGame, formatShape, type Game, isExact } from "@gridlock/game";
import { storedStarts } from "@gridlock/solver";
import { Database, type Run, SCHEMA_VERSION } from "@gridlock/store";
import { Command } from "commander";
import { formatBound, formatBytes, formatCount, formatSeconds, formatTable } from "./format.js";
import { dbOption, jsonOption } from "./options.js";

interface StatusFlags {
  readonly db: string;
  readonly json?: true;
}

/** Runs that the table for people shows. */
const RECENT_RUNS = 10;

export function statusCommand(): Command {
  return new Command("status")
    .description("show what a database holds: games, values, bounds, runs")
    .addOption(dbOption())
    .addOption(jsonOption())
    .action((flags: StatusFlags) => {
      const database = Database.open(flags.db, { readOnly: true });
      try {
        const status = readStatus(database);
        console.log(flags.json ? JSON.stringify(asJson(status)) : asText(status));
      } finally {
        database.close();
      }
    });
}

interface GameStatus {
  readonly game: Game;
  readonly starts: readonly { readonly bound: Bound }[];
  readonly count: { readonly bounds: number; readonly exact: number };
}

interface Status {
  readonly file: string;
  readonly size: number;
  readonly games: readonly GameStatus[];
  readonly runs: readonly Run[];
}

function readStatus(database: Database): Status {
  return {
    file: database.file,
    size: database.size(),
    games: database.games().map((game) => ({
      game,
      starts: storedStarts(game, database, database.starts(game)),
      count: database.bounds(game).count(),
    })),
    runs: database.runs.all(),
  };
}

function asJson({ file, size, games, runs }: Status) {
  return {
    file,
    bytes: size,
    schema: SCHEMA_VERSION,
    games: games.map(({ game, starts, count }) => ({
      shape: formatShape(game.shape),
      tiles: game.tiles,
      starts: starts.length,
      solved: starts.filter(({ bound }) => isExact(bound)).length,
      ...count,
    })),
    runs: runs.map(({ game, ...run }) => ({
      ...run,
      shape: formatShape(game.shape),
      tiles: game.tiles,
    })),
  };
}

function asText({ file, size, games, runs }: Status): string {
  const parts = [`${file}: ${formatBytes(size)}, schema version ${SCHEMA_VERSION}`];
  parts.push(
    formatTable(
      ["game", "starts", "solved", "values", "bounds", "exact"],
      games.map(({ game, starts, count }) => [
        describeGame(game),
        String(starts.length),
        String(starts.filter(({ bound }) => isExact(bound)).length),
        starts.length === 0 ? "–" : formatBound(span(starts.map(({ bound }) => bound))),
        formatCount(count.bounds),
        formatCount(count.exact),
      ]),
      [1, 2, 4, 5],
    ),
  );
  if (runs.length > 0) {
    parts.push(
      formatTable(
        ["run", "game", "started", "outcome", "positions", "afterstates", "time", "version"],
        runs
          .slice(0, RECENT_RUNS)
          .map((run) => [
            String(run.id),
            describeGame(run.game),
            run.started.slice(0, 19).replace("T", " "),
            run.outcome,
            formatCount(run.positions),
            formatCount(run.afterstates),
            formatSeconds(run.seconds),
            run.version,
          ]),
        [0, 4, 5, 6],
      ),
    );
  }
  return parts.join("\n\n");
}

/** The smallest interval that holds all bounds. */
function span(bounds: readonly Bound[]): Bound {
  return {
    lo: Math.min(...bounds.map(({ lo }) => lo)),
    hi: Math.max(...bounds.map(({ hi }) => hi)),
  };
}
