import { type Bound, formatShape, type Game, isExact } from "@gridlock/game";
import Table from "cli-table3";

/** A value, or where it is not known the interval it is in. */
export function formatBound({ lo, hi }: Bound): string {
  return lo === hi ? String(lo) : `${lo} … ${hi}`;
}

/** The value of a bound as JSON gives it: null while it is not known. */
export function provenValue(bound: Bound): number | null {
  return isExact(bound) ? bound.lo : null;
}

/** A game as JSON gives it. */
export function gameAsJson({ shape, tiles }: Game) {
  return { shape: formatShape(shape), tiles };
}

/** 1234567 as `1,234,567`. */
export function formatCount(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}

/** Made once: making one for each number takes fifty times as long as the number. */
const TWO_DECIMALS = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** Points that are to be expected: `5,468.49`. */
export function formatPoints(points: number): string {
  return TWO_DECIMALS.format(points);
}

/** A count to two digits with its magnitude: `180 k`, `1.2 M`. */
export function formatRough(count: number): string {
  for (const [size, unit] of [
    [1e12, "T"],
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ] as const) {
    if (count >= size) return `${(count / size).toPrecision(count >= 100 * size ? 3 : 2)} ${unit}`;
  }
  return String(Math.round(count));
}

/** Bytes as `64 MiB`. */
export function formatBytes(bytes: number): string {
  for (const [size, unit] of [
    [2 ** 40, "TiB"],
    [2 ** 30, "GiB"],
    [2 ** 20, "MiB"],
    [2 ** 10, "KiB"],
  ] as const) {
    if (bytes >= size) return `${Number((bytes / size).toPrecision(3))} ${unit}`;
  }
  return `${bytes} bytes`;
}

/** Seconds as `0.12 s`, `3 min 20 s`, `5 h`, `40 days`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(2)} s`;
  if (seconds < 100) return `${seconds.toFixed(1)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  if (seconds < 48 * 3600) return `${(seconds / 3600).toPrecision(2)} h`;
  return `${formatCount(seconds / 86_400)} days`;
}

/** A time as it is stored, ISO 8601 in UTC, as `2026-01-31 23:59:59`. */
export function formatTime(time: string): string {
  return time.slice(0, 19).replace("T", " ");
}

/** How long ago a stored time was: `12.3 s ago`. */
export function formatAge(time: string): string {
  return `${formatSeconds(Math.max(0, (Date.now() - Date.parse(time)) / 1000))} ago`;
}

/** A plain table with a heading, columns of numbers on the right. */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string {
  const table = new Table({
    head: [...head],
    colAligns: head.map((_, i) => (right.includes(i) ? "right" : "left")),
    style: { head: [], border: [], "padding-left": 0, "padding-right": 2 },
    chars: {
      ...{ top: "", "top-mid": "", "top-left": "", "top-right": "" },
      ...{ bottom: "", "bottom-mid": "", "bottom-left": "", "bottom-right": "" },
      ...{ left: "", "left-mid": "", mid: "", "mid-mid": "" },
      ...{ right: "", "right-mid": "", middle: "" },
    },
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}
