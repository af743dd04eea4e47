import { estimateOf, type Remainder, type StepOutcome, type Visit } from "@gridlock/layers";
import type { TaskAnswer } from "./agreement.js";
import { type Deferred, deferred } from "./deferred.js";
import { ClusterError } from "./errors.js";
import { TASKS } from "./keys.js";
import { PROTOCOL, read } from "./messages.js";
import { isOutage, isRefusal, isServersFault } from "./outage.js";
import type { RedisOptions } from "./redis-options.js";
import type { Run } from "./run.js";
import {
  type ComparedOutcome,
  type ComparedWork,
  kindOf,
  type TaskMessage,
  type TaskOutcome,
  type TaskResult,
  type TaskWork,
} from "./task-messages.js";
import { TaskQueue } from "./task-queue.js";
import { WorkerQueues, type WorkerTask } from "./worker-queues.js";

export interface TaskKeeperOptions {
  readonly redis: RedisOptions;
  readonly run: Run;
  /** Does a task on this machine. */
  doHere(work: TaskWork): Promise<TaskOutcome>;
  /** Returns whether a worker's results are ignored. */
  isShutOut(worker: string): boolean;
}

/** A task that waits for its result. */
interface PendingTask extends WorkerTask {
  readonly answer: Deferred<TaskAnswer<TaskOutcome>>;
  /** True if the task was missing from the queue when last checked. */
  isMissing: boolean;
  /** True if this machine does the task. */
  isHere: boolean;
}

/** The answer of a worker, since no other machine works off remainders. */
interface RemainderAnswer {
  readonly worker: string;
  readonly outcome: { readonly remainder: readonly StepOutcome[] };
}

/** The load of a visit without one, and the cost of a task that the workers do not share. */
const NO_LOAD = { pending: 0, boards: 0, live: 0 };
const NO_COST = { work: 0, reading: 0 };

/**
 * Milliseconds after which a task whose result is ignored is queued again: its worker may be about
 * to leave.
 */
const AGAIN_MS = 500;

/**
 * The tasks of a run that wait for their results, and the queues from which workers take them. Lost
 * tasks are queued again.
 */
export class TaskKeeper implements AsyncDisposable {
  readonly #options: TaskKeeperOptions;
  readonly #queue: TaskQueue;
  readonly #workers: WorkerQueues;
  readonly #pending = new Map<string, PendingTask>();
  readonly #failing = new AbortController();
  #lastId = 0;

  constructor(options: TaskKeeperOptions) {
    this.#options = options;
    const queueOptions = {
      ...{ redis: options.redis, run: options.run },
      onCompleted: (id: string, returned: string) => this.#completed(id, returned),
      onFailed: (id: string, reason: string) => this.#failed(id, reason),
    };
    this.#queue = new TaskQueue(TASKS, queueOptions);
    this.#workers = new WorkerQueues(this.#queue, queueOptions);
  }

  /** The number of tasks that wait for a result. */
  get size(): number {
    return this.#pending.size;
  }

  /** Aborted, with the reason, when the tasks fail. */
  get failing(): AbortSignal {
    return this.#failing.signal;
  }

  /** Prepares the queues for a run. */
  async begin(): Promise<void> {
    await this.#queue.mend([]);
    await this.#queue.clear();
    await this.#workers.begin();
    this.#queue.listen();
  }

  /** Removes the queues at the end of a run. */
  async end(): Promise<void> {
    await this.#workers.clear();
    await this.#queue.obliterate();
  }

  /**
   * Has the visits of a step made, by the workers that have their blocks in memory as far as that
   * saves time. Returns the answers in the order of the visits.
   *
   * @throws {ClusterError} `job` with the reason if a task fails
   * @throws the reason given to {@link fail}
   */
  async share(visits: readonly Visit[]): Promise<readonly TaskAnswer<TaskOutcome>[]> {
    // Workers need not know what the coordinator expects.
    const pending = visits.map(({ load = NO_LOAD, ...visit }) =>
      this.#open({ visit }, undefined, estimateOf(load, visit.isMerge)),
    );
    await this.#queueing(this.#workers.share(pending));
    return await Promise.all(pending.map(({ answer }) => answer.promise));
  }

  /**
   * Has a single worker make the visits of the next steps, if one has the memory for it; returns the
   * worker, and their outcomes as it reported them. No other task may be under way. Fails like
   * {@link share}.
   */
  async workOff(
    remainder: Remainder,
  ): Promise<{ worker: string; steps: readonly StepOutcome[] } | undefined> {
    const holder = this.#workers.holderOf(remainder);
    if (holder === undefined) return undefined;
    const one = this.#open({ remainder });
    await this.#queueing(this.#workers.give(one, holder));
    const { worker, outcome } = (await one.answer.promise) as RemainderAnswer;
    return { worker, steps: outcome.remainder };
  }

  /**
   * Has a task done by any worker other than `not`, or by this machine if there is no other worker.
   *
   * @throws as {@link share} does
   */
  async ask(work: ComparedWork, not?: string): Promise<TaskAnswer> {
    const one = this.#open(work, not);
    one.queue = this.#queue;
    this.#takeOver();
    if (!one.isHere) await this.#queueing(this.#queue.add([one]));
    return (await one.answer.promise) as TaskAnswer;
  }

