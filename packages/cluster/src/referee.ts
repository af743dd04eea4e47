import { type Bound, type Game, mergeBounds, type PackedNode, seededRandom } from "@gridlock/game";
import type { Question } from "@gridlock/solver";
import type { Logger } from "pino";
import { ClusterError } from "./errors.js";
import type { Answer, Jobs } from "./jobs.js";
import { writeQuestion } from "./messages.js";

export interface RefereeOptions {
  readonly game: Game;
  /** Fraction of answers that another worker proves again, 0 to 1. */
  readonly audit: number;
  /** Seed that selects those answers. */
  readonly seed: number;
  /** The run's jobs, to which audits are added. */
  readonly jobs: Jobs;
  /** Proves an answer about which workers disagree. */
  readonly judge: (question: Question) => Promise<Bound>;
  /** Called when a worker was shut out: no bound found so far can be trusted. */
  readonly onFalse: (reason: ClusterError) => void;
  /** Called when a disagreement cannot be decided. */
  readonly onFailure: (error: Error) => void;
  readonly log: Logger;
}

/**
 * Decides which workers can be trusted: it has answers proven again and, when two contradict each other, this machine
 * proves which one is wrong. By then the false bound may be in any table, since machines share bounds; so an *epoch*
 * ends, and every bound found in it is discarded.
 */
export class Referee {
  readonly #options: RefereeOptions;
  readonly #random: () => number;
  /** All answers of this epoch by their boards; there are few, one for each question. */
  readonly #answers = new Map<string, Answer[]>();
  readonly #shutOut: string[] = [];
  #epoch = 0;
  #judging: Promise<void> | undefined;
  #changed: () => void = () => {};

  constructor(options: RefereeOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed);
  }

  /** The number of times that workers were shut out. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Workers that have been shut out. */
  get shutOut(): readonly string[] {
    return this.#shutOut;
  }

  /** Whether a disagreement is being decided; until then no answer is accepted. */
  get isJudging(): boolean {
    return this.#judging !== undefined;
  }

  /** Returns whether an answer of this epoch may be considered. */
  hears(worker: string): boolean {
    return !this.#shutOut.includes(worker) && !this.isJudging;
  }

  /** Returns whether an answer agrees with earlier ones about the same board; if not, finds out which worker is wrong. */
  isCredible({ turn, board }: Question, answer: Answer): boolean {
    const name = `${turn} ${board}`;
    const before = this.#answers.get(name) ?? [];
    const other = before.find(({ bound }) => !agree(bound, answer.bound));
    if (other) this.#judgeBoth({ turn, board }, [other, answer]);
    else this.#answers.set(name, [...before, answer]);
    return other === undefined;
  }

  /** Selects answers for an audit; returns the audit's id if this one is selected. */
  drawAudit(id: string, question: Question, answer: Answer): string | undefined {
    if (this.#random() >= this.#options.audit) return undefined;
    const name = `audit_${id}`;
    this.#options.jobs.addAudit(name, question, answer);
    return name;
  }

  /** Receives the answer that another worker has proven in an audit. */
  audited(id: string, again: Answer): void {
    const { jobs, log } = this.#options;
    const job = jobs.get(id);
    if (job?.kind !== "audit") return;
    const { audited, question } = job;
    if (audited.worker === again.worker || !answers(question, again.bound)) return;
    jobs.drop(id);
    this.look();
    if (agree(audited.bound, again.bound)) {
      log.info({ job: id, worker: audited.worker, auditor: again.worker }, "audited");
    } else this.#judgeBoth(question, [audited, again]);
  }

  /**
   * Waits for pending audits, until `isOver` or until no worker is left to do the others. Returns the number of audits
   * that were not done.
   *
   * @param hasAuditor returns whether there is a worker to audit this one's answers
   */
  async finish(hasAuditor: (worker: string) => boolean, isOver: () => boolean): Promise<number> {
    const { jobs } = this.#options;
    const canBeDone = () => jobs.audits().some(({ audited }) => hasAuditor(audited.worker));
    while (!isOver() && canBeDone()) {
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
    await this.#judging;
    return jobs.audits().length;
  }

  /** Has {@link finish} check again whether there is anything to wait for. */
  look(): void {
    this.#changed();
  }

  #judgeBoth(node: PackedNode, both: readonly Answer[]): void {
    this.#judging = this.#judge(node, both)
      .finally(() => {
        this.#judging = undefined;
      })
      .then(this.#options.onFalse)
      .catch(this.#options.onFailure)
      .finally(() => this.look());
  }

  /** Shuts out the worker that is wrong, and begins an epoch; returns the reason. */
  async #judge({ turn, board }: PackedNode, both: readonly Answer[]): Promise<ClusterError> {
    // The truth about the higher claim decides which of the two is false.
    const threshold = Math.max(...both.map(({ bound }) => bound.lo));
    const question = { turn, board, threshold };
    const asked = writeQuestion(this.#options.game, question);
    const claims = both.map(({ worker, bound }) => ({ worker, bound }));
    this.#options.log.error({ ...asked, answers: claims }, "two workers disagree");
    const truth = await this.#options.judge(question);
    const wrong = both.filter(({ bound }) => !agree(truth, bound)).map(({ worker }) => worker);
    this.#shutOut.push(...wrong);
    this.#epoch++;
    this.#options.jobs.dropAudits();
    this.#answers.clear();
    return new ClusterError(
      "shut-out",
      `${wrong.join(" and ")} gave a false answer to the question whether ${asked.board} is worth ${threshold}, and ${wrong.length === 1 ? "is" : "are"} shut out`,
    );
  }
}

/** Returns whether a bound answers a question. */
export function answers({ threshold }: Question, { lo, hi }: Bound): boolean {
  return lo >= threshold || hi < threshold;
}

/** Returns whether two bounds of one board can both be true. */
function agree(a: Bound, b: Bound): boolean {
  const { lo, hi } = mergeBounds(a, b);
  return lo <= hi;
}
