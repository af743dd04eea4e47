import type { Bound } from "@gridlock/game";
import type { Question } from "@gridlock/solver";
import type { Job } from "bullmq";
import type { Logger } from "pino";
import { atMost } from "./connection.js";
import { type Deferred, deferred } from "./deferred.js";
import type { Engine } from "./engine.js";
import type { EngineKeeper } from "./engine-keeper.js";
import { ClusterError } from "./errors.js";
import { type Keys, QUEUE } from "./keys.js";
import { DelayedError, type Redis, UnrecoverableError, WaitingError, Worker } from "./libraries.js";
import {
  type AnswerMessage,
  gameNamed,
  PROTOCOL,
  type RunMessage,
  read,
  readQuestion,
  type WorkerMessage,
  writeBound,
} from "./messages.js";
import { cutOff, LOCK_MS, MOST_LOSSES, STALLED_MS, watchErrors } from "./queue.js";

/** Milliseconds of delay for a job that this worker may not do, so that others take it. */
const NOT_MINE_MS = 1000;
/** Milliseconds for which a leaving worker tries to give its job back while the server is away. */
const GIVE_BACK_MS = 5000;
/** The same for a worker without a job. It may be about to receive one. */
const IDLE_MS = 1000;

export interface JobTakerOptions {
  /** The client that waits for jobs. */
  readonly connection: Redis;
  readonly keys: Keys;
  /** The worker's name. */
  readonly name: string;
  readonly log: Logger;
  readonly engines: EngineKeeper;
  /** Returns the current run. */
  readonly refresh: () => Promise<RunMessage | undefined>;
  /** Called when the server refuses a command. */
  readonly onRefusal: (error: Error) => void;
  /** Called if an engine cannot be created, so that this worker can no longer search. */
  readonly onFailure: (error: Error) => void;
}

/** A search under way. */
interface Task {
  readonly id: string;
  readonly state: Exclude<WorkerMessage["state"], "idle">;
  readonly abort: AbortController;
  /** True once its lock is lost, which BullMQ reports every few seconds. */
  isLost: boolean;
  /** Settles when the search has ended. */
  readonly ended: Deferred<void>;
}

/** Takes questions from the queue, one at a time, and returns their answers. */
export class JobTaker implements AsyncDisposable {
  readonly #options: JobTakerOptions;
  readonly #bull: Worker<unknown, AnswerMessage>;
  #task: Task | undefined;
  readonly #leaving = new AbortController();
  /** Takes jobs again after the server has refused to hand one out. */
  readonly tryAgain: () => void;

