import {
  type Bound,
  canonical,
  describeGame,
  drawBoard,
  formatBoard,
  type Game,
  type PackedBoard,
  packBoard,
  UNKNOWN,
  unpackBoard,
} from "@gridlock/game";
import {
  type BlockFailure,
  boundsOfLayers,
  type LayersCheck,
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
import {
  type Checked,
  comparedAsText,
  noProof,
  provenAsJson,
  verdictAsText,
} from "../output/compared-bounds.js";
import { showWork, steady } from "../output/display.js";
import { gameAsJson } from "../output/print.js";

/** Files in the text for people. */
const FILES_SHOWN = 5;

/**
 * Checks a proof by layers.
 *
 * @param proof `undefined` if there is none
 * @param claimed its claims
 */
export async function checkLayers(
  game: Game,
  proof: LayersCheck | undefined,
  claimed: Claimed,
  expected: ReadonlyMap<PackedBoard, Bound>,
  bounds: BoundTable,
  flags: Readonly<{ db: string; workers: number; memory?: number }>,
  signal: AbortSignal,
): Promise<Checked> {
  const folder = layersFolderOf(flags.db, game);
  if (proof === undefined) {
    const maker = `${commandOf("solve", game)} --method layers`;
    const what = { proof: "proof by layers", place: folder, maker };
    return noProof(game, expected.values(), what, "layers");
  }
  using display = showWork(describeGame(game), "boards checked", steady(0, 0), { signal });
  const report = await proof.run(expected, {
    threads: flags.workers,
    bytes: layersMemory(flags.memory, flags.workers),
    signal,
    onProgress: (done, total) => display.show(steady(done, total)),
  });
  const holds = report.failed === 0 && report.damaged.length === 0;
  const compared = holds ? await compareBounds(game, bounds.all(), claimed, signal) : undefined;
  const about = comparedAsText(compared, flags.db, "the proof by layers");
  return {
    output: asJson(game, report, compared),
    text: [asText(game, folder, report), ...about].join("\n"),
    code: report.complete && compared?.contradicting === 0 ? EXIT.ok : EXIT.failed,
  };
}

/** Returns the claims of a proof by layers, which are about afterstates. */
export function claimedByLayers(game: Game, db: string): Claimed {
  const filed = boundsOfLayers(game, db, () => {}); // the check itself has named damaged files
  return ({ board, turn }) =>
    (turn === "placer" && filed?.(packBoard(canonical(board)))) || UNKNOWN;
}

function asJson(game: Game, report: LayersReport, compared: Comparison | undefined): VerifyOutput {
  const proven = provenAsJson(report.starts, compared);
  const failures = report.failures.map(({ board, ...rest }) => ({
    board: formatBoard(unpackBoard(game.shape, board), "placer"),
    ...rest,
  }));
  return { ...gameAsJson(game), method: "layers", ...report, ...proven, failures };
}

function asText(game: Game, folder: string, report: LayersReport): string {
  const name = describeGame(game);
  const parts = [summary(name, report)];
  const { failures, failed, unproven, damaged } = report;
  const [failure] = failures;
  if (failure) {
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
  return [...parts, ...verdictAsText(name, report)].join("\n");
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
