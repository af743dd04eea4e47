import { type Board, type Bound, formatBoard, type Node, rowsOf } from "@gridlock/game";
import { formatCount, formatPoints } from "@gridlock/report/numbers";
import type { Answer, Literature, Published } from "../data.js";
import type { GradedMove } from "./grade.js";
import type { Step } from "./moves.js";

/** Formats a number of points: `13,297`, with two decimals if it is not whole. */
export function formatNumber(value: number): string {
  return Number.isInteger(value) ? formatCount(value) : formatPoints(value);
}

/** Begins a sentence with a text. */
export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Returns whether nothing is known of a value. */
export function isUnknown({ lo, hi }: Bound): boolean {
  return lo === 0 && hi === Number.POSITIVE_INFINITY;
}

/** Formats a value, or an open interval: `184`, `180 … 196`, `at least 180`, `not known`. */
export function formatBound({ lo, hi }: Bound): string {
  if (lo === hi) return formatNumber(lo);
  if (Number.isFinite(hi)) return `${formatNumber(lo)} … ${formatNumber(hi)}`;
  return lo > 0 ? `at least ${formatNumber(lo)}` : "not known";
}

/** Formats points given away. Only proven ones count: `12`, `at least 12`, `none proven`. */
export function formatGiven({ lo, hi }: Bound): string {
  if (lo === hi) return formatNumber(lo);
  return lo > 0 ? `at least ${formatNumber(lo)}` : "none proven";
}

/**
 * Formats a value, or an open interval in a few characters: `180 … 181k`, `≥180`, `≤96`, `?`. Its
 * bounds are rounded outwards, so that both stay true.
 */
export function formatShortBound({ lo, hi }: Bound): string {
  if (lo === hi) return formatNumber(lo);
  const [least, most] = [shorten(lo, Math.floor), shorten(hi, Math.ceil)];
  if (!Number.isFinite(hi)) return lo > 0 ? `≥${least}` : "?";
  return lo > 0 ? `${least} … ${most}` : `≤${most}`;
}

/** Formats a value, or one bound of an open interval: `≥180`, `≤96`, `?`. */
export function formatOneBound({ lo, hi }: Bound): string {
  return formatShortBound({ lo, hi: lo === 0 || lo === hi ? hi : Number.POSITIVE_INFINITY });
}

function shorten(value: number, round: (value: number) => number): string {
  if (value < 10_000) return String(value);
  return value < 1_000_000 ? `${round(value / 1000)}k` : `${round(value / 1_000_000)}M`;
}

/** Says a number of points: `1 point`, `between 180 and 196 points`, `at least 180 points`. */
export function points({ lo, hi }: Bound): string {
  if (lo === hi) return `${formatNumber(lo)} point${lo === 1 ? "" : "s"}`;
  if (!Number.isFinite(hi)) return `at least ${formatNumber(lo)} points`;
  return `between ${formatNumber(lo)} and ${formatNumber(hi)} points`;
}

/** Says how good a move is for who makes it, as far as is proven. */
export function gradeWords(turn: Node["turn"], { verdict, cost }: GradedMove): string {
  if (verdict === "best") return "best";
  if (verdict === "as good") return "no better";
  if (verdict === "open") return "may be better";
  return turn === "slider"
    ? `gives away ${formatGiven(cost)}`
    : `gives the slider ${formatGiven(cost)} more`;
}

/**
 * Says what a move is worth in all: `180 points in all`, `448 points or more in all`,
 * `total not known`. It begins with the numbers of the short form, so that whoever names a link by
 * what it shows finds it.
 */
export function totalWords(total: Bound): string {
  if (isUnknown(total)) return "total not known";
  const short = formatShortBound(total);
  const open = { "≥": " or more", "≤": " or fewer" }[short.charAt(0)] ?? "";
  return `${short.replace(/^[≥≤]/, "")} points${open} in all`;
}

/** Says a move: `slide left`, `4 in row 2, column 1`. */
export function moveWords({ name, tile, cell, after }: Step): string {
  if (tile === undefined || cell === undefined) return `slide ${name}`;
  return `${tile} in ${cellWords(after.board, cell)}`;
}

/** Describes a move: `slide left: 180 points in all, gives away 4`. A placement names its cell. */
export function moveLabel(move: GradedMove): string {
  const { tile, cell, after } = move.step;
  const total = totalWords(move.total);
  if (tile === undefined || cell === undefined)
    return `${moveWords(move.step)}: ${total}, ${gradeWords("slider", move)}`;
  return `${tile}: ${total} in ${cellWords(after.board, cell)}, ${gradeWords("placer", move)}`;
}

/** Says where a cell is, counted from 1. */
export function cellWords({ cols }: Pick<Board, "cols">, cell: number): string {
  return `row ${Math.floor(cell / cols) + 1}, column ${(cell % cols) + 1}`;
}

/** Says a move that was made, its points, and what the node after it is worth. */
export function stepWords(step: Step, worth: Bound | undefined): string {
  const made =
    step.tile === undefined
      ? `Slid ${step.name}, ${step.score} points.`
      : `Placed a ${moveWords(step)}.`;
  return `${made} ${nodeWords(step.after, worth)}`;
}

/** Says who moves and what a node is worth. */
export function nodeWords({ turn }: Node, worth: Bound | undefined): string {
  const mover = turn === "slider" ? "Slider to move." : "Placer to move.";
  if (worth === undefined) return mover;
  return isUnknown(worth) ? `${mover} Its value is not known.` : `${mover} Worth ${points(worth)}.`;
}

/** Reads a board aloud, row by row: `row 1: 2, empty, empty; row 2: …`. */
export function boardWords(board: Board): string {
  return rowsOf(board)
    .map((row, i) => `row ${i + 1}: ${row.map((tile) => tile || "empty").join(", ")}`)
    .join("; ");
}

/** Formats a shape for people: `3×3`, or `2×3 with 2s only`. */
export function gameName(shape: string, tiles: readonly number[]): string {
  return shape.replace("x", "×") + (tiles.length === 1 ? " with 2s only" : "");
}

/** Titles a board: `2 0 0/0 4 0/0 0 0, placer to move`. */
export function nodeTitle({ board, turn }: Node): string {
  return `${formatBoard(board)}${turn === "placer" ? ", placer to move" : ""}`;
}

const CONFIRMED_BY: Readonly<Record<Published["confirmations"][number]["kind"], string>> = {
  certificate: "a checked certificate",
  "second-search": "a second search",
  tabulation: "a tabulation",
};

/** Says where a published value stands, and what confirms it. */
function publishedWords({ source, confirmations }: Published): string {
  const kinds = [...new Set(confirmations.map(({ kind }) => CONFIRMED_BY[kind]))];
  if (kinds.length === 0) return `published in ${source}, found by one search`;
  // In British English there is no comma before "and".
  return `published in ${source}, confirmed by ${new Intl.ListFormat("en-GB").format(kinds)}`;
}

/** Says what an answer's value is known from. */
export function sourceWords({ source, published, unsearched }: Answer): string {
  if (source === "published") return published ? publishedWords(published) : "published";
  if (source === "tabulation") return "from a tabulation of all positions";
  if (source === "database") return "from this database";
  if (source === "certificate") return "from a checked certificate";
  const isSearched = source === "search" && unsearched === undefined;
  return isSearched ? "found by a search" : "from the rules alone";
}

/** Says what the literature knows of a value. */
export function literatureWords({ bound, citation }: Literature): string {
  return `at least ${formatNumber(bound)} by the literature (${citation}; not checked here)`;
}
