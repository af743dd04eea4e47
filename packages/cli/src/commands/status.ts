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
  type CertificateInfo,
  Database,
  type Run,
  SCHEMA_VERSION,
  SnapshotFile,
  type SnapshotSummary,
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
        process.exitCode = await showClusterStatus({ ...flags, redis: flags.redis });
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

/** The snapshot beside the database, or the reason why it cannot be read. */
interface SnapshotStatus {
  readonly file: string;
  readonly summary: SnapshotSummary | undefined;
  readonly error: string | undefined;
}

interface GameStatus {
  readonly game: Game;
  readonly certificate: (CertificateInfo & { readonly claims: number }) | undefined;
  readonly snapshot: SnapshotStatus | undefined;
  readonly tabulation: TabulationSummary | undefined;
  readonly layers: LayersFolder | undefined;
  readonly starts: readonly { readonly bound: Bound }[];
  readonly count: { readonly bounds: number; readonly exact: number };
}

type Solved = Pick<GameStatus, "starts">;

interface Status {
  readonly file: string;
  readonly size: number;
  readonly games: readonly GameStatus[];
  readonly runs: readonly Run[];
  /** Published games that the database has not solved. */
  readonly published: readonly PublishedStatus[];
}

interface PublishedStatus extends Solved {
  readonly game: Game;
  /** The file in the repository. */
  readonly source: string;
}

function readStatus(database: Database, published: boolean): Status {
  const tabulations = tabulationsBeside(database.file);
  const solved = database.games();
  const unsolved = tabulations
    .map(({ game }) => game)
    .filter((game) => !solved.some((other) => isSame(game, other)));
  const games = [...solved, ...unsolved].map(
    (game): GameStatus => ({
      game,
      tabulation: tabulations.find((tabulation) => isSame(tabulation.game, game)),
      starts: storedStarts(game, database, database.starts(game)),
      count: database.bounds(game).count(),
      certificate: readCertificate(database, game),
      snapshot: readSnapshot(game, snapshotFileOf(database.file, game)),
      layers: layersIn(layersFolderOf(database.file, game), game),
    }),
  );
  return {
    ...{ file: database.file, size: database.size(), games, runs: database.runs.all() },
    published: published ? publishedBeside(games) : [],
  };
}

/** Returns the published games that are not among the solved ones of a database. */
function publishedBeside(games: readonly GameStatus[]): PublishedStatus[] {
  const solved = games.filter(
    ({ starts }) => starts.length > 0 && solvedOf({ starts }) === starts.length,
  );
  return publishedGames()
    .filter((game) => !solved.some((other) => isSame(other.game, game)))
    .map(({ shape, tiles, starts, provenance }) => ({
      ...{ game: { shape, tiles }, source: provenance.source },
      starts: starts.map((start) => ({ bound: start })),
    }));
}

function isSame(a: Game, b: Game): boolean {
  return describeGame(a) === describeGame(b);
}

function readCertificate(database: Database, game: Game): GameStatus["certificate"] {
  const stored = database.certificate(game);
  const info = stored.info();
  return info && { ...info, claims: stored.count() };
}

function readSnapshot(game: Game, file: string): SnapshotStatus | undefined {
  if (!existsSync(file)) return undefined;
  try {
    using snapshot = SnapshotFile.open(file, { readOnly: true });
    const summary = snapshot.summary();
    if (summary && hasKernel(game.shape)) snapshot.expect(snapshotIdentity(game));
    return { file, summary, error: undefined };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { file, summary: undefined, error: error.message };
  }
}

