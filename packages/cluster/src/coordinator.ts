import { setTimeout as sleep } from "node:timers/promises";
import type { Bound, Game } from "@gridlock/game";
import type { NodeCounts } from "@gridlock/kernel";
import type { JobPort, Question, StartBound } from "@gridlock/solver";
import type { Logger } from "pino";
import { connect, type RedisClient } from "./connection.js";
import { ControlChannel } from "./control.js";
import { ClusterError } from "./errors.js";
import { JobKeeper } from "./job-keeper.js";
import { JobQueue } from "./job-queue.js";
import { Jobs } from "./jobs.js";
import { type Keys, keysOf } from "./keys.js";
import { Lead } from "./lead.js";
import {
  BEAT_MS,
  type ControlMessage,
  GONE_MS,
  questionId,
  readBound,
  type Sharing,
  writeBound,
} from "./messages.js";
import type { Observed } from "./metrics.js";
import { Reach } from "./outage.js";
import { partsOf } from "./parts.js";
import type { RedisOptions } from "./redis-options.js";
import { answers, Referee } from "./referee.js";
import { Roster } from "./roster.js";
import { RunState } from "./run-state.js";

export interface CoordinatorOptions {
  readonly redis: RedisOptions;
  readonly game: Game;
  readonly sharing: Sharing;
  /** Nodes after which a question is requeued. */
  readonly budget?: number | undefined;
  /** Fraction of answers that another worker proves again, 0 to 1. */
  readonly audit: number;
  readonly seed: number;
  /** Receives every proven bound, whether or not it was asked for. */
  readonly onBound: (question: Question, bound: Bound) => void;
  /** Proves an answer about which workers disagree. */
  readonly judge: (question: Question) => Promise<Bound>;
  readonly log: Logger;
}

/** Milliseconds after which a question is split: splitting a shorter one does not pay. */
const WORTH_SPLITTING_MS = 1000;

/**
 * Answers questions with many machines: questions are jobs on a queue in Redis. Everything on the queue can be made
 * again: the caller stores proven bounds, and a lost question is queued again.
 *
 * Open it with `await using`, so that the lead is given up on every path.
 */
export class Coordinator implements JobPort {
  readonly slots = 1;
  readonly #options: CoordinatorOptions;
  readonly #log: Logger;
  readonly #keys: Keys;
  readonly #client: RedisClient;
  readonly #jobs = new Jobs();
  readonly #referee: Referee;
  readonly #state: RunState;
  readonly #control: ControlChannel;
  readonly #queue: JobQueue;
  readonly #keeper: JobKeeper;
  readonly #lead: Lead;
  readonly #roster: Roster;
  readonly #reach: Reach;
  readonly #closing = new AbortController();
  #stopped = false;
  #failure: Error | undefined;
  /** The reason why no bound found so far can be trusted, until it has been reported to the caller. */
  #doubt: ClusterError | undefined;
  #beating: Promise<void> = Promise.resolve();

