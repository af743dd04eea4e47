import { existsSync } from "node:fs";
import { type Bound, describeGame, type Game, isExact, parseShape } from "@gridlock/game";
import { hasKernel } from "@gridlock/kernel";
import { publishedGames } from "@gridlock/published";
import {
  type Column,
  formatAge,
  formatBound,
  formatBytes,
  formatCount,
  formatSeconds,
  formatTable,
  formatTime,
} from "@gridlock/report";
import type { StatusOutput } from "@gridlock/schemas";
import { certificateFileOf, snapshotIdentity, storedStarts } from "@gridlock/solver";
import {
  Database,
  SCHEMA_VERSION,
  SnapshotFile,
  StoreError,
  snapshotFileOf,
  stateOfRun,
} from "@gridlock/store";
import { type TabulationSummary, tabulationsBeside } from "@gridlock/tablebase";
import { CertificateError, readSummary } from "@gridlock/verify";
import { Command } from "commander";
import { type RedisFlags, reachRedis, withRedis } from "../options/cluster.js";
import { dbOption, jsonOption } from "../options/options.js";
import { gameAsJson, printJson, printLine } from "../output/print.js";
import { visibleLine } from "../output/visible.js";

interface StatusFlags extends RedisFlags {
  readonly db: string;
  readonly published: boolean;
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
    .addHelpText(
      "after",
      `
Without --redis, status shows for each game of the database the number of solved starts, the range of their
values, and the certificate, snapshot and tabulation beside the database; then the last
${RECENT_RUNS} runs: running, solved, stopped, failed, or unfinished if killed. Then it lists the games whose published values
query uses because the database has not solved them. With --redis, it shows the progress of the run, an estimate of
the time left, the open starts, and the workers.

Examples:
  $ gridlock status
  $ gridlock status --db worker.db --json | jq '.games[].bounds'
  $ watch gridlock status --redis redis://10.0.0.1:6379/0`,
    )
    .action(async (flags: StatusFlags) => {
      const redis = await reachRedis(flags);
      if (redis) {
        const { showClusterStatus } = await import("./status-of-cluster.js");
        return await showClusterStatus(redis, flags.json);
      }
      using database = Database.open(flags.db, { readOnly: true });
      const status = readStatus(database, flags.published);
      const games = status.games.map(({ span: _, ...game }) => game);
      if (flags.json) printJson<StatusOutput>({ ...status, games });
      else printLine(asText(status));
    });
}

/** The output, and the smallest interval that contains the values of each game of the database. */
type Status = ReturnType<typeof readStatus>;
type GameStatus = StatusOutput["games"][number] & { readonly span: Bound };

function readStatus(database: Database, published: boolean) {
  const tabulations = tabulationsBeside(database.file);
  const stored = database.games();
  const others = tabulations
    .map(({ game }) => game)
    .filter((game) => !stored.some((other) => describeGame(game) === describeGame(other)));
  const games = [...stored, ...others].map((game) => readGame(database, game, tabulations));
  return {
    file: database.file,
    bytes: database.size(),
    schema: SCHEMA_VERSION,
    games,
    runs: database.runs.all().map((run) => {
      const { game, question: _, ...rest } = run;
      return { ...rest, ...gameAsJson(game), outcome: stateOfRun(run) };
    }),
    published: published ? publishedBeside(games) : [],
  };
}

/** Reads what is in a database, and beside it, of a game. */
function readGame(
  database: Database,
  game: Game,
  tabulations: readonly TabulationSummary[],
): GameStatus {
  const name = describeGame(game);
  const [tabulation = null] = tabulations
    .filter((one) => describeGame(one.game) === name)
    .map(({ game: _, ...one }) => one);
  const { span, ...counts } = known(storedStarts(game, database).map(({ bound }) => bound));
  return {
    span,
    ...gameAsJson(game),
    ...counts,
    ...database.bounds(game).count(),
    certificate: readCertificate(game, database),
    snapshot: readSnapshot(game, snapshotFileOf(database.file, game)),
    tabulation,
  };
}

/** Counts the starts and those that are solved; returns the smallest interval with all bounds. */
function known(bounds: readonly Bound[]) {
  const lo = Math.min(...bounds.map((bound) => bound.lo));
  const hi = Math.max(...bounds.map((bound) => bound.hi));
  return { starts: bounds.length, solved: bounds.filter(isExact).length, span: { lo, hi } };
}

/** Returns the published games that are not among the solved ones of a database. */
function publishedBeside(games: readonly GameStatus[]) {
  const solved = new Set(
    games.filter(({ starts, solved }) => starts > 0 && solved === starts).map(nameOf),
  );
  return publishedGames()
    .filter((game) => !solved.has(describeGame(game)))
    .map(({ starts, provenance: { source }, ...game }) => {
      const { span, ...counts } = known(starts);
      return { ...gameAsJson(game), ...counts, ...span, source };
    });
}

