import { formatSeconds } from "@gridlock/report";

/** Seconds, and part of the work, after which an estimate begins to mean something. */
const FIRST_SECONDS = 2;
const FIRST_PART = 0.01;

/** The pace of some work since it was first looked at. */
export class Pace {
  #first: { readonly part: number; readonly now: number } | undefined;

  /**
   * Estimates the seconds that the work still takes at its pace so far; `undefined` as long as that says nothing.
   *
   * @param part the part of the work that is done, 0 to 1
   * @param now milliseconds of `performance.now`
   */
  left(part: number, now = performance.now()): number | undefined {
    this.#first ??= { part, now };
    const done = part - this.#first.part;
    const seconds = (now - this.#first.now) / 1000;
    if (seconds < FIRST_SECONDS || done < FIRST_PART) return undefined;
    return (seconds * (1 - part)) / done;
  }
}

/** Formats an estimated time, rounded up to what the estimate is worth: `about 5 min left`. */
export function formatLeft(seconds: number): string {
  const [, step] = STEPS.find(([below]) => seconds < below) ?? LAST_STEP;
  const rounded = formatSeconds(step * Math.ceil(seconds / step));
  return `about ${rounded.replace(/\.0+ s$/, " s")} left`;
}

/** Limits in seconds; a time below one is rounded to a multiple of the second number. */
const STEPS: readonly (readonly [below: number, step: number])[] = [
  [20, 1],
  [60, 10],
  [20 * 60, 60],
  [3 * 3600, 10 * 60],
];
const LAST_STEP = [Number.POSITIVE_INFINITY, 3600] as const;
