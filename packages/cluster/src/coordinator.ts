import type { Bound } from "@gridlock/game";
import type { AnswerMessage, RunMessage } from "@gridlock/schemas/cluster";
import type { JobPort, Question } from "@gridlock/solver";
import { AnswerTaker, emptyQueue } from "./answer-queue.js";
import { Groups } from "./groups.js";
import { mend } from "./mend.js";
import { questionId, read, readBound, writeBound, writeQuestion } from "./messages.js";
import { Run, type RunOptions } from "./run.js";

/** Options of a coordinator. */
export interface CoordinatorOptions extends RunOptions {
  /** Believe an answer only when two groups of workers that share nothing have proven it. */
  readonly check: boolean;
  /** Proves an answer about which two groups disagree. */
  readonly judge: (question: Question) => Promise<Bound>;
}

/** The question under way. */
interface OpenQuestion {
  readonly id: string;
  readonly question: Question;
  /** The answers, by group. */
  readonly answers: Map<string, Bound>;
  /** True while this machine decides which of two answers is true. */
  isJudged: boolean;
  readonly resolve: (bound: Bound | undefined) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Answers questions with many machines: all workers search the question under way, and share the
 * bounds that they prove. Everything in Redis can be recreated: the caller stores proven bounds, the
 * question is announced every second, and workers repeat their answers.
 *
 * Open it with `await using`, so that the lead is given up on every path.
 */
export class Coordinator extends Run implements JobPort {
  readonly #options: CoordinatorOptions;
  readonly #taker: AnswerTaker;
  readonly #groups: Groups;
  readonly #shutOut: string[] = [];
  #open: OpenQuestion | undefined;
  #stopped = false;
  #failure: Error | undefined;

  private constructor(options: CoordinatorOptions) {
    super(options);
    this.#options = options;
    this.#groups = new Groups(options.check);
    const { keys, log } = this;
    this.#taker = new AnswerTaker({
      ...{ redis: options.redis, keys, log },
      onAnswer: (data) => this.#received(data),
      onRefusal: (error) => this.trouble(error),
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
      await coordinator.begin();
      return coordinator;
    } catch (error) {
      await coordinator[Symbol.asyncDispose]();
      throw error;
    }
  }

  /**
   * Answers a question; the one before must have ended.
   *
   * @throws {Error} the reason why the run has failed (rejects)
   */
  async ask(question: Question): Promise<Bound | undefined> {
    if (this.#failure) throw this.#failure;
    if (this.#stopped) return undefined;
    const id = questionId(this.#options.game, question);
    const answers = new Map<string, Bound>();
    return await new Promise((resolve, reject) => {
      this.#open = { id, question, answers, isJudged: false, resolve, reject };
      void this.announceSoon();
    });
  }

  /** Takes an answer from the queue. */
  #received(data: unknown): void {
    const { log, id } = this;
    let message: AnswerMessage;
    try {
      message = read("answer", data);
    } catch (error) {
      log.warn({ error: (error as Error).message }, "ignored an answer");
      return;
    }
    const { worker, counts, run } = message;
    if (run !== id) return;
    this.count(worker, counts);
    if (message.question === this.#open?.id) this.#answered(this.#open, message);
  }

  /** Accepts an answer, unless another group has to give it too. */
  #answered(open: OpenQuestion, { worker, group, ...answer }: AnswerMessage): void {
    const bound = readBound(answer.bound);
    if (open.isJudged || this.#shutOut.includes(worker)) return;
    if (!this.#groups.find(group)?.workers.includes(worker)) return;
    if (open.answers.has(group)) return;
    if (!answers(open.question, bound)) {
      this.log.warn({ question: open.id, worker }, "ignored an answer to another question");
      return;
    }
    open.answers.set(group, bound);
    const [first, second] = [...open.answers.values()];
    if (!this.#options.check) this.#accept(open, bound);
    else if (first === undefined || second === undefined) void this.announceSoon();
    else if (agree(open.question, first, second)) this.#accept(open, weaker(first, second));
    else void this.#judge(open);
  }

  #accept(open: OpenQuestion, bound: Bound): void {
    this.log.info({ question: open.id, bound: writeBound(bound) }, "answered");
    this.#close(open);
    open.resolve(bound);
  }

  #close(open: OpenQuestion): void {
    if (this.#open !== open) return;
    this.#open = undefined;
    void this.announceSoon();
  }

  /** Proves an answer here, and shuts out the workers of the group that is wrong. */
  async #judge(open: OpenQuestion): Promise<void> {
    const { question, answers } = open;
    const { log } = this;
    const asked = writeQuestion(this.#options.game, question);
    log.error(asked, "two groups of workers disagree; proving the answer here");
    open.isJudged = true;
    const groups = [...answers].map(([id, bound]) => ({
      bound,
      workers: this.#groups.find(id)?.workers ?? [],
    }));
    try {
      const truth = await this.#options.judge(question);
      for (const { bound, workers } of groups) {
        if (agree(question, truth, bound)) continue;
        log.error({ ...asked, workers }, "these workers gave a false answer and are shut out");
        this.#shutOut.push(...workers);
      }
      this.#accept(open, truth);
    } catch (error) {
      this.fail(error as Error);
    }
  }

  protected describe(): Pick<RunMessage, "check" | "question" | "groups" | "shutOut"> {
    const open = this.#open;
    const isAsked = open !== undefined && !open.isJudged;
    return {
      check: this.#options.check,
      question: isAsked
        ? { id: open.id, ...writeQuestion(this.#options.game, open.question) }
        : null,
      groups: this.#groups.all.map(({ id, workers }) => ({
        id,
        workers: [...workers],
        answered: open?.answers.has(id) ?? false,
      })),
      shutOut: [...this.#shutOut],
    };
  }

  protected isBusy(): boolean {
    return this.#open !== undefined;
  }

  protected async prepare(): Promise<void> {
    await this.mend();
    await emptyQueue(this.client, this.keys);
    this.#taker.start();
  }

  protected beat(): void {
    const { names } = this.roster;
    if (this.#groups.update(names)) this.#open?.answers.clear();
    this.#taker.tryAgain();
  }

  protected async mend(): Promise<void> {
    const { client, keys, log, roster } = this;
    const removed = await mend(client, keys, roster.names);
    if (removed.length > 0) log.warn({ keys: removed }, "removed keys of the wrong type");
  }

  protected fail(error: Error): void {
    this.#failure ??= error;
    const open = this.#open;
    this.#open = undefined; // without an announcement: another run may have the lead
    open?.reject(error);
  }

  stop(): void {
    this.#stopped = true;
    const open = this.#open;
    if (!open) return;
    this.#close(open);
    open.resolve(undefined);
  }

  /**
   * Removes the queue, gives up the lead and disconnects. If the server is away, the next run empties the queue.
   */
  override async [Symbol.asyncDispose](): Promise<void> {
    const { client, keys, log } = this;
    const leads = await this.rest();
    await this.#taker[Symbol.asyncDispose]();
    if (leads) {
      await emptyQueue(client, keys).catch((error: Error) =>
        log.debug({ error: error.message }, "not tidied"),
      );
    }
    await super[Symbol.asyncDispose]();
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
 * Returns the bound that both groups claim: a false bound may answer the question correctly, yet
 * claim too much.
 */
function weaker(a: Bound, b: Bound): Bound {
  return { lo: Math.min(a.lo, b.lo), hi: Math.max(a.hi, b.hi) };
}
