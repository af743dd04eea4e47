import type { PackedNode } from "@gridlock/game";
import { type Bound, type Game, mergeBounds, seededRandom } from "@gridlock/game";
import type { Question } from "@gridlock/solver";
import type { Logger } from "pino";
import { ClusterError } from "./errors.js";
import { writeQuestion } from "./messages.js";

/** What a worker has said of a board. */
export interface Answer {
  readonly worker: string;
  readonly bound: Bound;
}

/** An answer that another worker is to prove again. */
interface Audit extends Answer {
  readonly question: Question;
}

export interface RefereeOptions {
  readonly game: Game;
  /** Part of the answers that another worker is to prove again, 0 to 1. */
  readonly audit: number;
  /** Determines which those are. */
  readonly seed: number;
  /** Proves an answer about which workers disagree. */
  readonly judge: (question: Question) => Promise<Bound>;
  /** Is told when a worker was shut out: what was learned until now is not to be relied upon. */
  readonly onFalse: (reason: ClusterError) => Promise<void>;
  /** Is told when that cannot be found out. */
  readonly onFailure: (error: Error) => void;
  readonly log: Logger;
}

/**
 * Finds out which workers are to be believed: has answers proven again, and when two contradict each other has it
 * proven here who is wrong. A false bound may be anywhere by then, since machines share what they find; so an
 * *epoch* ends, and nothing that was learned in it counts.
 */
export class Referee {
  readonly #options: RefereeOptions;
  readonly #random: () => number;
  readonly #audits = new Map<string, Audit>();
  /** All answers of this epoch by their boards: few, since a question has one. */
  readonly #answers = new Map<string, Answer[]>();
  readonly #shutOut: string[] = [];
  #epoch = 0;
  #judging: Promise<void> | undefined;
  #changed: () => void = () => {};

  constructor(options: RefereeOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed);
  }

  /** How often a worker was shut out. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Workers that are not believed any more. */
  get shutOut(): readonly string[] {
    return this.#shutOut;
  }

  /** Whether it is being found out who is wrong; until then no answer counts. */
  get isJudging(): boolean {
    return this.#judging !== undefined;
  }

  /** The answers that are to be proven again, by the ids of the jobs that do so. */
  get audits(): ReadonlyMap<string, Audit> {
    return this.#audits;
  }

  /** Whether an answer of this epoch may be looked at. */
  hears(worker: string): boolean {
    return !this.#shutOut.includes(worker) && !this.isJudging;
  }

  /** Whether an answer agrees with those before it about the same board; if not, finds out who is wrong. */
  isCredible({ turn, board }: Question, answer: Answer): boolean {
    const name = `${turn} ${board}`;
    const before = this.#answers.get(name) ?? [];
    const other = before.find(({ bound }) => !agree(bound, answer.bound));
    if (other) this.#judgeBoth({ turn, board }, [other, answer]);
    else this.#answers.set(name, [...before, answer]);
    return other === undefined;
  }

  /** Decides whether an answer is to be proven again; returns the id of the job for that. */
  drawAudit(id: string, audit: Audit): string | undefined {
    if (this.#random() >= this.#options.audit) return undefined;
    const name = `audit_${id}`;
    this.#audits.set(name, audit);
    return name;
  }

  /** Takes what another worker has proven in an audit. */
  audited(id: string, again: Answer): void {
    const audit = this.#audits.get(id);
    if (!audit || audit.worker === again.worker || !answers(audit.question, again.bound)) return;
    this.giveUp(id);
    if (agree(audit.bound, again.bound)) {
      const { log } = this.#options;
      log.info({ job: id, worker: audit.worker, auditor: again.worker }, "audited");
    } else this.#judgeBoth(audit.question, [audit, again]);
  }

  /** An audit will not be done. */
  giveUp(id: string): void {
    if (this.#audits.delete(id)) this.look();
  }

  /**
   * Waits for the audits that are under way, until there is no worker for those that are left, or `isOver`; returns
   * how many are left.
   *
   * @param hasAuditor whether there is a worker to audit this one's answers
   */
  async finish(hasAuditor: (worker: string) => boolean, isOver: () => boolean): Promise<number> {
    while (this.#audits.size > 0 && !isOver()) {
      if (![...this.#audits.values()].some(({ worker }) => hasAuditor(worker))) break;
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
    await this.#judging;
    return this.#audits.size;
  }

  /** Has {@link finish} look again whether there is anything to wait for. */
  look(): void {
    this.#changed();
  }

  #judgeBoth(node: PackedNode, both: readonly Answer[]): void {
    this.#judging = this.#judge(node, both)
      .catch(this.#options.onFailure)
      .finally(() => {
        this.#judging = undefined;
      });
  }

  async #judge({ turn, board }: PackedNode, both: readonly Answer[]): Promise<void> {
    // Whether the higher claim holds tells which of the two is false.
    const threshold = Math.max(...both.map(({ bound }) => bound.lo));
    const question = { turn, board, threshold };
    const asked = writeQuestion(this.#options.game, question);
    const told = both.map(({ worker, bound }) => ({ worker, bound }));
    this.#options.log.error({ ...asked, answers: told }, "two workers disagree");
    const truth = await this.#options.judge(question);
    const wrong = both.filter(({ bound }) => !agree(truth, bound)).map(({ worker }) => worker);
    this.#shutOut.push(...wrong);
    this.#epoch++;
    this.#audits.clear();
    this.#answers.clear();
    await this.#options.onFalse(
      new ClusterError(
        "shut-out",
        `${wrong.join(" and ")} gave a false answer to the question whether ${asked.board} is worth ${threshold}, and ${wrong.length === 1 ? "is" : "are"} shut out`,
      ),
    );
    this.look();
  }
}

/** Whether a bound answers a question. */
export function answers({ threshold }: Question, { lo, hi }: Bound): boolean {
  return lo >= threshold || hi < threshold;
}

/** Whether two bounds of one board can both be true. */
function agree(a: Bound, b: Bound): boolean {
  const { lo, hi } = mergeBounds(a, b);
  return lo <= hi;
}
