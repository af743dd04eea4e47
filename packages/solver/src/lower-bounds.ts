import { type Board, type Bound, isExact } from "@gridlock/game";
import type { AskedThreshold, AskedThresholds } from "@gridlock/store";
import { Growth } from "./growth.js";

/** How far a search for lower bounds goes. */
export interface LowerBounds {
  /** The threshold to ask of all starts before the search ends; default: thresholds by cost. */
  readonly threshold?: number | undefined;
  /** The time when the search will be stopped, as of `performance.now`; default: unknown. */
  readonly until?: number | undefined;
  /** Entries for which the table has room; default: all. */
  readonly entries?: number | undefined;
  /** Called before a question that takes long. */
  readonly onPlan?: (plan: LowerPlan) => void;
}

/** A question that is about to be asked, and what it is expected to take. */
export interface LowerPlan {
  readonly board: Board;
  /** Points. */
  readonly threshold: number;
  /** Nodes that the question takes in all; `undefined` while nothing is known of the growth. */
  readonly nodes: number | undefined;
  /** Nodes of earlier runs that it goes on from, of `nodes`. */
  readonly spent: number;
  /** Seconds that it takes from now on. */
  readonly seconds: number | undefined;
  /** Nodes grow with this power of the threshold. */
  readonly exponent: number | undefined;
  /** The threshold that a larger table would reach in the same time, and the entries it needs. */
  readonly further: { readonly threshold: number; readonly entries: number } | undefined;
  /** The question's purpose: the law of growth, a high bound of one start, or of the others too. */
  readonly kind: "small" | "high" | "other";
}

/** A start whose value is not known. */
interface OpenStart {
  readonly index: number;
  readonly board: Board;
  readonly bound: Bound;
}

/** What the search asks and looks up. */
interface Search {
  /** Returns the starts and their bounds in the order in which they are to be asked. */
  readonly starts: () => readonly OpenStart[];
  /** Asks a question; returns the start's bound, or `undefined` if the question was stopped. */
  readonly ask: (
    index: number,
    threshold: number,
    signal?: AbortSignal,
  ) => Promise<Bound | undefined>;
  /** Returns the nodes expanded so far. */
  readonly nodes: () => number;
  readonly asked: AskedThresholds;
  /** Repeats a write for as long as another process has locked the database. */
  readonly store: (write: () => void) => Promise<void>;
}

/** The first threshold, and the factor between small ones: each takes three times as long. */
const FIRST = 40;
const STEP = 1.25;
/** A small question's part of a high one's budget, from which the growth is known well enough. */
const SMALL_PART = 1 / 15;
/** The same for fewer than four costs, to which no law can be fitted. */
const FEW_PART = 1 / 4;
const FEW = 4;
/** Part of the time left for the high question; the other starts take a third as long. */
const HIGH_PART = 1 / 2;
/** Part of the time left after which a high question is put off for a lower threshold. */
const MOST_PART = 3 / 4;
/** Seconds that a question is to take at first, if nobody has said how long the search may take. */
const SHORT = 60;
/** Seconds of searching after which its speed is known. */
const PACED = 1;
/** Milliseconds between two records of a question's cost. */
const RECORD_MS = 1000;

/** A question to ask next. */
interface Next extends Pick<LowerPlan, "threshold" | "kind"> {
  readonly start: OpenStart;
  /** Seconds after which it is put off. */
  readonly most?: number;
}

/**
 * Raises the lower bounds of starts until it is stopped, until a named threshold has been asked of
 * all, or until all values are known.
 *
 * The starts share nearly everything that a proof needs, while proofs at one threshold help little
 * with the next one above it. So small thresholds are asked of one start, until it shows how the
 * cost grows; then a high one that fits into the time left; and then the same one of the other
 * starts, which take a third as long together. What is asked affects only the time.
 *
 * If the high question takes much longer than expected, it is put off, and a lower one is asked,
 * which gains from its proofs: at nine tenths of the threshold it takes 40 % of the nodes, at seven
 * tenths 66 % (4×4). Where no higher threshold fits into the time left, one is asked that takes
 * twice as long as the last one: a later run goes on from it.
 */
export class LowerBoundSearch {
  readonly #search: Search;
  readonly #limits: LowerBounds;
  readonly #began = performance.now();

  constructor(search: Search, limits: LowerBounds) {
    this.#search = search;
    this.#limits = limits;
  }

