import type { Game } from "@gridlock/game";
import type { BlockNumber } from "@gridlock/layers";
import type { Job } from "bullmq";
import type { Logger } from "pino";
import { atMost, CLOSE_MS, disconnect, type RedisClient } from "./connection.js";
import { type Keys, TASKS } from "./keys.js";
import { DelayedError, UnrecoverableError, Worker } from "./libraries.js";
import { PROTOCOL, read, type WorkerMessage } from "./messages.js";
import { isOutage } from "./outage.js";
import { LOCK_MS, MOST_LOSSES, STALLED_MS } from "./queue.js";
import { awaitFolder } from "./shared-folder.js";
import { TaskHand } from "./task-hand.js";
import {
  damageIn,
  type TaskMessage,
  type TaskOutcome,
  type TaskResult,
  type TaskWork,
} from "./task-messages.js";

export interface TaskTakerOptions {
  /** The client that waits for jobs. */
  readonly connection: RedisClient;
  readonly keys: Keys;
  /** The worker's name. */
  readonly name: string;
  readonly log: Logger;
  /** The id of the run. */
  readonly run: string;
  readonly game: Game;
  /** The folder of the proof. */
  readonly folder: string;
  readonly threads: number;
  /** Bytes for the tables of all threads. */
  readonly bytes: number;
}

/**
 * Milliseconds of delay for a task that this worker may not do, so that others take it. With 200, a
 * checked proof of many small tasks takes half as long again.
 */
const NOT_MINE_MS = 10;
/**
 * Milliseconds of delay for a task that another worker should do, and how often it is delayed before
 * any worker does it.
 */
const NOT_HELD_MS = 3;
const MOST_TIMES_LEFT = 3;
/**
 * Milliseconds for which a leaving worker tries to deliver its last results while the server is
 * away.
 */
const LAST_MS = 5000;

/**
 * Takes tasks of a proof by layers from the queue, one for each thread at a time, and returns their
 * results.
 */
export class TaskTaker implements AsyncDisposable {
  readonly #options: TaskTakerOptions;
  readonly #bull: Worker<unknown, TaskResult>;
  /** The threads, and those without a task. */
  readonly #hands = new Set<TaskHand>();
  readonly #idle: TaskHand[] = [];
  /** The threads that visited blocks last, and may still have them in memory. */
  readonly #holders = new Map<BlockNumber, TaskHand>();
  readonly #underWay = new Map<Promise<unknown>, TaskWork>();
  #done = 0;
  #isDropped = false;
  readonly #leaving = new AbortController();

