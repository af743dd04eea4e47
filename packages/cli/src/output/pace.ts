/** Seconds, and part of the work, after which an estimate begins to mean something. */
export const FIRST_SECONDS = 2;
const FIRST_PART = 0.01;

/** The pace of some work since it was first looked at. */
export class Pace {
  #first: { readonly part: number; readonly now: number } | undefined;

  /**
   * Estimates the seconds that the work still takes at its pace so far; `undefined` as long as that
   * says nothing.
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
