import { existsSync } from "node:fs";
import { type Bound, describeGame, type Game, isExact } from "@gridlock/game";
import { hasKernel } from "@gridlock/kernel";
import { type LayersFolder, layersFolderOf, layersIn } from "@gridlock/layers";
import { publishedGames } from "@gridlock/published";
import {
  formatAge,
  formatBound,
  formatBytes,
  formatCount,
  formatSeconds,
  formatTable,
  formatTime,
} from "@gridlock/report";
import type { StatusOutput } from "@gridlock/schemas";
import { snapshotIdentity, storedStarts } from "@gridlock/solver";
import {
  Database,
  SCHEMA_VERSION,
  SnapshotFile,
  StoreError,
  snapshotFileOf,
  stateOfRun,
} from "@gridlock/store";
import { type TabulationSummary, tabulationsBeside } from "@gridlock/tablebase";
import { Command } from "commander";
import { UsageError } from "../exit.js";
import { type RedisFlags, withRedis } from "../options/cluster.js";
import { dbOption, jsonOption } from "../options/options.js";
import { gameAsJson } from "../output/json.js";
import { printJson, printLine } from "../output/stdout.js";
import { visibleLine } from "../output/visible.js";

interface StatusFlags extends RedisFlags {
  readonly db: string;
  readonly published: boolean;
  readonly watch?: true;
  readonly json?: true;
}

/** Runs in the table for people. */
const RECENT_RUNS = 10;

/** Makes the command `gridlock status`. */
export function statusCommand(): Command {
  const command = new Command("status")
    .description(
      "show the contents of a database and the files beside it, or the progress of a run",
    )
    .addOption(dbOption());
  command.option("--no-published", "leave out the published values");
  command.addOption(jsonOption()).optionsGroup("Options for many machines:");
  return withRedis(command, "show the run and the workers of this Redis server")
    .option("--watch", "update every second until Ctrl-C, on one screen of a terminal")
    .addHelpText(
      "after",
      `
Without --redis, status shows for each game of the database the number of solved starts, the range of their
values, the certificate, and the snapshot, tabulation and proof by layers beside the database; then the last
${RECENT_RUNS} runs: running, solved, stopped, failed, or unfinished if killed. Then it lists the games whose published values
query uses because the database has not solved them. With --redis, it shows the progress of the run, an estimate of
the time left, the open starts, and the workers.

Examples:
  $ gridlock status
  $ gridlock status --db worker.db --json | jq '.games[].bounds'
  $ gridlock status --redis redis://10.0.0.1:6379/0 --watch`,
    )
    .action(async (flags: StatusFlags) => {
      if (flags.redis !== undefined) {
        const { showClusterStatus } = await import("./status-of-cluster.js");
        await showClusterStatus({ ...flags, redis: flags.redis });
        return;
      }
      if (flags.watch)
        throw new UsageError(
          "--watch shows the progress of a run on many machines; add --redis URL",
        );
      using database = Database.open(flags.db, { readOnly: true });
      const status = readStatus(database, flags.published);
      if (flags.json) printJson<StatusOutput>(asJson(status));
      else printLine(asText(status));
    });
}

type Status = ReturnType<typeof readStatus>;
type GameStatus = ReturnType<typeof readGame>;

function readStatus(database: Database, published: boolean) {
  const tabulations = tabulationsBeside(database.file);
  const stored = database.games();
  const others = tabulations
    .map(({ game }) => game)
    .filter((game) => !stored.some((other) => isSame(game, other)));
  const games = [...stored, ...others].map((game) => readGame(database, game, tabulations));
  return {
    ...{ file: database.file, size: database.size(), games, runs: database.runs.all() },
    published: published ? publishedBeside(games) : [],
  };
}