function asJson({ file, size, games, runs, published }: Status): StatusOutput {
  return {
    file,
    bytes: size,
    schema: SCHEMA_VERSION,
    games: games.map(({ certificate, snapshot, tabulation, ...status }) => ({
      ...gameAsJson(status.game),
      starts: status.starts.length,
      solved: solvedOf(status),
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
    published: published.map((status) => ({
      ...{ ...gameAsJson(status.game), starts: status.starts.length, solved: solvedOf(status) },
      ...{ ...span(boundsOf(status)), source: status.source },
    })),
  };
}

function asText({ file, size, games, runs, published }: Status): string {
  if (games.length === 0 && runs.length === 0) {
    return [`${file}: nothing is saved yet`, ...publishedAsText(published)].join("\n\n");
  }
  const parts = [`${file}: ${formatBytes(size)}, schema version ${SCHEMA_VERSION}`];
  parts.push(
    formatTable(
      ["game", "starts", "solved", "values", "bounds", "exact"],
      games.map((status) => [
        describeGame(status.game),
        String(status.starts.length),
        String(solvedOf(status)),
        valuesOf(status),
        formatCount(status.count.bounds),
        formatCount(status.count.exact),
      ]),
      [1, 2, 4, 5],
    ),
  );
  parts.push(...certificatesAsText(games), ...snapshotsAsText(games), ...tabulationsAsText(games));
  parts.push(...layersAsText(games));
  if (runs.length > 0) {
    parts.push(
      formatTable(
        ["run", "game", "started", "outcome", "positions", "afterstates", "time", "version"],
        runs
          .slice(0, RECENT_RUNS)
          .map((run) => [
            String(run.id),
            describeGame(run.game),
            formatTime(run.started),
            stateOfRun(run),
            formatCount(run.positions),
            formatCount(run.afterstates),
            formatSeconds(run.seconds),
            visibleLine(run.version),
          ]),
        [0, 4, 5, 6],
      ),
    );
  }
  return [...parts, ...publishedAsText(published)].join("\n\n");
}

function publishedAsText(published: readonly PublishedStatus[]): string[] {
  if (published.length === 0) return [];
  const rows = published.map(({ game, source, ...status }) => [
    ...[describeGame(game), String(status.starts.length), String(solvedOf(status))],
    // The upper bounds of starts that are not solved follow from the rules alone.
    ...[solvedOf(status) > 0 ? valuesOf(status) : `at least ${span(boundsOf(status)).lo}`, source],
  ]);
  return [formatTable(["published", "starts", "solved", "values", "file"], rows, [1, 2])];
}

function certificatesAsText(games: readonly GameStatus[]): string[] {
  const rows = games.flatMap(({ game, certificate }) =>
    certificate
      ? [
          [
            describeGame(game),
            formatCount(certificate.claims),
            String(certificate.effort),
            formatTime(certificate.made),
            formatSeconds(certificate.seconds),
          ],
        ]
      : [],
  );
  const head = ["certificate", "claims", "proof effort", "made", "time"];
  return rows.length === 0 ? [] : [formatTable(head, rows, [1, 2, 4])];
}

function snapshotsAsText(games: readonly GameStatus[]): string[] {
  const rows = games.flatMap(({ game, snapshot }) => {
    if (snapshot === undefined) return [];
    const { file, summary, error } = snapshot;
    if (error !== undefined) return [[describeGame(game), "–", "–", "–", error]];
    if (summary === undefined) return [[describeGame(game), "0", "–", "–", file]];
    const { entries, bytes, written } = summary;
    return [
      [describeGame(game), formatCount(entries), formatBytes(bytes), formatAge(written), file],
    ];
  });
  const head = ["snapshot", "entries", "size", "saved", "file"];
  return rows.length === 0 ? [] : [formatTable(head, rows, [1, 2])];
}

function tabulationsAsText(games: readonly GameStatus[]): string[] {
  const rows = games.flatMap(({ game, tabulation }) => {
    if (tabulation === undefined) return [];
    const { columns, positions, complete, bytes, file, error } = tabulation;
    return [
      [
        describeGame(game),
        columns.join(", "),
        formatCount(positions),
        complete ? "yes" : "no",
        formatBytes(bytes),
        error ?? file,
      ],
    ];
  });
  const head = ["tabulation", "columns", "positions", "complete", "size", "file"];
  return rows.length === 0 ? [] : [formatTable(head, rows, [2, 4])];
}

function layersAsText(games: readonly GameStatus[]): string[] {
  const rows = games.flatMap((status) => {
    const { game, layers } = status;
    if (layers === undefined) return [];
    const { folder, bytes, summary, error } = layers;
    if (summary === undefined) {
      return [[describeGame(game), "–", "–", "–", "–", "–", formatBytes(bytes), error ?? folder]];
    }
    return [
      [
        describeGame(game),
        stateOf(status, layers),
        formatCount(summary.blocks),
        formatCount(summary.boards),
        formatCount(summary.expanded),
        formatSeconds(summary.seconds),
        formatBytes(bytes),
        folder,
      ],
    ];
  });
  const head = ["layers", "state", "blocks", "boards", "expanded", "time", "size", "folder"];
  return rows.length === 0 ? [] : [formatTable(head, rows, [2, 3, 4, 5, 6])];
}

function layersAsJson(status: Pick<GameStatus, "starts" | "layers">) {
  const { layers } = status;
  if (layers === undefined) return null;
  const { folder, bytes, summary, error } = layers;
  return { folder, bytes, state: summary && stateOf(status, layers), ...summary, error };
}

/** Returns the state of a proof by layers. */
function stateOf(status: Solved, { isRunning }: LayersFolder): "running" | "done" | "stopped" {
  if (isRunning) return "running";
  return solvedOf(status) === status.starts.length ? "done" : "stopped";
}

function solvedOf({ starts }: Solved): number {
  return starts.filter(({ bound }) => isExact(bound)).length;
}

function boundsOf({ starts }: Solved): Bound[] {
  return starts.map(({ bound }) => bound);
}

function valuesOf(status: Solved): string {
  return status.starts.length === 0 ? "–" : formatBound(span(boundsOf(status)));
}

/** Returns the smallest interval that contains all bounds. */
function span(bounds: readonly Bound[]): Bound {
  return {
    lo: Math.min(...bounds.map(({ lo }) => lo)),
    hi: Math.max(...bounds.map(({ hi }) => hi)),
  };
}
