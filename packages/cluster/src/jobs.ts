import type { Bound } from "@gridlock/game";
import type { Question } from "@gridlock/solver";
import { type Deferred, deferred } from "./deferred.js";

/** A bound that a worker reported for a question. */
export interface Answer {
  readonly worker: string;
  readonly bound: Bound;
}

/** A question that the solver waits for. */
export interface QuestionJob {
  readonly id: string;
  readonly question: Question;
  /** The first worker's answer, while another worker checks it. */
  first: Answer | undefined;
  /** True while this machine decides which of two answers is true. */
  isJudged: boolean;
  readonly answer: Deferred<Bound | undefined>;
}

/**
 * Returns the id of the queued job that a question waits for; `undefined` while the question is
 * being judged.
 */
export function queuedId({ id, first, isJudged }: QuestionJob): string | undefined {
  if (isJudged) return undefined;
  return first === undefined ? id : `${id}_check`;
}

/** The questions of a run that wait for an answer. */
export class Jobs {
  readonly #jobs = new Map<string, QuestionJob>();

  all(): QuestionJob[] {
    return [...this.#jobs.values()];
  }

  /** Returns the question that waits for a job of this id on the queue. */
  waitingFor(id: string): QuestionJob | undefined {
    return this.all().find((job) => queuedId(job) === id);
  }

  /** Opens a question, or returns the open question with this id. */
  open(id: string, question: Question): QuestionJob {
    const known = this.#jobs.get(id);
    if (known) return known;
    const job = {
      id,
      question,
      first: undefined,
      isJudged: false,
      answer: deferred<Bound | undefined>(),
    };
    this.#jobs.set(id, job);
    return job;
  }

  /** Gives a question its answer, and forgets it. */
  settle(job: QuestionJob, bound: Bound | undefined): void {
    this.#jobs.delete(job.id);
    job.answer.resolve(bound);
  }

  /** Fails a question, and forgets it. */
  reject(job: QuestionJob, reason: Error): void {
    this.#jobs.delete(job.id);
    job.answer.reject(reason);
  }
}
