import { existsSync } from "node:fs";
import { basename } from "node:path";
import { openCertificate, recordCheck } from "@gridlock/answers";
import {
  describeGame,
  formatBoard,
  formatShape,
  type Game,
  isExact,
  normalShape,
  packBoard,
  parseShape,
} from "@gridlock/game";
import { counted, formatCount, formatSeconds } from "@gridlock/report";
import type { VerifyOutput } from "@gridlock/schemas";
import { certificateFileOf, type StartBound, storedStarts } from "@gridlock/solver";
import { Database, filesBeside } from "@gridlock/store";
import {
  CertificateFile,
  type Comparison,
  compareBounds,
  type Progress,
  type Report,
  verifyCertificate,
} from "@gridlock/verify";
import type { Command } from "commander";
import { EXIT, UsageError } from "../exit.js";
import { watchInterrupts } from "../interrupt.js";
import { gameOf, holdsNothing } from "../options/game.js";
import { checkMemory } from "../options/memory.js";
import {
  type GameFlags,
  gameCommand,
  jsonOption,
  memoryOption,
  workersOption,
} from "../options/options.js";
import { existingFileOption } from "../options/paths.js";
import {
  type Checked,
  comparedAsText,
  isProven,
  noCertificate,
  provenAsJson,
  verdictAsText,
} from "../output/compared-bounds.js";
import { showWork, steady } from "../output/display.js";
import { gameAsJson, printError, printJson, printLine } from "../output/print.js";
import { checkStanding } from "../output/standings.js";

interface VerifyFlags extends GameFlags {
  readonly workers: number;
  readonly memory?: number;
  readonly certificate?: string;
}

