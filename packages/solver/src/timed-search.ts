import { type Bound, isExact, isOpenAbove } from "@gridlock/game";
import type { Kernel } from "@gridlock/kernel/web";
import type { CanonicalNode } from "./canonical-nodes.js";
import type { KnownBounds } from "./known-bounds.js";
import { COSTLY } from "./table-bounds.js";
import { type Guess, nextThreshold } from "./window.js";

/** Most nodes searched before the first look at the clock: about 50 ms. */
const SLICE = 50_000;
/** Nodes per millisecond until a search has shown their number: few, as on a slow device. */
const FIRST_RATE = 100;
/**
 * Most milliseconds between two checks whether to stop: whoever moves on to another board waits for
 * them. Each slice begins again at the root, which costs little with what the slices before have
 * left in the table.
 */
const MOST_SLICE_MS = 20;
/** The part of a budget that is left for a better lower bound if the value cannot be found. */
const CLIMBING_PART = 1 / 4;

/**
 * Narrows bounds of single nodes by search until a deadline, and records them in
 * {@link KnownBounds}.
 */
export class TimedSearch {
  readonly #known: KnownBounds;
  readonly #kernel: Kernel | undefined;
  #begun = 0;
  #deadline = 0;
  #isStopped: (() => boolean) | undefined;
  #hasSearched = false;
  /** Nodes that the last slice searched in a millisecond. */
  #rate = FIRST_RATE;

  /**
   * @param known its stored bounds are loaded into the kernel's table before the first search
   * @param kernel searches; without one, no node is searched
   */
  constructor(known: KnownBounds, kernel: Kernel | undefined) {
    this.#known = known;
    this.#kernel = kernel;
  }

  /** Returns whether a search has run. */
  get hasSearched(): boolean {
    return this.#hasSearched;
  }

  /**
   * Sets the deadline, `budget` seconds from now.
   *
   * @param isStopped returns true to stop before the deadline; called several times a second
   */
  begin(budget: number, isStopped?: () => boolean): void {
    this.#begun = performance.now();
    this.#deadline = this.#begun + 1000 * budget;
    this.#isStopped = isStopped;
  }

  /** Ends the search `seconds` after it began, if that is before the deadline. */
  shorten(seconds: number): void {
    this.#deadline = Math.min(this.#deadline, this.#begun + 1000 * seconds);
  }

  get isTimeUp(): boolean {
    return performance.now() >= this.#deadline;
  }

  /** Records the table's bound of a node, perhaps from other searches; returns the known bound. */
  recall(node: CanonicalNode): Bound {
    const bound = this.#known.of(node);
    if (isExact(bound) || this.#kernel === undefined) return bound;
    return this.#known.prove(node, this.#kernel.look(node));
  }

  /** Searches until a node's value is known or the time is up; returns the known bound. */
  evaluate(node: CanonicalNode, guess: Guess): Bound {
    const bound = this.recall(node);
    if (isExact(bound) || this.#kernel === undefined) return bound;
    const board = this.#known.nodes.boardOf(node);
    const ceilingOf = (known: Bound) =>
      isOpenAbove(known, board) ? known.hi : Number.POSITIVE_INFINITY;
    const now = performance.now();
    const until = now + (1 - CLIMBING_PART) * (this.#deadline - now);
    this.#narrow(node, until, (known) => nextThreshold(known, ceilingOf(known), guess) ?? known.hi);
    // If that took too long, raise the lower bound by thresholds that are easy to prove.
    return this.#narrow(node, this.#deadline, ({ lo, hi }) =>
      Math.min(lo + Math.max(8, 4 * Math.ceil(lo / 16)), hi),
    );
  }

  /** Asks one threshold after another until a node's value is known or the time is up. */
  #narrow(node: CanonicalNode, until: number, next: (known: Bound) => number): Bound {
    for (;;) {
      const known = this.#known.of(node);
      if (isExact(known)) return known;
      const answer = this.ask(node, next(known), until);
      if (answer === undefined) return known;
      this.#known.prove(node, answer);
    }
  }

  /**
   * Asks whether h ≥ threshold; returns a proven bound that decides it, or `undefined` if the time
   * is up, there is no kernel, the threshold is too high for it, or the searches of its table were
   * stopped.
   */
  ask(node: CanonicalNode, threshold: number, until = this.#deadline): Bound | undefined {
    const kernel = this.#kernel;
    if (kernel === undefined || threshold > kernel.highestThreshold) return undefined;
    until = Math.min(until, this.#deadline);
    if (performance.now() >= until || this.#isStopped?.()) return undefined;
    if (!this.#hasSearched) {
      this.#known.stored.warm?.(kernel);
      for (const entry of this.#known.stored.all()) kernel.learn({ ...entry, effort: COSTLY });
      this.#hasSearched = true;
    }
    // Slices grow as far as time allows.
    for (let slice = SLICE; ; slice *= 1.5) {
      const began = performance.now();
      if (began >= until || this.#isStopped?.()) return undefined;
      const most = this.#isStopped ? Math.min(until - began, MOST_SLICE_MS) : until - began;
      slice = Math.max(1, Math.min(slice, this.#rate * most, Number.MAX_SAFE_INTEGER));
      const answer = kernel.ask(node, threshold, slice);
      if (answer !== undefined) return answer;
      // This one had no budget: the searches of the table were stopped, and would be again.
      if (slice === Number.MAX_SAFE_INTEGER) return undefined;
      this.#rate = slice / Math.max(performance.now() - began, 1);
    }
  }
}