  /** Asks one question after another; returns when none is left, or one was stopped. */
  async run(): Promise<void> {
    for (;;) {
      const starts = this.#search.starts();
      // A refuted threshold says nothing of what a proof takes.
      const most = Math.max(...starts.map(({ bound }) => bound.hi));
      const asked = this.#search.asked
        .all()
        .filter(({ answered, threshold }) => answered || threshold <= most);
      const next = this.#next(starts, asked);
      if (next === undefined || !(await this.#ask(next, asked))) return;
    }
  }

  #next(starts: readonly OpenStart[], asked: readonly AskedThreshold[]): Next | undefined {
    const open = starts.filter(({ bound }) => !isExact(bound));
    const level = Math.max(0, ...starts.map(({ bound }) => bound.lo));
    const [first] = open.toSorted((a, b) => b.bound.lo - a.bound.lo);
    if (first === undefined) return undefined;
    const below = (threshold: number) =>
      open.find(({ bound }) => bound.lo < Math.min(threshold, bound.hi));
    const { threshold: named } = this.#limits;
    if (named !== undefined) {
      const start = below(named);
      const kind = level >= named ? "other" : "high";
      return start && { start, threshold: Math.min(named, start.bound.hi), kind };
    }
    const higher = this.#higher(first, level, asked);
    const other = below(level);
    if (higher.kind === "small" || other === undefined) return higher;
    return { start: other, threshold: Math.min(level, other.bound.hi), kind: "other" };
  }

  /** Returns the question that raises the highest bound. */
  #higher(start: OpenStart, level: number, asked: readonly AskedThreshold[]): Next {
    const at = (threshold: number, kind: Next["kind"], most?: number): Next => ({
      start,
      threshold: Math.min(Math.max(threshold, level + 4), start.bound.hi),
      kind,
      ...(most !== undefined && { most }),
    });
    const { until } = this.#limits;
    const now = performance.now();
    const seconds =
      until === undefined
        ? Math.max(SHORT, (now - this.#began) / 1000)
        : Math.max(0, until - now) / 1000;
    const rate = this.#rate(asked);
    const growth = this.#growth(asked);
    const costs = asked.map(({ nodes }) => nodes);
    const part = asked.filter(({ answered }) => answered).length < FEW ? FEW_PART : SMALL_PART;
    const isKnown = costs.some((nodes) => nodes >= part * HIGH_PART * seconds * (rate ?? 0));
    if (rate === undefined || growth === undefined || !isKnown) {
      return at(Math.max(FIRST, 4 * Math.ceil((STEP * level) / 4)), "small");
    }
    const begun = asked.find((one) => !one.answered && one.threshold > level);
    const most = until === undefined ? undefined : MOST_PART * seconds;
    // Proofs for a higher threshold save about half of what a lower one takes.
    const fitting = growth.threshold((begun ? 1 : HIGH_PART) * seconds * rate);
    if (begun) {
      const fits = growth.nodes(begun.threshold) - begun.nodes <= MOST_PART * seconds * rate;
      if (until === undefined || fits || fitting <= level) {
        return at(begun.threshold, "high", fits ? most : undefined);
      }
      return at(Math.min(fitting, begun.threshold - 4), "high", most);
    }
    if (fitting > level) return at(fitting, "high", most);
    return at(growth.threshold(2 * growth.nodes(level)), "high");
  }

  /** Returns the nodes that are expanded in a second, as far as it is known. */
  #rate(asked: readonly AskedThreshold[]): number | undefined {
    const seconds = (performance.now() - this.#began) / 1000;
    if (seconds >= PACED) return this.#search.nodes() / seconds;
    const sum = (of: (one: AskedThreshold) => number) =>
      asked.reduce((all, one) => all + of(one), 0);
    return sum((one) => one.seconds) >= PACED
      ? sum((one) => one.nodes) / sum((one) => one.seconds)
      : undefined;
  }

  /** Asks a question, and records what it takes; returns false if the search was stopped. */
  async #ask(next: Next, asked: readonly AskedThreshold[]): Promise<boolean> {
    const { start, threshold, kind, most } = next;
    const { ask, nodes, store } = this.#search;
    this.#limits.onPlan?.(this.#plan(next, asked));
    if (kind === "other") return (await ask(start.index, threshold)) !== undefined;
    const [before, began] = [nodes(), performance.now()];
    const earlier = asked.find((one) => one.threshold === threshold);
    const record = (answered: boolean) =>
      this.#search.asked.put({
        threshold,
        nodes: (earlier?.nodes ?? 0) + nodes() - before,
        seconds: (earlier?.seconds ?? 0) + (performance.now() - began) / 1000,
        answered,
      });
    const timer = setInterval(() => tryTo(() => record(false)), RECORD_MS);
    const limit = most === undefined ? undefined : AbortSignal.timeout(Math.ceil(1000 * most));
    try {
      const bound = await ask(start.index, threshold, limit);
      await store(() => record(bound !== undefined && bound.lo >= threshold));
      return bound !== undefined || limit?.aborted === true;
    } finally {
      clearInterval(timer);
    }
  }

  #growth(asked: readonly AskedThreshold[]): Growth | undefined {
    const isAny = asked.some(({ answered, nodes }) => answered && nodes > 0);
    return isAny ? new Growth(asked, this.#limits.entries) : undefined;
  }

  #plan({ start, threshold, kind }: Next, asked: readonly AskedThreshold[]): LowerPlan {
    const growth = kind === "other" ? undefined : this.#growth(asked);
    const rate = this.#rate(asked);
    const earlier = kind === "other" ? undefined : asked.find((one) => one.threshold === threshold);
    const spent = earlier?.nodes ?? 0;
    const nodes = growth?.nodes(threshold);
    const reached = growth && nodes && growth.threshold(nodes, "for all");
    return {
      board: start.board,
      threshold,
      kind,
      nodes,
      spent,
      exponent: growth?.exponent,
      seconds: nodes && rate && (nodes - spent) / rate,
      further:
        growth && reached && reached > threshold
          ? { threshold: reached, entries: growth.entries(reached) }
          : undefined,
    };
  }
}

/** Returns whether all starts are solved or proven worth at least `points`; false without these. */
export function isReached(
  starts: readonly { readonly bound: Bound }[],
  points: number | undefined,
): boolean {
  if (points === undefined) return false;
  return starts.every(({ bound }) => bound.lo >= Math.min(points, bound.hi));
}

/** Does what may fail: when the database fails, its next user reports that better. */
function tryTo(action: () => void): void {
  try {
    action();
  } catch {}
}
