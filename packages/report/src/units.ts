import prettyBytes from "pretty-bytes";
import prettyMilliseconds from "pretty-ms";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The rounding of durations: below each limit to a multiple of a step, all in milliseconds. A
 * duration that rounds up to a limit is shown as the limit, so that 59.97 s is 1 min and never 60.0
 * s.
 */
const ROUNDING = [
  { below: SECOND, step: 1, decimals: 0 },
  { below: 10 * SECOND, step: 10, decimals: 2 },
  { below: MINUTE, step: 100, decimals: 1 },
  { below: HOUR, step: SECOND, decimals: 0 },
  { below: DAY, step: MINUTE, decimals: 0 },
  { below: Number.POSITIVE_INFINITY, step: HOUR, decimals: 0 },
] as const;

/** Returns a duration in its two largest units: `250 ms`, `1.94 s`, `3 min 20 s`, `5 h 12 min`. */
export function formatSeconds(seconds: number): string {
  const { milliseconds, decimals } = round(SECOND * seconds);
  return prettyMilliseconds(milliseconds, {
    unitCount: 2,
    secondsDecimalDigits: decimals,
    keepDecimalsOnWholeSeconds: true,
  }).replace(/(\d)([a-z]+)/g, (_, digit, unit) => `${digit} ${unit === "m" ? "min" : unit}`);
}

/** Returns an estimated duration in words: `3 minutes`, `2 hours 30 minutes`, `40 days`. */
export function formatEstimate(seconds: number): string {
  const { milliseconds } = round(SECOND * seconds);
  return prettyMilliseconds(milliseconds, { unitCount: 2, secondsDecimalDigits: 0, verbose: true });
}

function round(exact: number): { milliseconds: number; decimals: number } {
  let milliseconds = exact;
  for (const { below, step, decimals } of ROUNDING) {
    milliseconds = step * Math.round(exact / step);
    if (milliseconds < below) return { milliseconds, decimals };
  }
  throw new RangeError(`${exact} ms is not a duration; expected a finite number`);
}

/** Formats an estimated time, rounded up to what the estimate is worth: `about 5 min`. */
export function formatLeft(seconds: number): string {
  const [, step] = STEPS.find(([below]) => seconds < below) ?? LAST_STEP;
  const rounded = formatSeconds(step * Math.ceil(seconds / step));
  return `about ${rounded.replace(/\.0+ s$/, " s")}`;
}

/** Limits of {@link formatLeft} in seconds; times below one are rounded to multiples of `step`. */
const STEPS: readonly (readonly [below: number, step: number])[] = [
  [20, 1],
  [60, 10],
  [20 * 60, 60],
  [3 * 3600, 10 * 60],
];
const LAST_STEP = [Number.POSITIVE_INFINITY, 3600] as const;

/** Returns a size in bytes in binary units, to three digits: `64 MiB`. */
export function formatBytes(bytes: number): string {
  return prettyBytes(bytes, { binary: true });
}

/** Returns a stored time, ISO 8601 in UTC, as `2026-01-31 23:59:59`. */
export function formatTime(time: string): string {
  return time.slice(0, 19).replace("T", " ");
}

/** Returns how long ago a stored time was: `12.3 s ago`. */
export function formatAge(time: string): string {
  return `${formatSeconds(Math.max(0, (Date.now() - Date.parse(time)) / SECOND))} ago`;
}