  constructor(options: TaskTakerOptions) {
    this.#options = options;
    const { connection, keys, log, threads } = options;
    this.#bull = new Worker<unknown, TaskResult>(
      TASKS,
      (job, token) => this.#process(job, token as string),
      {
        connection: connection as never,
        prefix: keys.prefix,
        concurrency: threads,
        lockDuration: LOCK_MS,
        stalledInterval: STALLED_MS,
        maxStalledCount: MOST_LOSSES,
      },
    );
    this.#bull.on("error", (error) => {
      const level = isOutage(error) ? "debug" : "warn"; // the worker reports outages
      log[level]({ error: error.message }, "queue");
    });
  }

  /** The worker's state. */
  get state(): WorkerMessage["state"] {
    const works = [...this.#underWay.values()];
    if (works.length === 0) return "idle";
    return works.some((work) => "check" in work) ? "checking" : "visiting";
  }

  /** The number of tasks done. */
  get done(): number {
    return this.#done;
  }

  async #process(job: Job, token: string): Promise<TaskResult> {
    const { name, log, run } = this.#options;
    const { id } = job;
    // Tasks of the next run may arrive before its description.
    if (this.#isDropped || !id?.startsWith(`${run}-`)) return await this.#leaveToOthers(job, token);
    const { work, not, holder = name } = this.#messageOf(job);
    if (not === name) return await this.#leaveToOthers(job, token);
    if (holder !== name && job.attemptsStarted <= MOST_TIMES_LEFT) {
      return await this.#leaveToOthers(job, token, NOT_HELD_MS);
    }
    const doing = this.#do(work);
    this.#underWay.set(doing, work);
    try {
      const outcome = await doing;
      this.#done++;
      return { protocol: PROTOCOL, worker: name, outcome };
    } catch (error) {
      if (this.#leaving.signal.aborted && !this.#isDropped) {
        // It was waiting for the folder, so it leaves the task to others.
        await job.moveToDelayed(Date.now(), token);
        throw new DelayedError();
      }
      const { message } = error as Error;
      if (!this.#isDropped) log.error({ task: id, error: message }, "a task failed");
      throw new Error(`${name}: ${message}`, { cause: error });
    } finally {
      this.#underWay.delete(doing);
    }
  }

  /** Delays a task that this worker may not, or should not, do. */
  async #leaveToOthers(job: Job, token: string, delay = NOT_MINE_MS): Promise<never> {
    await job.moveToDelayed(Date.now() + delay, token);
    throw new DelayedError();
  }

  /** @throws {UnrecoverableError} if the job is invalid */
  #messageOf({ id, data }: Job): TaskMessage {
    try {
      return read("task", data) as TaskMessage;
    } catch (error) {
      const { message } = error as Error;
      const { name, log } = this.#options;
      log.warn({ task: id, error: message }, "refused a task");
      throw new UnrecoverableError(`${name}: ${message}`);
    }
  }

  /**
   * Does a task. If it fails or misses a file, waits until the folder is usable and tries again: if
   * the folder was away, until the task succeeds; otherwise once, since the folder may already be
   * back.
   */
  async #do(work: TaskWork): Promise<TaskOutcome> {
    const { folder, run, log } = this.#options;
    try {
      const outcome = await this.#attempt(work);
      const file = damageIn(outcome);
      if (file === undefined) return outcome;
      log.warn({ task: work, file }, "a file is missing or damaged; trying again");
    } catch (error) {
      if (this.#isDropped) throw error;
      log.warn({ task: work, error: (error as Error).message }, "a task failed; trying again");
    }
    const wasAway = await awaitFolder(folder, run, log, this.#leaving.signal);
    return await (wasAway ? this.#do(work) : this.#attempt(work));
  }

  async #attempt(work: TaskWork): Promise<TaskOutcome> {
    const hand = this.#handFor(work);
    try {
      const outcome = await hand.do(work);
      if ("visit" in work) this.#holders.set(work.visit.block, hand);
      this.#idle.push(hand);
      return outcome;
    } catch (error) {
      this.#hands.delete(hand);
      await hand[Symbol.asyncDispose](); // a failed thread is unusable
      throw error;
    }
  }

  /** Returns an idle thread, if possible the one that has a visit's block in memory. */
  #handFor(work: TaskWork): TaskHand {
    const holder = "visit" in work ? this.#holders.get(work.visit.block) : undefined;
    const found = holder === undefined ? -1 : this.#idle.indexOf(holder);
    return this.#idle.splice(found, 1)[0] ?? this.#start();
  }

  #start(): TaskHand {
    const { game, folder, threads, bytes } = this.#options;
    const hand = new TaskHand(game, folder, { bytes: bytes / threads, savesAll: true });
    this.#hands.add(hand);
    return hand;
  }

  /** Drops the tasks under way, whose results are no longer needed, and stops the threads. */
  async drop(): Promise<void> {
    this.#isDropped = true;
    this.#leaving.abort();
    void this.#bull.close();
    await Promise.all([...this.#hands].map((hand) => hand[Symbol.asyncDispose]()));
    await this[Symbol.asyncDispose]();
  }

  /** Finishes the tasks under way, takes no more, and stops the threads. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closing = this.#bull.close();
    this.#leaving.abort();
    await Promise.allSettled(this.#underWay.keys());
    await atMost(LAST_MS, closing);
    disconnect(this.#options.connection);
    await atMost(CLOSE_MS, closing);
    await Promise.all([...this.#hands].map((hand) => hand[Symbol.asyncDispose]()));
  }
}