  private constructor(options: CoordinatorOptions) {
    const { redis, game, sharing } = options;
    const jobs = this.#jobs;
    this.#options = options;
    this.#keys = keysOf(redis);
    const keys = this.#keys;
    this.#referee = new Referee({
      ...options,
      jobs,
      onFalse: (reason) => this.#beginAgain(reason),
      onFailure: (error) => this.#fail(error),
    });
    const referee = this.#referee;
    this.#state = new RunState({ game, sharing, jobs, referee });
    const state = this.#state;
    this.#log = options.log.child({ run: state.run });
    const log = this.#log;
    const debug = (error: Error) => log.debug({ error: error.message }, "connection");
    this.#client = connect(redis, "commands", debug);
    const subscriber = connect(redis, "blocking", debug);
    const client = this.#client;
    this.#reach = new Reach(log);
    this.#roster = new Roster(log);
    this.#lead = new Lead(client, keys, state.run);
    this.#control = new ControlChannel({
      ...{ client, subscriber, keys, log },
      onMessage: (message) => this.#hear(message),
    });
    const control = this.#control;
    this.#queue = new JobQueue({
      ...{ client, subscriber, keys, log },
      onCompleted: (id, returned) => void this.#keeper.completed(id, returned),
      onFailed: (id) => void this.#keeper.reconcileSoon(id),
    });
    const queue = this.#queue;
    this.#keeper = new JobKeeper({
      ...{ game, budget: options.budget, jobs, queue, referee, control, state, log },
      onAnswer: (id, worker, bound) => this.#answered(id, worker, bound),
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
      await coordinator.#begin();
      return coordinator;
    } catch (error) {
      await coordinator[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #begin(): Promise<void> {
    await this.#lead.take(this.#reach);
    await this.#reach.persist(() => this.#keeper.tidy());
    await this.#control.listen();
    this.#beating = this.#beatOn();
  }

  /** Accepts questions again after a worker was shut out. */
  beginAnew(): void {
    this.#stopped = false;
  }

  /** Records the solve's progress, for status readers. */
  progress(starts: readonly StartBound[], questions: number): void {
    this.#state.progress(starts, questions);
  }

  async ask(question: Question): Promise<Bound | undefined> {
    this.#throwWhatFailed();
    if (this.#stopped) return undefined;
    const job = this.#jobs.open(questionId(this.#options.game, question), question);
    this.#announceSoon();
    void this.#keeper.reconcileSoon(job.id);
    return await job.answer;
  }

  #hear(message: ControlMessage): void {
    if (message.type !== "answer" || message.epoch !== this.#referee.epoch) return;
    const { id, worker, bound } = message;
    if (this.#jobs.get(id)?.kind === "question") this.#answered(id, worker, readBound(bound));
  }

  /** Accepts an answer from any worker, if it is still needed and can be trusted. */
  #answered(id: string, worker: string, bound: Bound): void {
    const job = this.#jobs.get(id);
    if (!job || !this.#referee.hears(worker)) return;
    if (job.kind === "audit") this.#referee.audited(id, { worker, bound });
    else this.#take(id, job.question, worker, bound);
  }

  #take(id: string, question: Question, worker: string, bound: Bound): void {
    const said = { job: id, worker, bound: writeBound(bound) };
    if (!answers(question, bound)) {
      this.#log.warn(said, "ignored an answer to another question");
      return;
    }
    if (!this.#referee.isCredible(question, { worker, bound })) return;
    this.#log.info(said, "answered");
    const audit = this.#referee.drawAudit(id, question, { worker, bound });
    if (audit !== undefined) void this.#keeper.reconcileSoon(audit);
    try {
      this.#options.onBound(question, bound);
    } catch (error) {
      this.#fail(error as Error);
      return;
    }
    this.#keeper.withdraw(this.#jobs.answer(id, bound));
    this.#announceSoon();
  }

  /** Fails every open question, because no bound found so far can be trusted. */
  #beginAgain(reason: ClusterError): void {
    this.#keeper.startOver();
    if (this.#jobs.questions().length === 0) this.#doubt = reason;
    this.#jobs.rejectAll(reason);
    this.#announceSoon();
  }

  /** Throws the reason why the run has failed or, once, why it must start over. */
  #throwWhatFailed(): void {
    const reason = this.#failure ?? this.#doubt;
    this.#doubt = undefined;
    if (reason) throw reason;
  }

  /**
   * Waits for pending audits. Returns the number of audits that were not done for lack of another worker.
   *
   * @throws {ClusterError} `shut-out` if an audit has found a false answer
   */
  async finishAudits(): Promise<number> {
    const left = await this.#referee.finish(
      (worker) => this.#roster.names.some((other) => other !== worker),
      () => this.#stopped || this.#failure !== undefined,
    );
    this.#throwWhatFailed();
    return left;
  }

  async #beatOn(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await this.#beat();
        this.#reach.succeeded();
      } catch (error) {
        this.#tryAgain(error);
      }
      await sleep(BEAT_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Once a second, announces the run and queues lost jobs again. */
  async #beat(): Promise<void> {
    this.#control.ping();
    if (!(await this.#lead.keep())) {
      throw new ClusterError(
        "busy",
        "another coordinator has taken over; all proven values are saved",
      );
    }
    await this.#announce();
    await this.#keeper.reconcileAll(this.#roster.names);
    const workers = await this.#roster.read(this.#client, this.#keys, this.#referee.shutOut);
    for (const { worker, run, counts } of workers) {
      if (run === this.#state.run) this.#state.count(worker, counts);
    }
    this.#roster.watch(this.#jobs.questions().length > 0);
    this.#referee.look();
    if (this.#roster.names.length > 1) this.#split();
  }

  /** Splits questions that take long into their first moves, for workers that would be idle. */
  #split(): void {
    for (const job of this.#jobs.questions()) {
      if (job.parts.length > 0 || performance.now() - job.since < WORTH_SPLITTING_MS) continue;
      this.#jobs.split(job, partsOf(this.#options.game, job.question));
    }
  }

  /** Returns the state from which metrics are made. */
  observe(): Observed {
    const workers = this.#roster.names.length;
    return { run: this.#state.message(), workers, heard: this.#reach.heard };
  }

  async #announce(): Promise<void> {
    const message = JSON.stringify(this.#state.message());
    await this.#client.set(this.#keys.run, message, "PX", GONE_MS);
    await this.#control.call({ type: "changed" });
  }

  /** Announces the run now, or at the next beat if the server is away. */
  #announceSoon(): void {
    this.#announce().catch(() => {});
  }

  /** Continues after a failure that may be temporary; any other failure ends the run. */
  #tryAgain(error: unknown): void {
    try {
      this.#reach.failed(error);
    } catch (reason) {
      this.#fail(reason as Error);
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#jobs.rejectAll(error);
    this.#referee.look();
  }

  stop(): void {
    this.#stopped = true;
    this.#referee.look();
    for (const job of this.#jobs.questions()) {
      this.#keeper.withdraw(this.#jobs.settle(job, undefined));
    }
    this.#announceSoon();
  }

  counts(): NodeCounts {
    return this.#state.counts;
  }

  /** Empties the queue, gives up the lead and disconnects. If the server is away, the keys expire. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#beating;
    try {
      if (await this.#lead.keep()) {
        this.#keeper.startOver();
        await this.#keeper.tidy();
      }
    } catch (error) {
      this.#log.debug({ error: (error as Error).message }, "not tidied");
    }
    await this.#lead[Symbol.asyncDispose]();
    await this.#control.call({ type: "changed" }).catch(() => {});
    this.#control[Symbol.dispose]();
    await this.#queue[Symbol.asyncDispose]();
  }
}
