import type { Bound, Game } from "@gridlock/game";
import type { NodeCounts } from "@gridlock/kernel";
import type { JobPort, Question, StartBound } from "@gridlock/solver";
import type { Logger } from "pino";
import { deferred } from "./deferred.js";
import { JobKeeper } from "./job-keeper.js";
import { JobQueue } from "./job-queue.js";
import { type Answer, Jobs, type QuestionJob } from "./jobs.js";
import { questionId, type RunMessage, writeBound, writeQuestion } from "./messages.js";
import type { Observed } from "./metrics.js";
import type { RedisOptions } from "./redis-options.js";
import { Run, type RunWork } from "./run.js";

export interface CoordinatorOptions {
  readonly redis: RedisOptions;
  readonly game: Game;
  /** Believe an answer only when another worker has proven it too. */
  readonly check: boolean;
  /** Proves an answer about which two workers disagree. */
  readonly judge: (question: Question) => Promise<Bound>;
  readonly log: Logger;
}

/**
 * Answers questions with many machines: questions are jobs on a queue in Redis, each for one
 * worker. Everything on the queue can be recreated: the caller stores proven bounds, and a lost
 * question is queued again.
 *
 * Open it with `await using`, so that the lead is given up on every path.
 */
export class Coordinator implements JobPort, RunWork {
  readonly #options: CoordinatorOptions;
  readonly #jobs = new Jobs();
  readonly #run: Run;
  readonly #queue: JobQueue;
  readonly #keeper: JobKeeper;
  readonly #shutOut: string[] = [];
  #slots = 1;
  #moreSlots = deferred<void>();
  #stopped = false;
  #failure: Error | undefined;

