import { type Bound, mergeBounds } from "@gridlock/game";
import type { Question } from "@gridlock/solver";
import { type Part, settledByParts } from "./parts.js";

/** A bound that a worker reported for a question. */
export interface Answer {
  readonly worker: string;
  readonly bound: Bound;
}

/** A question that the solver waits for. */
export interface QuestionJob {
  readonly kind: "question";
  readonly id: string;
  readonly question: Question;
  /** When it was asked, in milliseconds of `performance.now`. */
  readonly since: number;
  /** The subtrees of its first moves; none until it is split. */
  parts: readonly Part[];
  readonly answer: Promise<Bound | undefined>;
  readonly resolve: (bound: Bound | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** The audit of an answer: another worker proves it again. */
interface AuditJob {
  readonly kind: "audit";
  readonly id: string;
  readonly question: Question;
  readonly audited: Answer;
}

/** A part of one or more open questions, for workers that would be idle. */
interface SubtreeJob {
  readonly kind: "subtree";
  readonly id: string;
  readonly question: Question;
}

/** A job that is still needed, of one of three kinds. */
export type Job = QuestionJob | AuditJob | SubtreeJob;

/** The jobs of a run that are still needed, by their ids. */
export class Jobs {
  readonly #jobs = new Map<string, Job>();

  get(id: string): Job | undefined {
    return this.#jobs.get(id);
  }

  /** All jobs: questions first, then audits, then subtrees. */
  all(): Job[] {
    return [...this.questions(), ...this.audits(), ...this.#of("subtree")];
  }

  questions(): QuestionJob[] {
    return this.#of("question");
  }

  audits(): AuditJob[] {
    return this.#of("audit");
  }

  #of<Kind extends Job["kind"]>(kind: Kind): Extract<Job, { kind: Kind }>[] {
    const jobs = [...this.#jobs.values()];
    return jobs.filter((job): job is Extract<Job, { kind: Kind }> => job.kind === kind);
  }

  /** Opens a question, or returns the open question with this id. */
  open(id: string, question: Question): QuestionJob {
    const known = this.#jobs.get(id);
    if (known?.kind === "question") return known;
    const { promise: answer, resolve, reject } = deferred<Bound | undefined>();
    const since = performance.now();
    const job = {
      kind: "question",
      id,
      question,
      since,
      parts: [],
      answer,
      resolve,
      reject,
    } as const;
    this.#jobs.set(id, job);
    return job;
  }

  /** Adds the parts of a question as jobs, except those that are open as questions. */
  split(job: QuestionJob, parts: readonly Part[]): void {
    job.parts = parts;
    for (const { id, question } of parts) {
      if (!this.#jobs.has(id)) this.#jobs.set(id, { kind: "subtree", id, question });
    }
  }

  addAudit(id: string, question: Question, audited: Answer): void {
    this.#jobs.set(id, { kind: "audit", id, question, audited });
  }

  /**
   * Records a bound proven for a question or a part. Settles the question, and each question that now follows from its
   * parts; returns the ids of the jobs that are no longer needed.
   */
  answer(id: string, bound: Bound): string[] {
    const job = this.#jobs.get(id);
    const dropped: string[] = [];
    if (job?.kind === "question") dropped.push(...this.settle(job, bound));
    if (job?.kind === "subtree") dropped.push(...this.drop(id));
    for (const parent of this.questions()) {
      const part = parent.parts.find((one) => one.id === id);
      if (!part) continue;
      part.bound = mergeBounds(part.bound, bound);
      const follows = settledByParts(parent.question, parent.parts);
      if (follows) dropped.push(...this.settle(parent, follows));
    }
    return dropped;
  }

  /** Gives a question its answer; returns the ids of the jobs that are no longer needed. */
  settle(job: QuestionJob, bound: Bound | undefined): string[] {
    job.resolve(bound);
    return this.#close(job);
  }

  /** Gives up a job. The bound of a part stays unknown, but its question can still be answered directly. */
  drop(id: string): string[] {
    const job = this.#jobs.get(id);
    if (job?.kind === "question") return this.#close(job);
    return this.#jobs.delete(id) ? [id] : [];
  }

  /** Removes a question, and its parts unless another question needs them. */
  #close(job: QuestionJob): string[] {
    this.#jobs.delete(job.id);
    const needed = new Set(this.questions().flatMap(({ parts }) => parts.map(({ id }) => id)));
    const parts = job.parts
      .map(({ id }) => id)
      .filter((id) => !needed.has(id) && this.#jobs.get(id)?.kind === "subtree");
    for (const id of parts) this.#jobs.delete(id);
    return [job.id, ...parts];
  }

  dropAudits(): void {
    for (const { id } of this.audits()) this.#jobs.delete(id);
  }

  /** Fails every open question; forgets them and their parts. */
  rejectAll(reason: Error): void {
    for (const job of this.questions()) {
      this.#close(job);
      job.reject(reason);
    }
  }
}

function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  promise.catch(() => {}); // whoever awaits it gets the error, perhaps later
  return { promise, resolve, reject };
}
