import type { Game } from "@gridlock/game";
import { type CertifyProgress, estimate } from "@gridlock/solver";
import type { Standing } from "./display.js";
import { printError } from "./visible.js";
import { warmingStanding } from "./warming-standing.js";

/** Claims for each node that the search of a shape is estimated to expand: 0.3 (2×5) to 1 (3×3) were measured. */
const CLAIMS_PER_NODE = 0.5;
/** Part of the most waiting boards below which the proof is past its largest layer, so that few more boards are added. */
const PAST_PEAK = 0.8;

/** The standing of a certificate that is being made. */
export class CertificateStanding {
  readonly #expected: number;
  #latest: Exclude<CertifyProgress, { wait: string }> | undefined;
  #mostWaiting = 0;

  constructor({ shape }: Game) {
    this.#expected = CLAIMS_PER_NODE * estimate(shape).nodes;
  }

  update(progress: CertifyProgress): void {
    if ("wait" in progress) {
      printError(progress.wait);
      return;
    }
    this.#latest = progress;
    if ("waiting" in progress) this.#mostWaiting = Math.max(this.#mostWaiting, progress.waiting);
  }

  look(): Standing {
    const progress = this.#latest;
    if (progress === undefined) return { done: 0, total: 0, text: "reading what is stored" };
    if (!("waiting" in progress)) return warmingStanding(progress);
    const { layer, claims, waiting } = progress;
    const total = claims + waiting;
    const isPastPeak = waiting < PAST_PEAK * this.#mostWaiting;
    const expected = isPastPeak ? total : Math.max(total + waiting, this.#expected);
    return { done: claims, total, text: `tile sum ${layer}`, part: claims / expected };
  }
}
