import { formatCount, formatLeft, formatRough, formatSeconds } from "@gridlock/report";
import { Pace } from "./pace.js";
import { printError } from "./print.js";
import { visibleLine } from "./visible.js";

/** A display of progress on standard error. */
export interface Display extends Disposable {
  /** Sets the progress to display from now on. */
  show(standing: Standing): void;
  /** Clears the line of a bar; a second call does nothing. */
  stop(): void;
}

/** The progress of some work. */
export interface Standing {
  /** The unit of the counts where it is not the display's. */
  readonly unit?: string;
  readonly done: number;
  /** 0 as long as nothing can be counted. */
  readonly total: number;
  /** Details in words: first the work, or the rate; a narrow terminal leaves out the last ones. */
  readonly text?: string | readonly string[];
  /** The part done, 0 to 1, once known; default: the counts' ratio, and no estimate of the time. */
  readonly part?: number | undefined;
  /** Seconds left, null if unknown; default: estimated from `part` and the pace so far. */
  readonly left?: number | null | undefined;
}

/** Options of a display of progress. */
export interface DisplayOptions {
  /** Stops the display. */
  readonly signal?: AbortSignal;
  /** True to show nothing. */
  readonly quiet?: boolean | undefined;
}

/** Returns the standing of work whose items take equally long, for an estimate of the time left. */
export function steady(done: number, total: number): Standing {
  return { done, total, part: total === 0 ? undefined : done / total };
}

/** Milliseconds between two frames of a bar, and between two lines in a pipe. */
const FRAME_MS = 100;
const LINE_MS = 2000;
/** Totals from which counts are rounded, so that they leave room. */
const LARGE = 1e6;
/** Columns of the bar, of the bar with the blanks beside it, and of a terminal of unknown width. */
const BAR = 10;
const BAR_COLUMNS = BAR + 4;
const COLUMNS = 80;
/** The sequence that clears the rest of a terminal's line. */
const CLEAR_LINE = "\u001b[K";

/**
 * Displays progress on standard error: a bar on a terminal, a line every {@link LINE_MS} elsewhere.
 * The bar changes no mode of the terminal, since a process that is killed cannot restore it.
 *
 * @param unit the unit of the counts: `starts`, `claims`
 * @param first the progress at the beginning, or a function that returns it, called for each frame
 *   or line
 */
export function showWork(
  name: string,
  unit: string,
  first: Standing | (() => Standing),
  { signal, quiet = false }: DisplayOptions = {},
): Display {
  let latest = first;
  const displayOf = (end: () => void): Display => {
    let isShown = true;
    const stop = () => {
      signal?.removeEventListener("abort", stop);
      if (isShown) end();
      isShown = false;
    };
    signal?.addEventListener("abort", stop);
    const show = (standing: Standing) => {
      latest = standing;
    };
    return { show, stop, [Symbol.dispose]: stop };
  };
  if (quiet) return displayOf(() => {});
  const look = () => (typeof latest === "function" ? latest() : latest);
  const began = performance.now();
  let pace = new Pace();
  let pacedUnit = unit;
  const describe = ({ unit: counted = unit, done, total, text, part, left }: Standing) => {
    if (counted !== pacedUnit) [pace, pacedUnit] = [new Pace(), counted];
    const time = formatSeconds((performance.now() - began) / 1000);
    const formatted = total < LARGE ? formatCount : formatRough;
    const count = total > 0 ? `${formatted(done)}/${formatted(total)} ${counted}` : undefined;
    const paced = part === undefined ? undefined : pace.left(part);
    const rest = left === undefined ? paced : left;
    const estimate = rest === undefined || rest === null ? undefined : `${formatLeft(rest)} left`;
    const [first, ...others] = text === undefined ? [] : [text].flat();
    return { count, time, first, others: estimate === undefined ? others : [estimate, ...others] };
  };
  const { stderr, env } = process;
  const { TERM } = env;
  if (!stderr.isTTY || TERM === "dumb") {
    const print = (text: string) => printError(`${name}: ${text}`);
    const timer = setInterval(() => print(fittingFacts(describe(look()))), LINE_MS);
    return displayOf(() => clearInterval(timer));
  }
  const shown = visibleLine(name);
  const draw = () => {
    const standing = look();
    const { done, total, part = done / Math.max(total, 1) } = standing;
    const columns = stderr.columns || COLUMNS;
    const text = fittingFacts(describe(standing), columns - shown.length - BAR_COLUMNS);
    const full = Math.round(BAR * Math.min(Math.max(part, 0), 1));
    const bar = "█".repeat(full) + "░".repeat(BAR - full);
    const line = ` ${shown} ${bar} ${visibleLine(text)}`;
    // A terminal would go on in its next line after one that fills all columns.
    stderr.write(`\r${line.slice(0, columns - 1)}${CLEAR_LINE}`);
  };
  draw();
  const timer = setInterval(draw, FRAME_MS);
  return displayOf(() => {
    clearInterval(timer);
    stderr.write(`\r${CLEAR_LINE}`);
  });
}

/** The parts of a line of progress, in the order in which they are shown. */
interface Facts {
  readonly count: string | undefined;
  readonly time: string;
  /** The first detail: what is being done, or the rate. */
  readonly first: string | undefined;
  readonly others: readonly string[];
}

/** Joins the facts that fit: always the count and first detail, then the time, then the others. */
export function fittingFacts(
  { count, time, first, others }: Facts,
  columns = Number.POSITIVE_INFINITY,
): string {
  const join = (...facts: (string | undefined)[]) =>
    facts.filter((fact) => fact !== undefined).join(", ");
  const whole = join(count, time, first);
  let text = whole.length <= columns ? whole : join(count, first) || time;
  for (const fact of others) {
    if (text.length + 2 + fact.length > columns) break;
    text += `, ${fact}`;
  }
  return text;
}
