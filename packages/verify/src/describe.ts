import {
  type Board,
  canonical,
  formatBoard,
  formatPlacement,
  type Placement,
  placements,
  type Slide,
  sameBoard,
  slides,
} from "@gridlock/game";
import type { CertificateFile } from "./file.js";
import type { ValueSide } from "./work.js";

/** Writes a claim as `h ≥ 12` or `h ≤ 12`. */
export function formatClaim(side: ValueSide, value: number): string {
  return `h ${side === "lower" ? "≥" : "≤"} ${value}`;
}

/**
 * Explains why a claim does not follow by one step. For a lower claim there is a line per slide;
 * for an upper claim, one for the first slide that refutes it.
 */
export function describeStep(
  file: CertificateFile,
  position: Board,
  side: ValueSide,
  value: number,
): string[] {
  const legal = slides(position);
  if (side === "lower") {
    if (legal.length === 0) return ["no slide is legal, so that h = 0"];
    return legal.map((slide) => describeLowerSlide(file, slide, value - slide.score));
  }
  return legal
    .map((slide) => describeUpperSlide(file, slide, value - slide.score))
    .filter((line) => line !== undefined)
    .slice(0, 1);
}

/** Describes the first placement after which too little is claimed; each failing claim has one. */
function describeLowerSlide(file: CertificateFile, slide: Slide, needed: number): string {
  const lower = ({ board }: Placement) => file.claimed(board).lo;
  const all = placements(slide.board, file.game.tiles);
  const failing = all.find((next) => lower(next) < needed) as Placement;
  const short = lower(failing) > 0 ? `: ${needed - lower(failing)} short` : "";
  return `${earns(slide)}: then every placement needs ${formatClaim("lower", needed)}; ${leaves(file, failing, "lower")}${short}`;
}

/**
 * Describes the placement after which the least is claimed; `undefined` if that is little enough.
 */
function describeUpperSlide(
  file: CertificateFile,
  slide: Slide,
  needed: number,
): string | undefined {
  if (needed < 0) return `${earns(slide)}, which alone is more`;
  const upper = ({ board }: Placement) => file.claimed(board).hi;
  const all = placements(slide.board, file.game.tiles);
  const best = all.reduce((least, next) => (upper(next) < upper(least) ? next : least));
  if (upper(best) <= needed) return undefined;
  const needs = `${earns(slide)}: then some placement needs ${formatClaim("upper", needed)}`;
  return upper(best) === Number.POSITIVE_INFINITY
    ? `${needs}; none of the ${all.length} has an upper claim`
    : `${needs}; the best, ${leaves(file, best, "upper")}: ${upper(best) - needed} too many`;
}

function earns({ direction, score }: Slide): string {
  return `${direction} earns ${score}`;
}

/** Describes the position after a placement, and the claim about it. */
function leaves(file: CertificateFile, placement: Placement, side: ValueSide): string {
  const { board, claimed } = claimOf(file, placement.board, side);
  return `${formatPlacement(placement.board, placement)} leaves ${board}, ${claimed}`;
}

/** Writes a position with its canonical form, and the claim about it. */
function claimOf(file: CertificateFile, position: Board, side: ValueSide) {
  const { lo, hi } = file.claimed(position);
  const [value, none] = side === "lower" ? [lo, lo === 0] : [hi, hi === Number.POSITIVE_INFINITY];
  const form = canonical(position);
  const turned = sameBoard(form, position) ? "" : `, canonical ${formatBoard(form)}`;
  return {
    board: `${formatBoard(position)}${turned}`,
    claimed: none ? `which has no ${side} claim` : `claimed ${formatClaim(side, value).slice(2)}`,
  };
}