  /** Waits until tasks are queued. Those that the server does not accept are queued by a later beat. */
  async #queueing(queueing: Promise<void>): Promise<void> {
    try {
      await queueing;
    } catch (error) {
      if (isOutage(error)) return;
      if (isRefusal(error as Error)) this.#options.run.trouble(error as Error);
      else this.fail(error as Error);
    }
  }

  /** Does a task on this machine; fails like {@link ask}. */
  async askHere(work: ComparedWork): Promise<ComparedOutcome> {
    const one = this.#open(work);
    this.#doHere(one);
    return (await one.answer.promise).outcome as ComparedOutcome;
  }

  #open(work: TaskWork, not?: string, cost = NO_COST): PendingTask {
    this.#failing.signal.throwIfAborted();
    const one = {
      id: `${this.#options.run.id}-${++this.#lastId}`,
      message: { protocol: PROTOCOL, work, ...(not === undefined ? {} : { not }) },
      answer: deferred<TaskAnswer<TaskOutcome>>(),
      ...{ cost, queue: undefined, isMissing: false, isHere: false },
    };
    this.#pending.set(one.id, one);
    return one;
  }

  #doHere(one: PendingTask): void {
    one.isHere = true;
    this.#options.doHere(one.message.work).then(
      (outcome) => this.#settle(one, { worker: undefined, outcome: asSent(outcome) }),
      (error: Error) => this.fail(error),
    );
  }

  #settle(one: PendingTask, answer: TaskAnswer<TaskOutcome>): void {
    this.#pending.delete(one.id);
    one.answer.resolve(answer);
    void this.#queueing(this.#workers.done(one, answer));
  }

  #completed(id: string, returned: string): void {
    const one = this.#pending.get(id);
    if (one === undefined || one.isHere) return;
    try {
      this.#settle(one, this.#answerIn(one.message, returned));
    } catch (error) {
      const { log } = this.#options.run;
      log.warn({ task: id, error: (error as Error).message }, "ignored a result");
      one.queue = this.#queue; // for any worker
      this.#queue.add([one], AGAIN_MS).catch(() => {}); // a later beat will find it missing
    }
  }

  /**
   * Reads the answer in a return value.
   *
   * @throws {ClusterError} `job` if it is not the task's result, or comes from a worker that may
   *   not do the task
   */
  #answerIn({ work, not }: TaskMessage, returned: unknown): TaskAnswer<TaskOutcome> {
    const { worker, outcome } = read("result", returned) as TaskResult;
    if (worker === not || this.#options.isShutOut(worker)) {
      throw new ClusterError("job", `${worker} may not do this task`);
    }
    if (kindOf(work) !== kindOf(outcome)) {
      throw new ClusterError("job", `${worker} returned the result of another task`);
    }
    return { worker, outcome };
  }

  #failed(id: string, reason: string): void {
    const one = this.#pending.get(id);
    if (one === undefined || one.isHere) return;
    // The server did not accept the result. A beat will find the task missing.
    if (isServersFault(reason)) one.queue?.remove(id).catch(() => {});
    else this.fail(new ClusterError("job", `a task failed on ${reason}`));
  }

  /**
   * Gives visits to workers that have come, and those of workers that have left to others; queues
   * lost tasks again. A task is lost if it was missing twice; after once, its event may be
   * under way.
   */
  async beat(): Promise<void> {
    this.#takeOver();
    await this.#workers.beat();
    for (const queue of [this.#queue, ...this.#workers.all]) await this.#lookInto(queue);
  }

  async #lookInto(queue: TaskQueue): Promise<void> {
    const before = [...this.#pending.values()].filter((one) => one.queue === queue && !one.isHere);
    await queue.mend(before.map(({ id }) => id));
    if (before.length === 0) return;
    const { all, failed } = await queue.list();
    const lost: PendingTask[] = [];
    for (const one of before) {
      if (failed.has(one.id)) {
        const reason = await queue.reasonOf(one.id);
        if (reason !== undefined) this.#failed(one.id, reason);
      }
      const isMissing = !all.has(one.id) && this.#pending.has(one.id);
      if (isMissing && one.isMissing) lost.push(one);
      one.isMissing = isMissing;
    }
    if (lost.length === 0) return;
    this.#options.run.log.warn({ tasks: lost.length }, "queued lost tasks again");
    await queue.addAgain(lost);
  }

  /** Takes over the tasks that the only available worker may not do. */
  #takeOver(): void {
    const { names } = this.#options.run.roster;
    for (const one of this.#pending.values()) {
      const { not } = one.message;
      if (one.isHere || not === undefined || names.some((name) => name !== not)) continue;
      this.#queue.remove(one.id).catch(() => {}); // its result would be ignored
      this.#doHere(one);
    }
  }

  /** Fails the tasks under way, and all later ones. */
  fail(error: Error): void {
    this.#failing.abort(error);
    for (const { answer } of this.#pending.values()) answer.reject(this.#failing.signal.reason);
    this.#pending.clear();
    this.#workers.drop();
  }

  /** Stops listening. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#workers[Symbol.asyncDispose]();
    await this.#queue[Symbol.asyncDispose]();
  }
}

/** Returns an outcome as if it had been sent, without undefined fields. */
function asSent(outcome: TaskOutcome): TaskOutcome {
  const message = JSON.stringify({ protocol: PROTOCOL, worker: "here", outcome });
  return (read("result", message) as TaskResult).outcome;
}