  private constructor(options: CoordinatorOptions) {
    const { redis, game } = options;
    const jobs = this.#jobs;
    this.#options = options;
    this.#run = new Run(options, this);
    const run = this.#run;
    const { client, keys, log } = run;
    this.#queue = new JobQueue({
      ...{ client, redis, keys, log, onError: (error: Error) => run.trouble(error) },
      onCompleted: (id, returned) => void this.#keeper.completed(id, returned),
      onFailed: (id) => void this.#keeper.reconcileSoon(id),
    });
    const queue = this.#queue;
    this.#keeper = new JobKeeper({
      ...{ game, jobs, queue, run, log },
      onAnswer: (job, answer) => this.#answered(job, answer),
    });
  }

  /**
   * Takes the lead of the runs under a prefix. Waits while the server is away.
   *
   * @throws {ClusterError} `busy` if another coordinator has the lead
   */
  static async open(options: CoordinatorOptions): Promise<Coordinator> {
    const coordinator = new Coordinator(options);
    try {
      await coordinator.#run.begin();
      return coordinator;
    } catch (error) {
      await coordinator[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The number of questions that workers can search at once; 1 while there are no workers. */
  get slots(): number {
    return this.#slots;
  }

  async moreSlots(): Promise<void> {
    await this.#moreSlots.promise;
  }

  /** Records the solve's progress, for status readers. */
  progress(starts: readonly StartBound[], questions: number): void {
    this.#run.progress(starts, questions);
  }

  async ask(question: Question): Promise<Bound | undefined> {
    if (this.#failure) throw this.#failure;
    if (this.#stopped) return undefined;
    const job = this.#jobs.open(questionId(this.#options.game, question), question);
    // The worker that takes the job checks that it is open.
    await this.#run.announceSoon();
    void this.#keeper.reconcileSoon(job.id);
    return await job.answer.promise;
  }

  /** Accepts an answer, unless it has to be checked by another worker first. */
  #answered(job: QuestionJob, answer: Answer): void {
    const { worker, bound } = answer;
    const said = { job: job.id, worker, bound: writeBound(bound) };
    if (this.#shutOut.includes(worker)) return;
    if (!answers(job.question, bound)) {
      this.#run.log.warn(said, "ignored an answer to another question");
      return;
    }
    const { first } = job;
    if (!this.#options.check) this.#accept(job, bound);
    else if (first === undefined) this.#check(job, answer);
    else if (first.worker === worker)
      this.#run.log.warn(said, "ignored a check by the same worker");
    else if (agree(job.question, first.bound, bound)) this.#accept(job, weaker(first.bound, bound));
    else void this.#judge(job, [first, answer]);
  }

  #accept(job: QuestionJob, bound: Bound): void {
    this.#run.log.info({ job: job.id, bound: writeBound(bound) }, "answered");
    this.#jobs.settle(job, bound);
    void this.#run.announceSoon();
  }

  #check(job: QuestionJob, first: Answer): void {
    job.first = first;
    void this.#run.announceSoon();
    void this.#keeper.reconcileSoon(`${job.id}_check`);
  }

  /** Proves an answer here, and shuts out the worker that is wrong. */
  async #judge(job: QuestionJob, both: readonly Answer[]): Promise<void> {
    const { question } = job;
    const asked = writeQuestion(this.#options.game, question);
    const { log } = this.#run;
    log.error({ ...asked, workers: both.map(({ worker }) => worker) }, "two workers disagree");
    job.isJudged = true;
    try {
      const truth = await this.#options.judge(question);
      const wrong = both.filter(({ bound }) => !agree(question, truth, bound));
      for (const { worker } of wrong) {
        log.error(asked, `${worker} gave a false answer and is shut out`);
        this.#shutOut.push(worker);
      }
      for (const open of this.#jobs.all()) {
        if (open.first && this.#shutOut.includes(open.first.worker)) open.first = undefined;
      }
      this.#accept(job, truth);
    } catch (error) {
      this.fail(error as Error);
    }
  }

  describe(): Pick<RunMessage, "open" | "shutOut"> {
    return { open: this.#keeper.open(), shutOut: [...this.#shutOut] };
  }

  isBusy(): boolean {
    return this.#jobs.all().length > 0;
  }

  async begin(): Promise<void> {
    await this.#keeper.begin();
  }

  async beat(): Promise<void> {
    const workers = this.#run.roster.names.length;
    const more = workers > this.#slots;
    this.#slots = Math.max(1, workers);
    if (more) {
      this.#moreSlots.resolve();
      this.#moreSlots = deferred();
    }
    await this.#keeper.reconcileAll();
  }

  /** Returns the state from which metrics are made. */
  observe(): Observed {
    return this.#run.observe();
  }

  fail(error: Error): void {
    this.#failure ??= error;
    for (const job of this.#jobs.all()) this.#jobs.reject(job, error);
  }

  stop(): void {
    this.#stopped = true;
    for (const job of this.#jobs.all()) {
      this.#keeper.withdraw(job);
      this.#jobs.settle(job, undefined);
    }
    void this.#run.announceSoon();
  }

  counts(): NodeCounts {
    return this.#run.counts;
  }

  /**
   * Removes the queue, gives up the lead and disconnects. If the server is away, the next run empties the queue.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    const leads = await this.#run.rest();
    if (leads) {
      await this.#keeper
        .end()
        .catch((error: Error) => this.#run.log.debug({ error: error.message }, "not tidied"));
    }
    await this.#run[Symbol.asyncDispose]();
    await this.#queue[Symbol.asyncDispose]();
  }
}

/** Returns whether a bound answers a question. */
function answers({ threshold }: Question, { lo, hi }: Bound): boolean {
  return lo >= threshold || hi < threshold;
}

/** Returns whether two bounds give the same answer to a question. */
function agree({ threshold }: Question, a: Bound, b: Bound): boolean {
  return a.lo >= threshold === b.lo >= threshold;
}

/**
 * Returns the bound that both workers claim: a false bound may answer the question correctly, yet
 * claim too much.
 */
function weaker(a: Bound, b: Bound): Bound {
  return { lo: Math.min(a.lo, b.lo), hi: Math.max(a.hi, b.hi) };
}