/** Reads the ends of the certificate beside a database, or why it cannot be read. */
function readCertificate(game: Game, database: Database) {
  const file = certificateFileOf(database.file, game);
  if (!existsSync(file)) return null;
  try {
    const { identity, bytes, claims } = readSummary(file);
    return {
      file,
      bytes,
      claims,
      checked: database.checkedCertificate(game) === identity,
    };
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    return { file, error: error.message };
  }
}

/** Reads the snapshot beside the database, or the reason why it cannot be read. */
function readSnapshot(game: Game, file: string) {
  if (!existsSync(file)) return null;
  try {
    using snapshot = SnapshotFile.open(file, { readOnly: true });
    const summary = snapshot.summary();
    if (summary && hasKernel(game.shape)) snapshot.expect(snapshotIdentity(game));
    return { file, ...summary };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { file, error: error.message };
  }
}

function nameOf({ shape, tiles }: Pick<GameStatus, "shape" | "tiles">): string {
  return describeGame({ shape: parseShape(shape), tiles });
}

function asText({ file, bytes, schema, games, runs, published }: Status): string {
  const parts: string[] = [];
  const list = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]) => {
    if (rows.length > 0) parts.push(formatTable(rows, columns));
  };
  if (games.length === 0 && runs.length === 0) parts.push(`${file}: nothing is saved yet`);
  else parts.push(`${file}: ${formatBytes(bytes)}, schema version ${schema}`);
  list(games, [
    ["game", nameOf],
    ["starts", ({ starts }) => String(starts), "right"],
    ["solved", ({ solved }) => String(solved), "right"],
    ["values", ({ starts, span }) => (starts === 0 ? "–" : formatBound(span))],
    ["bounds", ({ bounds }) => bounds],
    ["exact", ({ exact }) => exact],
  ]);
  list(withA("certificate", games), [
    ["certificate", nameOf],
    ["claims", ({ error, claims = 0 }) => (error ? "–" : formatCount(claims)), "right"],
    ["size", ({ bytes }) => orDash(bytes, formatBytes), "right"],
    ["checked", ({ checked }) => orDash(checked, (isSo) => (isSo ? "yes" : "no"))],
    ["file", ({ file, error }) => error ?? file],
  ]);
  list(withA("snapshot", games), [
    ["snapshot", nameOf],
    ["entries", ({ error, entries = 0 }) => (error ? "–" : formatCount(entries)), "right"],
    ["size", ({ bytes }) => orDash(bytes, formatBytes), "right"],
    ["saved", ({ written }) => orDash(written, formatAge)],
    ["file", ({ file, error }) => error ?? file],
  ]);
  list(withA("tabulation", games), [
    ["tabulation", nameOf],
    ["columns", ({ columns }) => columns.join(", ")],
    ["positions", ({ positions }) => positions],
    ["complete", ({ complete }) => (complete ? "yes" : "no")],
    ["size", ({ bytes }) => formatBytes(bytes), "right"],
    ["file", ({ file, error }) => error ?? file],
  ]);
  list(runs.slice(0, RECENT_RUNS), [
    ["run", ({ id }) => String(id), "right"],
    ["game", nameOf],
    ["started", ({ started }) => formatTime(started)],
    ["outcome", ({ outcome }) => outcome],
    ["positions", ({ positions }) => positions],
    ["afterstates", ({ afterstates }) => afterstates],
    ["time", ({ seconds }) => formatSeconds(seconds), "right"],
    ["version", ({ version }) => visibleLine(version)],
  ]);
  list(published, [
    ["published", nameOf],
    ["starts", ({ starts }) => String(starts), "right"],
    ["solved", ({ solved }) => String(solved), "right"],
    // The upper bounds of starts that are not solved follow from the rules alone.
    ["values", ({ solved, ...span }) => (solved > 0 ? formatBound(span) : `at least ${span.lo}`)],
    ["file", ({ source }) => source],
  ]);
  return parts.join("\n\n");
}

/** Lists what games have of a kind of file, each with its game. */
function withA<Kind extends "certificate" | "snapshot" | "tabulation">(
  kind: Kind,
  games: readonly GameStatus[],
) {
  return games.flatMap(({ shape, tiles, [kind]: found }) =>
    found === null ? [] : [{ shape, tiles, ...found }],
  );
}

/** Formats a figure, or a dash in place of one that is missing. */
function orDash<T>(figure: T | undefined, format: (figure: T) => string): string {
  return figure === undefined ? "–" : format(figure);
}
