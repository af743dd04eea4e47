import type { Game } from "@gridlock/game";
import { blockMemoryBytes } from "@gridlock/layers";
import type { Job } from "bullmq";
import type { Logger } from "pino";
import { atMost } from "./connection.js";
import { type Keys, TASKS, tasksOf } from "./keys.js";
import { DelayedError, type Redis, UnrecoverableError, Worker } from "./libraries.js";
import { PROTOCOL, read, type WorkerMessage } from "./messages.js";
import { cutOff, LOCK_MS, MOST_LOSSES, STALLED_MS, watchErrors } from "./queue.js";
import { awaitFolder } from "./shared-folder.js";
import { TaskHands } from "./task-hands.js";
import {
  damageIn,
  nameOf,
  type TaskMessage,
  type TaskOutcome,
  type TaskResult,
  type TaskWork,
} from "./task-messages.js";
import { MOST_VISITS } from "./worker-queues.js";

export interface TaskTakerOptions {
  /** The client that waits for jobs. */
  readonly connection: Redis;
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
  /** Called when the server refuses a command. */
  readonly onRefusal: (error: Error) => void;
}

/**
 * Milliseconds of delay for a task that this worker may not do, so that others take it. With 200, a
 * checked proof of many small tasks takes half as long again.
 */
const NOT_MINE_MS = 10;
/**
 * Milliseconds for which a leaving worker tries to deliver its last results while the server is
 * away.
 */
const LAST_MS = 5000;

/**
 * Takes tasks of a proof by layers from the worker's own queue and from the common one, and returns
 * their results.
 */
export class TaskTaker implements AsyncDisposable {
  readonly #options: TaskTakerOptions;
  readonly #bulls: readonly Worker<unknown, TaskResult>[];
  /** The threads; undefined until they are needed. */
  #hands: TaskHands | undefined;
  /** The tasks under way, by the ids of their jobs. */
  readonly #underWay = new Map<string, { work: TaskWork; outcome: Promise<TaskOutcome> }>();
  readonly #again: (() => void)[] = [];
  #done = 0;
  #isDropped = false;
  readonly #leaving = new AbortController();

  constructor(options: TaskTakerOptions) {
    this.#options = options;
    const { name, threads } = options;
    // The next visits are here when a thread becomes idle.
    this.#bulls = [
      this.#takeFrom(tasksOf(name), MOST_VISITS * threads),
      this.#takeFrom(TASKS, threads),
    ];
  }

  /** @param most tasks that it takes at a time */
  #takeFrom(queue: string, most: number): Worker<unknown, TaskResult> {
    const { connection, keys, log, onRefusal } = this.#options;
    const bull = new Worker<unknown, TaskResult>(
      queue,
      (job, token) => this.#process(job, token as string),
      {
        connection: connection as never,
        prefix: keys.prefix,
        concurrency: most,
        lockDuration: LOCK_MS,
        stalledInterval: STALLED_MS,
        maxStalledCount: MOST_LOSSES,
      },
    );
    this.#again.push(watchErrors(bull, log, onRefusal));
    return bull;
  }

  /** Takes tasks again after the server has refused to hand one out. */
  tryAgain(): void {
    for (const again of this.#again) again();
  }

  /** The worker's state. */
  get state(): WorkerMessage["state"] {
    const tasks = [...this.#underWay.values()];
    if (tasks.length === 0) return "idle";
    return tasks.some(({ work }) => "check" in work) ? "checking" : "visiting";
  }

  /** Bytes for the blocks. */
  get memory(): number {
    return blockMemoryBytes(this.#options.bytes);
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
    const { work, not } = this.#messageOf(job);
    if (not === name) return await this.#leaveToOthers(job, token);
    // After an outage in which the lock has expired, the job comes again while its task is under way.
    const { outcome: found } = this.#underWay.get(id) ?? this.#begin(id, work);
    try {
      const outcome = await found;
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
    }
  }

  #begin(id: string, work: TaskWork): { outcome: Promise<TaskOutcome> } {
    const task = { work, outcome: this.#do(work) };
    this.#underWay.set(id, task);
    const end = () => this.#underWay.delete(id);
    task.outcome.then(() => {
      this.#done++;
      end();
    }, end);
    return task;
  }

  /** Delays a task that this worker may not do. */
  async #leaveToOthers(job: Job, token: string): Promise<never> {
    await job.moveToDelayed(Date.now() + NOT_MINE_MS, token);
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
      log.warn({ task: nameOf(work), file }, "a file is missing or damaged; trying again");
    } catch (error) {
      if (this.#isDropped) throw error;
      log.warn(
        { task: nameOf(work), error: (error as Error).message },
        "a task failed; trying again",
      );
    }
    const wasAway = await awaitFolder(folder, run, log, this.#leaving.signal);
    return await (wasAway ? this.#do(work) : this.#attempt(work));
  }

  async #attempt(work: TaskWork): Promise<TaskOutcome> {
    const { game, folder, threads, bytes } = this.#options;
    this.#hands ??= new TaskHands(game, folder, { threads, bytes });
    const hands = this.#hands;
    try {
      return await hands.do(work);
    } catch (error) {
      const isFirst = this.#hands === hands;
      if (isFirst) this.#hands = undefined;
      await hands[Symbol.asyncDispose](); // they are unusable
      if (isFirst || this.#isDropped) throw error;
      return await this.#attempt(work); // another task's failure has ended the threads
    }
  }

  /** Drops the tasks under way, whose results are no longer needed, and stops the threads. */
  async drop(): Promise<void> {
    this.#isDropped = true;
    this.#leaving.abort();
    void this.#rest();
    await this.#hands?.[Symbol.asyncDispose]();
    await this[Symbol.asyncDispose]();
  }

  /** Takes no more tasks; waits until those under way are done and delivered. */
  async #rest(): Promise<void> {
    await Promise.allSettled(this.#bulls.map((bull) => bull.pause()));
  }

  /** Finishes the tasks under way, takes no more, and stops the threads. */
  async [Symbol.asyncDispose](): Promise<void> {
    const resting = this.#rest();
    this.#leaving.abort();
    await Promise.allSettled([...this.#underWay.values()].map(({ outcome }) => outcome));
    await atMost(LAST_MS, resting);
    await cutOff(this.#bulls, this.#options.connection);
    await this.#hands?.[Symbol.asyncDispose]();
  }
}
