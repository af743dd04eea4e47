import type { Question } from "@gridlock/solver";
import { DelayedError, type Job, UnrecoverableError, WaitingError, Worker } from "bullmq";
import type { Logger } from "pino";
import { atMost, CLOSE_MS, disconnect, type RedisClient } from "./connection.js";
import type { EngineKeeper } from "./engine-keeper.js";
import { ClusterError } from "./errors.js";
import { type Keys, QUEUE } from "./keys.js";
import {
  type AnswerMessage,
  BEAT_MS,
  gameNamed,
  PROTOCOL,
  type QuestionMessage,
  type RunMessage,
  read,
  readQuestion,
  writeBound,
} from "./messages.js";
import { isOutage } from "./outage.js";
import { LOCK_MS, MOST_LOSSES, STALLED_MS } from "./queue.js";
import type { Searcher } from "./searcher.js";

/** Milliseconds for which a job that this worker may not do is delayed, so that others take it. */
const NOT_MINE_MS = 1000;
/** Milliseconds for which a leaving worker tries to give its job back while the server is away. */
const GIVE_BACK_MS = 5000;

export interface JobTakerOptions {
  /** The client that waits for jobs. */
  readonly connection: RedisClient;
  readonly keys: Keys;
  /** The worker's name. */
  readonly name: string;
  readonly log: Logger;
  readonly engines: EngineKeeper;
  readonly searcher: Searcher;
  readonly isLeaving: () => boolean;
  /** Returns the current run. */
  readonly refresh: () => Promise<RunMessage | undefined>;
  /** Called when a job has ended. */
  readonly onIdle: () => void;
}

/** Takes jobs from the queue, one at a time, and returns their answers. */
export class JobTaker {
  readonly #options: JobTakerOptions;
  readonly #bull: Worker<unknown, AnswerMessage>;
  #isBusy = false;

  constructor(options: JobTakerOptions) {
    this.#options = options;
    const { connection, keys, log } = options;
    this.#bull = new Worker<unknown, AnswerMessage>(
      QUEUE,
      (job, token, signal) => this.#process(job, token as string, signal as AbortSignal),
      {
        connection: connection as never,
        prefix: keys.prefix,
        concurrency: 1,
        lockDuration: LOCK_MS,
        stalledInterval: STALLED_MS,
        maxStalledCount: MOST_LOSSES,
      },
    );
    this.#bull.on("error", (error) => {
      const level = isOutage(error) ? "debug" : "warn"; // the worker reports outages
      log[level]({ error: error.message }, "queue");
    });
    this.#bull.on("lockRenewalFailed", (jobs) =>
      log.warn({ jobs }, "another worker may take the job"),
    );
  }

  /** Whether this worker has a job; jobs come before joined questions. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  async #process(job: Job, token: string, signal: AbortSignal): Promise<AnswerMessage> {
    const { searcher, isLeaving, refresh, onIdle } = this.#options;
    this.#isBusy = true;
    try {
      await searcher.rest("a job has come");
      if (isLeaving()) return await this.#putBack(job, token);
      const run = await refresh();
      // There is no coordinator to take the answer; the next one tidies up.
      if (!run) return await this.#leaveToOthers(job, token);
      return await this.#answer(run, job, token, signal);
    } finally {
      this.#isBusy = false;
      onIdle();
    }
  }

  async #answer(
    run: RunMessage,
    job: Job,
    token: string,
    signal: AbortSignal,
  ): Promise<AnswerMessage> {
    const { name, engines } = this.#options;
    const { question, audited, budget } = this.#questionOf(job, run);
    if (audited === name) return await this.#leaveToOthers(job, token);
    const id = job.id as string;
    const isWhole = run.open.some((open) => open.id === id); // and not a part of one
    const state = audited === undefined ? "working" : "auditing";
    const log = this.#options.log.child({ job: id });
    log.info({ attempt: job.attemptsMade + 1 }, state);
    const began = performance.now();
    const progress = setInterval(() => {
      job.updateProgress({ seconds: (performance.now() - began) / 1000 }).catch(() => {});
    }, BEAT_MS);
    try {
      const { bound, reason } = await this.#options.searcher.search({
        ...{ id, state, run, signal },
        ask: (engine, abort) => {
          const limits = { signal: abort, ...(budget === undefined ? {} : { budget }) };
          return state === "working"
            ? engine.ask(question, limits, isWhole)
            : engine.askAfresh(question, limits);
        },
      });
      const seconds = Math.round(performance.now() - began) / 1000;
      log.info({ bound: bound && writeBound(bound), reason, seconds }, "done");
      const { counts } = engines;
      const common = { protocol: PROTOCOL, run: run.run, epoch: run.epoch, worker: name, counts };
      if (bound) return { ...common, outcome: "answered", bound: writeBound(bound) };
      if (reason === "leaving") return await this.#putBack(job, token);
      return { ...common, outcome: reason === undefined ? "unfinished" : "cancelled" };
    } finally {
      clearInterval(progress);
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
   * Reads a job's question.
   *
   * @throws {UnrecoverableError} if the job is invalid, so that it is never tried again
   */
  #questionOf(
    job: Job,
    run: RunMessage,
  ): Pick<QuestionMessage, "audited" | "budget"> & { question: Question } {
    try {
      const message = read("question", job.data);
      const game = gameNamed(message);
      if (message.shape !== run.shape || message.tiles !== run.tiles) {
        throw new ClusterError("job", `a question of ${message.shape} in a run of ${run.shape}`);
      }
      const { audited, budget } = message;
      return { question: readQuestion(game, message), audited, budget };
    } catch (error) {
      const { message } = error as Error;
      this.#options.log.warn({ job: job.id, error: message }, "refused a job");
      throw new UnrecoverableError(message);
    }
  }

  /** Gives the job back if the server is reachable, and cuts the connection. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closing = this.#bull.close();
    await atMost(GIVE_BACK_MS, closing);
    disconnect(this.#options.connection);
    await atMost(CLOSE_MS, closing);
  }
}
