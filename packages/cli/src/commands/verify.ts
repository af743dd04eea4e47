import { basename } from "node:path";
import {
  type Bound,
  describeGame,
  formatBoard,
  formatShape,
  type Game,
  isExact,
  normalShape,
  type PackedBoard,
  packBoard,
  parseShape,
} from "@gridlock/game";
import { counted, formatCount, formatSeconds } from "@gridlock/report";
import type { VerifyOutput } from "@gridlock/schemas";
import { storedCertificate, storedStarts } from "@gridlock/solver";
import { type BoundTable, Database } from "@gridlock/store";
import {
  type Certificate,
  type Comparison,
  claimedBy,
  compareBounds,
  type Report,
  readCertificate,
  verify,
} from "@gridlock/verify";
import type { Command } from "commander";
import { EXIT, UsageError } from "../exit.js";
import { watchInterrupts } from "../interrupt.js";
import { gameOf, holdsNothing } from "../options/game.js";
import {
  type GameFlags,
  gameCommand,
  jsonOption,
  seedOption,
  workersOption,
} from "../options/options.js";
import { parseInteger } from "../options/parse.js";
import { existingFileOption } from "../options/paths.js";
import {
  type Checked,
  comparedAsText,
  noCertificate,
  provenAsJson,
  verdictAsText,
} from "../output/compared-bounds.js";
import { showWork, steady } from "../output/display.js";
import { gameAsJson, printError, printJson, printLine } from "../output/print.js";

interface VerifyFlags extends GameFlags {
  readonly workers: number;
  readonly certificate?: string;
  readonly sample?: number;
  readonly seed?: number;
}

