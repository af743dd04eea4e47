import { existsSync } from "node:fs";
import {
  type Bound,
  canonical,
  describeGame,
  drawBoard,
  formatBoard,
  type Game,
  isExact,
  type PackedBoard,
  packBoard,
  UNKNOWN,
  unpackBoard,
} from "@gridlock/game";
import {
  type BlockFailure,
  boundsOfLayers,
  LayersCheck,
  type LayersReport,
  layersFolderOf,
} from "@gridlock/layers";
import { formatBytes, formatCount, formatSeconds } from "@gridlock/report";
import type { VerifyOutput } from "@gridlock/schemas";
import type { BoundTable } from "@gridlock/store";
import { type Claimed, type Comparison, compareBounds } from "@gridlock/verify";
import { EXIT } from "../exit.js";
import { commandOf } from "../options/game.js";
import { layersMemory } from "../options/memory.js";
import { comparedAsJson, comparedAsText } from "../output/compared-bounds.js";
import { showWork, steady } from "../output/display.js";
import { checkedStartsAsJson, gameAsJson } from "../output/json.js";
import { printJson, printLine } from "../output/stdout.js";

/** Options of `gridlock verify --method layers`. */
export interface VerifyLayersFlags {
  readonly db: string;
  readonly workers: number;
  readonly memory?: number;
  readonly json?: true;
}

/** Failures and files in the text for people. */
const FAILURES_SHOWN = 1;
const FILES_SHOWN = 5;

/** A proof by layers to be checked. */
export interface LayersToCheck extends Disposable {
  readonly check: LayersCheck;
  readonly claimed: Claimed;
}

/**
 * Opens the proof by layers of a game; returns `undefined` if there is none. This reads the file with its progress in one
 * go.
 */
export function openLayers(game: Game, flags: VerifyLayersFlags): LayersToCheck | undefined {
  const folder = layersFolderOf(flags.db, game);
  if (!existsSync(folder)) return undefined;
  const check = new LayersCheck(game, folder);
  try {
    const claimed = claimedByLayers(game, flags.db);
    return { check, claimed, [Symbol.dispose]: () => check[Symbol.dispose]() };
  } catch (error) {
    check[Symbol.dispose]();
    throw error;
  }
}

/**
 * Checks a proof by layers, prints the result, and returns its exit code.
 *
 * @param proof `undefined` if there is none
 */
export async function checkLayers(
  game: Game,
  proof: LayersToCheck | undefined,
  expected: ReadonlyMap<PackedBoard, Bound>,
  bounds: BoundTable,
  flags: VerifyLayersFlags,
  signal: AbortSignal,
): Promise<number> {
  const folder = layersFolderOf(flags.db, game);
  const method = "layers";
  if (proof === undefined) {
    const found = `${[...expected.values()].filter(isExact).length} values and no proof by layers`;
    const advice = `run gridlock ${commandOf("solve", game)} --method layers to make one`;
    if (flags.json) {
      printJson<VerifyOutput>({ ...gameAsJson(game), method, complete: false, found });
    } else printLine(`${describeGame(game)}: ${found} in ${folder}; ${advice}`);
    return EXIT.failed;
  }
  let standing = steady(0, 0);
  using display = showWork(describeGame(game), "boards checked", () => standing, { signal });
  const report = await proof.check.run(expected, {
    threads: flags.workers,
    bytes: layersMemory(flags.memory, flags.workers),
    signal,
    onProgress: (done, total) => {
      standing = steady(done, total);
    },
  });
  const holds = report.failed === 0 && report.damaged.length === 0;
  const compared = holds
    ? await compareBounds(game, bounds.all(), proof.claimed, signal)
    : undefined;
  display.stop();
  if (flags.json) printJson<VerifyOutput>(asJson(game, report, compared));
  else {
    const about = comparedAsText(compared, flags.db, "the proof by layers");
    printLine([asText(game, folder, report), ...about].join("\n"));
  }
  return report.complete && compared?.contradicting === 0 ? EXIT.ok : EXIT.failed;
}

/** Returns the claims of a proof by layers, which are about afterstates. */
function claimedByLayers(game: Game, db: string): Claimed {
  const filed = boundsOfLayers(game, db, () => {}); // the check itself has named damaged files
  return ({ board, turn }) =>
    (turn === "placer" && filed?.(packBoard(canonical(board)))) || UNKNOWN;
}

function asJson(game: Game, report: LayersReport, compared: Comparison | undefined): VerifyOutput {
  const starts = checkedStartsAsJson(report.starts);
  const failures = report.failures.map(({ board, ...rest }) => ({
    board: formatBoard(unpackBoard(game.shape, board), "placer"),
    ...rest,
  }));
  const database = comparedAsJson(compared);
  const rest = { ...report, starts, failures, database };
  return { ...gameAsJson(game), method: "layers", ...rest };
}

function asText(game: Game, folder: string, report: LayersReport): string {
  const name = describeGame(game);
  const parts = [summary(name, report)];
  const { failures, failed, unproven, damaged, starts, complete } = report;
  for (const failure of failures.slice(0, FAILURES_SHOWN)) {
    parts.push(
      `${formatCount(failed)} bound${failed === 1 ? " of it does" : "s of it do"} not follow. The first, in ${failure.file}:\n\n${describe(game, failure)}\n`,
    );
  }
  if (unproven.length > 0) {
    const files = unproven.map(({ file, bounds }) => `${file} (${formatCount(bounds)})`);
    parts.push(
      `blocks rely on bounds that the other blocks lack, as happens after a damaged file was made again: ${listed(files)}`,
    );
  }
  if (damaged.length > 0) parts.push(`in ${folder}: ${listed(damaged)}`);
  const open = starts.filter(({ follows }) => !follows);
  for (const { board, why } of open.slice(0, FAILURES_SHOWN)) {
    parts.push(
      `${open.length} of ${starts.length} starts are not proven. The first: ${formatBoard(board)}: ${why}`,
    );
  }
  parts.push(
    complete ? `${name}: the values of all ${starts.length} starts follow` : `${name}: NOT proven`,
  );
  return parts.join("\n");
}

function summary(name: string, report: LayersReport): string {
  const { blocks, bytes, boards, guests, lower, upper, played, seconds } = report;
  return `${name}: layers of ${formatCount(boards)} boards in ${formatCount(blocks)} blocks (${formatBytes(bytes)}) checked in ${formatSeconds(seconds)}: ${formatCount(lower)} lower and ${formatCount(upper)} upper bounds, ${formatCount(guests)} boards that blocks know of each other, ${formatCount(played)} boards played out`;
}

function describe(game: Game, { board, side, value, isGuest }: BlockFailure): string {
  const claim = `h ${side === "lower" ? "≥" : "≤"} ${value}`;
  const why = isGuest
    ? "is not in the file of the board's own block"
    : "does not follow from the bounds in the file";
  return `${drawBoard(unpackBoard(game.shape, board))}\nplacer to move: ${claim} ${why}`;
}

function listed(items: readonly string[]): string {
  const more = items.length - FILES_SHOWN;
  return [...items.slice(0, FILES_SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