/** Makes the command `gridlock verify`. */
export function verifyCommand(): Command {
  return gameCommand(
    "verify",
    "check that the values in a database follow from the certificates beside it",
    ["[shape]", "rows x columns, e.g. 3x3 (default: every certificate beside the database)"],
  )
    .addOption(existingFileOption("--certificate <file>", "check this file alone"))
    .addOption(workersOption())
    .addOption(
      memoryOption("most memory of the process, at least 256M", "a quarter of what is free"),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
verify checks each claim of a certificate by the rules of the game and arithmetic alone, without the search
that found it; docs/certificate.md explains how to write your own checker. It then compares all bounds in
the database with the claims, and counts those that are not covered and so remain unchecked. If the certificate
holds, it stores in the database that this file was checked, so that query --verified need not check it again.

A certificate of lower bounds, as prove --lower-bounds makes it, has no upper claims: each start is then worth
at least so many points.

A certificate may be larger than the memory: three tile sums of it are read at a time, with little memory in parts.

Exit codes: 0 the values of all starts follow or, without upper claims, a lower bound of each; 1 some do not, or a
bound in the database is false.

Examples:
  $ gridlock verify 3x3
  $ gridlock verify --certificate 2x6.certificate --memory 512M`,
    )
    .action(async (shape: string | undefined, flags: VerifyFlags) => {
      process.exitCode = await runVerify(shape, flags);
    });
}

async function runVerify(shape: string | undefined, flags: VerifyFlags): Promise<number> {
  const memory = checkMemory(flags.memory);
  if (flags.certificate === undefined) return await verifyBeside(shape, flags, memory);
  using certificate = CertificateFile.open(flags.certificate);
  const { game } = certificate;
  const asked = shape === undefined ? game.shape : normalShape(parseShape(shape));
  if (formatShape(asked) !== formatShape(game.shape)) {
    throw new UsageError(
      `${certificate.name} is a certificate of ${describeGame(game)}, not of ${shape}`,
    );
  }
  return print(await check(certificate, flags, memory), flags);
}

/** Checks the certificate of a game beside a database, or all of them. */
async function verifyBeside(
  shape: string | undefined,
  flags: VerifyFlags,
  memory: number,
): Promise<number> {
  using database = openSound(flags.db);
  const games =
    shape === undefined ? gamesBeside(flags.db, database) : [gameOf(shape, flags.tiles)];
  if (games.length === 0) {
    throw new UsageError(`${flags.db} has no results yet; run gridlock solve first`);
  }
  const codes: number[] = [];
  for (const game of games)
    codes.push(print(await checkGame(game, flags, memory, database), flags));
  return Math.max(...codes);
}

/** Checks the certificate of a game beside a database. */
export async function checkGame(
  game: Game,
  flags: Pick<VerifyFlags, "db" | "workers">,
  memory: number,
  database?: Database,
): Promise<Checked> {
  const starts = database ? storedStarts(game, database) : [];
  using certificate = openCertificate(flags.db, game);
  if (certificate === undefined && starts.length === 0) throw holdsNothing(flags.db, game);
  return certificate === undefined
    ? noCertificate(game, starts, certificateFileOf(flags.db, game))
    : await check(certificate, flags, memory, starts, database);
}

/** Opens a database to compare its bounds; returns `undefined` if there are only certificates. */
function openSound(file: string): Database | undefined {
  if (!existsSync(file) && filesBeside(file, "certificate").length > 0) return undefined;
  const database = Database.open(file, { readOnly: true });
  const faults = database.faults();
  if (faults.length === 0) return database;
  database.close();
  throw new UsageError(
    `${file} is damaged (${faults.slice(0, 3).join("; ")}); restore a copy, or solve again with another --db`,
  );
}

/** Lists the games with a certificate, and the solved ones; reports those that were only begun. */
function gamesBeside(file: string, database: Database | undefined): Game[] {
  const certified = filesBeside(file, "certificate").map(({ game }) => game);
  const names = new Set(certified.map(describeGame));
  const solved = (database?.games() ?? []).filter((game) => {
    if (database === undefined || names.has(describeGame(game))) return false;
    const starts = storedStarts(game, database);
    const isSolved = starts.length > 0 && starts.every(({ bound }) => isExact(bound));
    if (starts.length > 0 && !isSolved) {
      printError(`${describeGame(game)} is not solved yet, and was not checked`);
    }
    return isSolved;
  });
  return [...certified, ...solved];
}

/**
 * Checks a certificate.
 *
 * @param starts the starts and their bounds in the database
 * @param database the one beside which it is, to compare its bounds, and to store that the file was
 *   checked
 */
async function check(
  certificate: CertificateFile,
  { workers: threads }: Pick<VerifyFlags, "workers">,
  memory: number,
  starts: readonly StartBound[] = [],
  database?: Database,
): Promise<Checked> {
  using watch = watchInterrupts("stopping; nothing is saved");
  const { signal } = watch;
  const { game, claims, name } = certificate;
  const standing = checkStanding();
  using display = showWork(describeGame(game), "claims checked", steady(0, claims), { signal });
  const onProgress = (progress: Progress) => display.show(standing(progress));
  const bounds = database?.bounds(game);
  const expected = new Map(starts.map(({ board, bound }) => [packBoard(board), bound]));
  const options = { threads, memory, signal, onProgress };
  const report = await verifyCertificate(certificate, expected, options);
  const compared =
    bounds && report.failed === 0
      ? await compareBounds(game, bounds.all(), certificate, signal)
      : undefined;
  certificate.expectUnchanged();
  if (database && report.failed === 0) recordCheck(database.file, certificate);
  const about = database ? comparedAsText(compared, database.file) : [];
  return {
    output: asJson(certificate, report, compared),
    text: [asText(game, name, report), ...about].join("\n"),
    code: isProven(report) && !compared?.contradicting ? EXIT.ok : EXIT.failed,
  };
}

function print({ output, text, code }: Checked, flags: VerifyFlags): number {
  if (flags.json) printJson<VerifyOutput>(output);
  else printLine(text);
  return code;
}

function asJson(
  { game, name: file, bytes }: CertificateFile,
  report: Report,
  compared: Comparison | undefined,
): VerifyOutput {
  const failures = report.failures.map(({ board, ...rest }) => ({
    board: formatBoard(board),
    ...rest,
  }));
  const proven = provenAsJson(report.starts, compared);
  return { ...gameAsJson(game), file, bytes, ...report, ...proven, failures };
}

function asText(game: Game, file: string, report: Report): string {
  const { claims, lower, upper, largestTileSum, seconds } = report;
  const name = describeGame(game);
  const parts = [
    `${name}: ${formatCount(claims)} claims checked in ${formatSeconds(seconds)}, ${formatCount(Math.round(claims / seconds))} a second: ${formatCount(lower)} lower and ${formatCount(upper)} upper ones follow, tile sums up to ${largestTileSum}`,
  ];
  const [failure] = report.failures;
  if (failure) {
    const { text, kind } = failure;
    parts.push(
      `${counted(report.failed, "claim")} of ${basename(file)} ${report.failed === 1 ? "does" : "do"} not follow. The first (${kind}):\n\n${text}\n`,
    );
  }
  return [...parts, ...verdictAsText(name, report)].join("\n");
}