/** Makes the command `gridlock verify`. */
export function verifyCommand(): Command {
  return gameCommand(
    "verify",
    "check that the values in a database follow from their certificates",
    ["[shape]", "rows x columns, e.g. 3x3 (default: every game of the database)"],
  )
    .addOption(
      existingFileOption(
        "--certificate <file>",
        "check an exported certificate instead of a database",
      ),
    )
    .addOption(workersOption())
    .option(
      "--sample <n>",
      "check only n random claims and those of the starts (default: all)",
      (text) => parseInteger(text, 0, 2 ** 32 - 1),
    )
    .addOption(seedOption("seed of the sample"))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
verify checks each claim of a certificate by the rules of the game and arithmetic alone, without the search
that found it; docs/certificate.md explains how to write your own checker. It then compares all bounds in
the database with the claims, and counts those that are not covered and so remain unchecked.

Exit codes: 0 the values of all starts follow; 1 some do not, or a bound in the database is false; 3 a sample was checked and has no error,
which proves nothing.

Examples:
  $ gridlock verify 3x3
  $ gridlock verify --certificate 3x3.certificate
  $ gridlock verify 2x6 --sample 100000 --seed 1`,
    )
    .action(async (shape: string | undefined, flags: VerifyFlags) => {
      process.exitCode = await runVerify(shape, flags);
    });
}

/** Checks a game. */
type Check = (signal: AbortSignal) => Promise<Checked>;

async function runVerify(shape: string | undefined, flags: VerifyFlags): Promise<number> {
  const codes: number[] = [];
  // Files are read between two checks, in one go: Ctrl-C then ends the process, as there is nothing to save.
  for (const check of checksOf(shape, flags)) {
    using watch = watchInterrupts("stopping; nothing is saved");
    const { output, text, code } = await check(watch.signal);
    if (flags.json) printJson<VerifyOutput>(output);
    else printLine(text);
    codes.push(code);
  }
  return codes.includes(EXIT.failed) ? EXIT.failed : Math.max(EXIT.ok, ...codes);
}

/** Yields the checks of the games one by one, so that only one certificate at a time is in memory. */
function* checksOf(shape: string | undefined, flags: VerifyFlags): Generator<Check> {
  if (flags.certificate !== undefined) {
    const file = flags.certificate;
    const certificate = readCertificate(file);
    const { game } = certificate;
    const asked = shape === undefined ? game.shape : normalShape(parseShape(shape));
    if (formatShape(asked) !== formatShape(game.shape)) {
      throw new UsageError(`${file} is a certificate of ${describeGame(game)}, not of ${shape}`);
    }
    yield (signal) => check(game, certificate, file, flags, signal);
    return;
  }
  using database = Database.open(flags.db, { readOnly: true });
  const faults = database.faults();
  if (faults.length > 0) {
    throw new UsageError(
      `${flags.db} is damaged (${faults.slice(0, 3).join("; ")}); restore a copy, or solve again with another --db`,
    );
  }
  const games =
    shape === undefined
      ? database.games().filter((game) => hasResults(game, database))
      : [gameOf(shape, flags.tiles)];
  if (games.length === 0) {
    throw new UsageError(`${flags.db} has no results yet; run gridlock solve first`);
  }
  for (const game of games) {
    const starts = database.starts(game);
    if (starts.length === 0) throw holdsNothing(flags.db, game);
    const bounds = database.bounds(game);
    const expected = new Map(
      starts.map((board) => [packBoard(board), bounds.of({ board, turn: "slider" })]),
    );
    const certificate = storedCertificate(game, database);
    yield (signal) => check(game, certificate, flags.db, flags, signal, expected, bounds);
  }
}

/** Returns whether there is anything to check of a game; says so of one that has merely been begun. */
function hasResults(game: Game, database: Database): boolean {
  const starts = storedStarts(game, database);
  const isBegun = starts.length > 0;
  const isSolved = isBegun && starts.every(({ bound }) => isExact(bound));
  if (isSolved || (isBegun && database.certificate(game).info() !== undefined)) return true;
  if (isBegun) printError(`${describeGame(game)} is not solved yet, and was not checked`);
  return false;
}

/**
 * Checks a certificate in a file.
 *
 * @param expected the bounds of the starts in the database, if the file is not an exported certificate
 * @param bounds all bounds in the database
 */
async function check(
  game: Game,
  certificate: Certificate | undefined,
  file: string,
  flags: VerifyFlags,
  signal: AbortSignal,
  expected?: ReadonlyMap<PackedBoard, Bound>,
  bounds?: BoundTable,
): Promise<Checked> {
  if (certificate === undefined) {
    return noCertificate(game, expected?.values() ?? [], file);
  }
  const first = steady(0, certificate.claims.size);
  using display = showWork(describeGame(game), "claims checked", first, { signal });
  const report = await verify(certificate, expected, {
    threads: flags.workers,
    ...(flags.sample === undefined ? {} : { sample: flags.sample }),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    signal,
    onProgress: ({ checked, total }) => display.show(steady(checked, total)),
  });
  const compared =
    bounds && report.failed === 0
      ? await compareBounds(game, bounds.all(), claimedBy(certificate), signal)
      : undefined;
  const result = compared?.contradicting ? { ...report, nothingWrong: false } : report;
  const about = bounds ? comparedAsText(compared, file) : [];
  const held = result.complete ? EXIT.ok : EXIT.partial;
  return {
    output: asJson(game, result, compared),
    text: [asText(game, file, result), ...about].join("\n"),
    code: result.nothingWrong ? held : EXIT.failed,
  };
}

function asJson(game: Game, report: Report, compared: Comparison | undefined): VerifyOutput {
  const proven = provenAsJson(report.starts, compared);
  const failures = report.failures.map(({ board, ...rest }) => ({
    ...{ board: formatBoard(board), ...rest },
  }));
  return { ...gameAsJson(game), method: "certificate", ...report, ...proven, failures };
}

function asText(game: Game, file: string, report: Report): string {
  const { claims, checked, bySteps, bySearch, expanded, deepestLayer, seconds } = report;
  const name = describeGame(game);
  const of = report.sampled ? ` of ${formatCount(claims)}` : "";
  const parts = [
    `${name}: ${formatCount(checked)}${of} claims checked in ${formatSeconds(seconds)}: ${formatCount(bySteps)} bounds follow by one step, ${formatCount(bySearch)} by search; ${formatCount(expanded)} positions expanded, tile sums up to ${deepestLayer}`,
  ];
  const [failure] = report.failures;
  if (failure) {
    const { text, kind } = failure;
    parts.push(
      `${counted(report.failed, "bound")} of ${basename(file)} ${report.failed === 1 ? "does" : "do"} not follow. The first (${kind}):\n\n${text}\n`,
    );
  }
  return [...parts, ...verdictAsText(name, report)].join("\n");
}