  constructor(options: JobTakerOptions) {
    this.#options = options;
    const { connection, keys, log } = options;
    this.#bull = new Worker<unknown, AnswerMessage>(
      QUEUE,
      (job, token) => this.#process(job, token as string),
      {
        connection: connection as never,
        prefix: keys.prefix,
        concurrency: 1,
        lockDuration: LOCK_MS,
        stalledInterval: STALLED_MS,
        maxStalledCount: MOST_LOSSES,
      },
    );
    this.tryAgain = watchErrors(this.#bull, log, options.onRefusal);
    this.#bull.on("lockRenewalFailed", (jobs) => {
      const task = this.#task;
      if (task?.isLost === false) log.warn({ jobs }, "another worker may take the job");
      if (task) task.isLost = true;
    });
  }

  /** The search under way. */
  get task(): Pick<Task, "id" | "state"> | undefined {
    return this.#task;
  }

  /** Stops the search under way if the run does not need its answer. */
  stopUnlessOpen(run: RunMessage | undefined): void {
    const task = this.#task;
    if (!task || run?.open.some(({ id }) => id === task.id)) return;
    if (!task.abort.signal.aborted) {
      this.#options.log.info({ job: task.id }, "cancelled: this answer is no longer needed");
    }
    task.abort.abort();
  }

  /** Stops the search under way, and waits until it has ended. */
  async rest(): Promise<void> {
    this.#task?.abort.abort();
    await this.#task?.ended.promise;
  }

  async #process(job: Job, token: string): Promise<AnswerMessage> {
    if (this.#leaving.signal.aborted) return await this.#putBack(job, token);
    const run = await this.#options.refresh();
    // There is no coordinator to take the answer; the next one tidies up.
    if (!run) return await this.#leaveToOthers(job, token);
    return await this.#answer(run, job, token);
  }

  async #answer(run: RunMessage, job: Job, token: string): Promise<AnswerMessage> {
    const { name, engines, log } = this.#options;
    const { question, not } = this.#questionOf(job, run);
    if (not === name) return await this.#leaveToOthers(job, token);
    const state = not === undefined ? "working" : "checking";
    const control = { abort: new AbortController(), ended: deferred<void>() };
    const task: Task = { id: job.id as string, state, isLost: false, ...control };
    this.#task = task;
    log.info({ job: task.id, attempt: job.attemptsMade + 1 }, state);
    const began = performance.now();
    try {
      const bound = await this.#search(run, question, task.abort.signal, async () => {
        // Making a table can take longer than a lock lasts.
        if ((await job.extendLock(token, LOCK_MS)) === 1) return;
        log.warn({ job: task.id }, "gave up a job that another worker may have taken");
        throw new WaitingError();
      });
      const found = bound ? writeBound(bound) : null;
      const seconds = Math.round(performance.now() - began) / 1000;
      log.info({ job: task.id, bound: found, seconds }, "done");
      if (!bound && this.#leaving.signal.aborted) return await this.#putBack(job, token);
      const { counts } = engines;
      return { protocol: PROTOCOL, run: run.run, worker: name, counts, bound: found };
    } finally {
      this.#task = undefined;
      task.ended.resolve();
    }
  }

  /** @param confirm called when the engine is ready; throws if the question is no longer this worker's */
  async #search(
    run: RunMessage,
    question: Question,
    signal: AbortSignal,
    confirm: () => Promise<void>,
  ): Promise<Bound | undefined> {
    const { engines, onFailure } = this.#options;
    let engine: Engine;
    try {
      engine = await engines.engineFor(run, this.#leaving.signal);
    } catch (error) {
      if (this.#leaving.signal.aborted) return undefined;
      this.leave();
      onFailure(error as Error);
      return undefined;
    }
    if (!signal.aborted) await confirm();
    try {
      return await engine.ask(question, { signal });
    } catch (error) {
      // A pool with a failed thread is no longer usable.
      await engines.drop().catch(() => {});
      throw error;
    }
  }

  /** Delays a job that this worker cannot do now. */
  async #leaveToOthers(job: Job, token: string): Promise<never> {
    await job.moveToDelayed(Date.now() + NOT_MINE_MS, token);
    throw new DelayedError();
  }

  /** Gives a job back at once, for another worker. */
  async #putBack(job: Job, token: string): Promise<never> {
    await job.moveToWait(token);
    throw new WaitingError();
  }

  /**
   * Reads a job's question, and the worker that may not answer it.
   *
   * @throws {UnrecoverableError} if the job is invalid, so that it is never tried again
   */
  #questionOf(job: Job, run: RunMessage): { question: Question; not: string | undefined } {
    try {
      const message = read("question", job.data);
      const game = gameNamed(message);
      if (message.shape !== run.shape || message.tiles !== run.tiles) {
        throw new ClusterError("job", `a question about ${message.shape} in a run of ${run.shape}`);
      }
      return { question: readQuestion(game, message), not: message.not };
    } catch (error) {
      const { message } = error as Error;
      this.#options.log.warn({ job: job.id, error: message }, "refused a job");
      throw new UnrecoverableError(message);
    }
  }

  /** Stops the search under way and takes no more jobs. */
  leave(): void {
    this.#leaving.abort();
    this.#task?.abort.abort();
  }

  /** Gives the job back if the server is reachable, and cuts the connection. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.leave();
    const patience = this.#task ? GIVE_BACK_MS : IDLE_MS;
    await atMost(patience, Promise.allSettled([this.#bull.pause(), this.rest()]));
    await cutOff(this.#bull, this.#options.connection);
  }
}
