import type { Bound } from "@gridlock/game";

/** Created once: creating a format takes fifty times as long as using it. */
const NUMBER = new Intl.NumberFormat("en-US");
const TWO_DECIMALS = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** Returns a number with separators of thousands and at most three decimals: `1,234.5`. */
export function formatNumber(number: number): string {
  return NUMBER.format(number);
}

/** Returns a number rounded to an integer, with separators of thousands: `1,234,567`. */
export function formatCount(count: number): string {
  return NUMBER.format(Math.round(count));
}

/** Returns expected points with two decimals: `5,468.49`. */
export function formatPoints(points: number): string {
  return TWO_DECIMALS.format(points);
}

const MAGNITUDES = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
] as const;

/**
 * Returns a count to two digits, or as an integer from 100 on, with its magnitude: `1.2 M`, `180
 * k`.
 */
export function formatRough(count: number): string {
  for (const [size, unit] of MAGNITUDES) {
    const units = count / size;
    const rounded = units.toPrecision(2);
    if (Number(rounded) >= 1) return `${units < 99.5 ? rounded : formatCount(units)} ${unit}`;
  }
  return String(Math.round(count));
}

/** Returns a fraction as a percentage with one decimal: `12.3 %`. */
export function formatPercent(part: number): string {
  return `${(100 * part).toFixed(1)} %`;
}

/** Returns the ratio of two numbers with two decimals: `0.97`. */
export function formatRatio(a: number, b: number): string {
  return (a / b).toFixed(2);
}

/** Returns a value or, while it is unknown, the interval that contains it: `184`, `164 … 184`. */
export function formatBound({ lo, hi }: Bound): string {
  return lo === hi ? String(lo) : `${lo} … ${hi}`;
}
