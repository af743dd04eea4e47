import type { Game } from "@gridlock/game";
import { type Visit, VisitCrew, type VisitOutcome } from "@gridlock/layers";
import { DelayedError, type Job, Worker } from "bullmq";
import type { Logger } from "pino";
import { atMost, CLOSE_MS, disconnect, type RedisClient } from "./connection.js";
import { type Keys, TASKS } from "./keys.js";
import { isOutage } from "./outage.js";
import { LOCK_MS, MOST_LOSSES, STALLED_MS } from "./queue.js";
import { awaitFolder } from "./shared-folder.js";

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

/** Milliseconds for which a task is delayed that this worker may not do, so that others take it. */
const NOT_MINE_MS = 200;
/** Milliseconds for which a leaving worker tries to pass its last results on while the server is away. */
const LAST_MS = 5000;

/** Takes the tasks of a proof by layers from the queue, as many at once as there are threads, and returns their results. */
export class TaskTaker implements AsyncDisposable {
  readonly #options: TaskTakerOptions;
  readonly #bull: Worker<Visit, VisitOutcome>;
  /** The threads, and those without a task. */
  readonly #crews = new Set<VisitCrew>();
  readonly #idle: VisitCrew[] = [];
  readonly #underWay = new Set<Promise<unknown>>();
  #done = 0;
  #isDropped = false;
  readonly #leaving = new AbortController();

  constructor(options: TaskTakerOptions) {
    this.#options = options;
    const { connection, keys, log, threads } = options;
    this.#bull = new Worker<Visit, VisitOutcome>(
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

  /** True while a task is under way. */
  get isBusy(): boolean {
    return this.#underWay.size > 0;
  }

  /** The number of tasks done. */
  get done(): number {
    return this.#done;
  }

  async #process(job: Job<Visit>, token: string): Promise<VisitOutcome> {
    const { name, log, run } = this.#options;
    const { id, data } = job;
    // The tasks of the next run may come before the worker has heard of it.
    if (this.#isDropped || !id?.startsWith(`${run}-`)) {
      await job.moveToDelayed(Date.now() + NOT_MINE_MS, token);
      throw new DelayedError();
    }
    const work = this.#visit(data);
    this.#underWay.add(work);
    try {
      const result = await work;
      this.#done++;
      return result;
    } catch (error) {
      if (this.#leaving.signal.aborted && !this.#isDropped) {
        // It has waited for the folder, and leaves the task to others.
        await job.moveToDelayed(Date.now(), token);
        throw new DelayedError();
      }
      const { message } = error as Error;
      if (!this.#isDropped) log.error({ task: id, error: message }, "a task failed");
      throw new Error(`${name}: ${message}`, { cause: error });
    } finally {
      this.#underWay.delete(work);
    }
  }

  /**
   * Makes a visit. If it fails or misses a file, waits until the folder can be used and tries again: after the folder was
   * away until it succeeds, and otherwise once, since the folder may be back already.
   */
  async #visit(task: Visit): Promise<VisitOutcome> {
    const { folder, run, log } = this.#options;
    try {
      const outcome = await this.#attempt(task);
      if (!("damaged" in outcome)) return outcome;
      log.warn({ task, file: outcome.damaged }, "a file is missing or damaged; trying again");
    } catch (error) {
      if (this.#isDropped) throw error;
      log.warn({ task, error: (error as Error).message }, "a visit failed; trying again");
    }
    const wasAway = await awaitFolder(folder, run, log, this.#leaving.signal);
    return await (wasAway ? this.#visit(task) : this.#attempt(task));
  }

  async #attempt(task: Visit): Promise<VisitOutcome> {
    const crew = this.#idle.pop() ?? this.#start();
    try {
      const [result] = await crew.visit([task]);
      this.#idle.push(crew);
      return result as VisitOutcome;
    } catch (error) {
      this.#crews.delete(crew);
      await crew[Symbol.asyncDispose](); // a thread that has failed is no longer usable
      throw error;
    }
  }

  #start(): VisitCrew {
    const { game, folder, threads, bytes } = this.#options;
    const options = { threads: 1, bytes: bytes / threads, savesAll: true };
    const crew = new VisitCrew(game, folder, options);
    this.#crews.add(crew);
    return crew;
  }

  /** Drops the tasks under way, whose results nobody wants any more, and ends the threads. */
  async drop(): Promise<void> {
    this.#isDropped = true;
    this.#leaving.abort();
    void this.#bull.close();
    await Promise.all([...this.#crews].map((crew) => crew[Symbol.asyncDispose]()));
    await this[Symbol.asyncDispose]();
  }

  /** Finishes the tasks under way, takes no more, and ends the threads. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closing = this.#bull.close();
    this.#leaving.abort();
    await Promise.allSettled(this.#underWay);
    await atMost(LAST_MS, closing);
    disconnect(this.#options.connection);
    await atMost(CLOSE_MS, closing);
    await Promise.all([...this.#crews].map((crew) => crew[Symbol.asyncDispose]()));
  }
}