/** Reads what is in a database, and beside it, of a game. */
function readGame(database: Database, game: Game, tabulations: readonly TabulationSummary[]) {
  const certificate = database.certificate(game);
  const info = certificate.info();
  const starts = storedStarts(game, database);
  return {
    ...{ game, ...known(starts.map(({ bound }) => bound)), count: database.bounds(game).count() },
    certificate: info && { ...info, claims: certificate.count() },
    snapshot: readSnapshot(game, snapshotFileOf(database.file, game)),
    tabulation: tabulations.find((tabulation) => isSame(tabulation.game, game)),
    layers: layersIn(layersFolderOf(database.file, game), game),
  };
}

/** Counts the starts of a game and those that are solved, and returns the smallest interval that contains all bounds. */
function known(bounds: readonly Bound[]) {
  const lo = Math.min(...bounds.map((bound) => bound.lo));
  const hi = Math.max(...bounds.map((bound) => bound.hi));
  return { starts: bounds.length, solved: bounds.filter(isExact).length, span: { lo, hi } };
}

/** Returns the published games that are not among the solved ones of a database. */
function publishedBeside(games: readonly GameStatus[]) {
  const unsolved = publishedGames().filter(
    (game) =>
      !games.some((one) => one.starts > 0 && one.solved === one.starts && isSame(one.game, game)),
  );
  return unsolved.map(({ shape, tiles, starts, provenance: { source } }) => ({
    ...{ game: { shape, tiles }, source, ...known(starts) },
  }));
}

function isSame(a: Game, b: Game): boolean {
  return describeGame(a) === describeGame(b);
}

/** Reads the snapshot beside the database, or the reason why it cannot be read. */
function readSnapshot(game: Game, file: string) {
  if (!existsSync(file)) return undefined;
  try {
    using snapshot = SnapshotFile.open(file, { readOnly: true });
    const summary = snapshot.summary();
    if (summary && hasKernel(game.shape)) snapshot.expect(snapshotIdentity(game));
    return { file, summary };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { file, error: error.message };
  }
}

function asJson({ file, size, games, runs, published }: Status): StatusOutput {
  return {
    ...{ file, bytes: size, schema: SCHEMA_VERSION },
    games: games.map(({ certificate, snapshot, tabulation, ...status }) => ({
      ...{ ...gameAsJson(status.game), starts: status.starts, solved: status.solved },
      ...status.count,
      certificate: certificate ?? null,
      snapshot: snapshot
        ? { file: snapshot.file, ...snapshot.summary, error: snapshot.error }
        : null,
      tabulation: tabulation ? { ...tabulation, game: undefined } : null,
      layers: layersAsJson(status),
    })),
    runs: runs.map((run) => {
      const { game, ...rest } = run;
      return { ...rest, ...gameAsJson(game), outcome: stateOfRun(run) };
    }),
    published: published.map(({ game, starts, solved, span, source }) => ({
      ...{ ...gameAsJson(game), starts, solved, ...span, source },
    })),
  };
}

function layersAsJson(status: Pick<GameStatus, "starts" | "solved" | "layers">) {
  const { layers } = status;
  if (layers === undefined) return null;
  const { folder, bytes, summary, error } = layers;
  return { folder, bytes, state: summary && stateOf(status, layers), ...summary, error };
}

/** Returns the state of a proof by layers. */
function stateOf(
  { starts, solved }: Pick<GameStatus, "starts" | "solved">,
  { isRunning }: LayersFolder,
): "running" | "done" | "stopped" {
  if (isRunning) return "running";
  return solved === starts ? "done" : "stopped";
}

function asText({ file, size, games, runs, published }: Status): string {
  const publishedTable = tableOf(
    PUBLISHED,
    [1, 2],
    published,
    ({ starts, solved, span, source }) => [
      // The upper bounds of starts that are not solved follow from the rules alone.
      ...[String(starts), String(solved), solved > 0 ? formatBound(span) : `at least ${span.lo}`],
      source,
    ],
  );
  if (games.length === 0 && runs.length === 0) {
    return [`${file}: nothing is saved yet`, ...publishedTable].join("\n\n");
  }
  const rows = runs
    .slice(0, RECENT_RUNS)
    .map((run) => [
      ...[String(run.id), describeGame(run.game), formatTime(run.started), stateOfRun(run)],
      ...[formatCount(run.positions), formatCount(run.afterstates), formatSeconds(run.seconds)],
      visibleLine(run.version),
    ]);
  return [
    `${file}: ${formatBytes(size)}, schema version ${SCHEMA_VERSION}`,
    formatTable(
      GAMES,
      games.map((status) => [describeGame(status.game), ...startsCells(status)]),
      [1, 2, 4, 5],
    ),
    ...tableOf(CERTIFICATES, [1, 2, 4], games, certificateCells),
    ...tableOf(SNAPSHOTS, [1, 2], games, snapshotCells),
    ...tableOf(TABULATIONS, [2, 4], games, tabulationCells),
    ...tableOf(LAYERS, [2, 3, 4, 5, 6], games, layersCells),
    ...(rows.length === 0 ? [] : [formatTable(RUNS, rows, [0, 4, 5, 6])]),
    ...publishedTable,
  ].join("\n\n");
}

/**
 * Returns a table of games; nothing if it would be empty.
 *
 * @param cellsOf returns the cells of a game beside its name; `undefined` if it has no row
 */
function tableOf<Status extends { readonly game: Game }>(
  head: readonly string[],
  right: readonly number[],
  games: readonly Status[],
  cellsOf: (status: Status) => readonly string[] | undefined,
): string[] {
  const rows = games.flatMap((status) => {
    const cells = cellsOf(status);
    return cells === undefined ? [] : [[describeGame(status.game), ...cells]];
  });
  return rows.length === 0 ? [] : [formatTable(head, rows, right)];
}

const GAMES = ["game", "starts", "solved", "values", "bounds", "exact"];
function startsCells({ starts, solved, span, count }: GameStatus): string[] {
  const values = starts === 0 ? "–" : formatBound(span);
  return [
    String(starts),
    String(solved),
    values,
    formatCount(count.bounds),
    formatCount(count.exact),
  ];
}

const CERTIFICATES = ["certificate", "claims", "proof effort", "made", "time"];
function certificateCells({ certificate }: GameStatus): string[] | undefined {
  if (certificate === undefined) return undefined;
  const { claims, effort, made, seconds } = certificate;
  return [formatCount(claims), String(effort), formatTime(made), formatSeconds(seconds)];
}

const SNAPSHOTS = ["snapshot", "entries", "size", "saved", "file"];
function snapshotCells({ snapshot }: GameStatus): string[] | undefined {
  if (snapshot === undefined) return undefined;
  const { file, summary, error } = snapshot;
  if (error !== undefined) return ["–", "–", "–", error];
  if (summary === undefined) return ["0", "–", "–", file];
  const { entries, bytes, written } = summary;
  return [formatCount(entries), formatBytes(bytes), formatAge(written), file];
}

const TABULATIONS = ["tabulation", "columns", "positions", "complete", "size", "file"];
function tabulationCells({ tabulation }: GameStatus): string[] | undefined {
  if (tabulation === undefined) return undefined;
  const { columns, positions, complete, bytes, file, error } = tabulation;
  const all = complete ? "yes" : "no";
  return [columns.join(", "), formatCount(positions), all, formatBytes(bytes), error ?? file];
}

const LAYERS = ["layers", "state", "blocks", "boards", "expanded", "time", "size", "folder"];
function layersCells(status: GameStatus): string[] | undefined {
  if (status.layers === undefined) return undefined;
  const { folder, bytes, summary, error } = status.layers;
  if (summary === undefined) {
    return ["–", "–", "–", "–", "–", formatBytes(bytes), error ?? folder];
  }
  const { blocks, boards, expanded, seconds } = summary;
  return [
    ...[stateOf(status, status.layers), formatCount(blocks), formatCount(boards)],
    ...[formatCount(expanded), formatSeconds(seconds), formatBytes(bytes), folder],
  ];
}

const RUNS = ["run", "game", "started", "outcome", "positions", "afterstates", "time", "version"];
const PUBLISHED = ["published", "starts", "solved", "values", "file"];
