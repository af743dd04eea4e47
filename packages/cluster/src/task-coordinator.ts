import { writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Game } from "@gridlock/game";
import type { NodeCounts } from "@gridlock/kernel";
import type { LayersStatus, Visit, VisitOutcome, VisitPort } from "@gridlock/layers";
import type { StartBound } from "@gridlock/solver";
import { Queue, QueueEvents } from "bullmq";
import type { Logger } from "pino";
import { atMost, CLOSE_MS, connect, disconnect, type RedisClient } from "./connection.js";
import { type Deferred, deferred } from "./deferred.js";
import { ClusterError } from "./errors.js";
import { TASKS } from "./keys.js";
import { mend } from "./mend.js";
import type { RunMessage } from "./messages.js";
import type { Observed } from "./metrics.js";
import { isOutage } from "./outage.js";
import type { RedisOptions } from "./redis-options.js";
import { Run, type RunWork } from "./run.js";
import { awaitFolder, RUN_FILE } from "./shared-folder.js";

export interface TaskCoordinatorOptions {
  readonly redis: RedisOptions;
  readonly game: Game;
  /** The folder of the proof, in a folder that all machines reach. */
  readonly folder: string;
  readonly log: Logger;
}

/** A task that waits for its result. */
interface PendingTask {
  readonly id: string;
  readonly task: Visit;
  readonly result: Deferred<VisitOutcome>;
  /** True if the last look at the queue did not find it. */
  isMissing: boolean;
}

/** Seconds for which a failed job is kept. */
const KEPT_S = 3600;

/**
 * Has the tasks of a proof by layers done by many machines: a task is a job on a queue in Redis, and a result is the job's
 * return value. A task that is done twice, or late, does no harm: it leaves the same block, under the same name.
 *
 * Open it with `await using`, so that the lead is given up on every path.
 */
export class TaskCoordinator implements VisitPort, RunWork, AsyncDisposable {
  readonly #folder: string;
  readonly #run: Run;
  readonly #subscriber: RedisClient;
  readonly #queue: Queue<Visit, VisitOutcome>;
  readonly #events: QueueEvents;
  readonly #pending = new Map<string, PendingTask>();
  #progress = { round: 0, expanded: 0, seconds: 0 };
  #lastId = 0;
  #failure: Error | undefined;
  readonly #failing = new AbortController();

  private constructor(options: TaskCoordinatorOptions) {
    this.#folder = options.folder;
    this.#run = new Run(options, this);
    const { client, keys, log } = this.#run;
    const debug = (error: Error) => log.debug({ error: error.message }, "queue");
    this.#subscriber = connect(options.redis, "blocking", debug);
    // `checkServer` has checked the version. BullMQ's own check, interrupted by an outage, would make the queue unusable.
    this.#queue = new Queue(TASKS, {
      ...{ connection: client as never, skipVersionCheck: true, prefix: keys.prefix },
      defaultJobOptions: { removeOnComplete: true, removeOnFail: { age: KEPT_S } },
    });
    // From the beginning: an event may come before the first read.
    this.#events = new QueueEvents(TASKS, {
      ...{ connection: this.#subscriber as never, prefix: keys.prefix, lastEventId: "0" },
    });
    this.#queue.on("error", debug);
    this.#events.on("error", debug);
    this.#events.on("completed", ({ jobId, returnvalue }) =>
      this.#completed(jobId, returnvalue as unknown as VisitOutcome),
    );
    this.#events.on("failed", ({ jobId, failedReason }) => this.#failed(jobId, failedReason));
  }

  /**
   * Takes the lead of the runs under a prefix. Waits while the server is away.
   *
   * @throws {ClusterError} `busy` if another coordinator has the lead, `folder` if the folder cannot be written
   */
  static async open(options: TaskCoordinatorOptions): Promise<TaskCoordinator> {
    const coordinator = new TaskCoordinator(options);
    try {
      await coordinator.#run.begin();
      return coordinator;
    } catch (error) {
      await coordinator[Symbol.asyncDispose]();
      throw error;
    }
  }

  /**
   * Records the solve's progress, for status readers.
   *
   * @param before nodes that earlier runs of the proof have expanded
   */
  progress(
    starts: readonly StartBound[],
    { round, expanded, seconds }: LayersStatus,
    before: number,
  ): void {
    this.#run.progress(starts, 0);
    this.#run.count("", { positions: 0, afterstates: expanded - before });
    this.#progress = { round, expanded, seconds };
  }

  /**
   * Has workers do tasks; returns their results in the same order.
   *
   * @throws {ClusterError} `job` with the reason if a task fails
   * @throws the reason of {@link stop}
   */
  async visit(tasks: readonly Visit[]): Promise<readonly VisitOutcome[]> {
    if (this.#failure) throw this.#failure;
    const pending = tasks.map((task) => {
      const id = `${this.#run.id}-${++this.#lastId}`;
      const one = { id, task, result: deferred<VisitOutcome>(), isMissing: false };
      this.#pending.set(id, one);
      return one;
    });
    try {
      await this.#add(pending);
    } catch (error) {
      if (!isOutage(error)) this.fail(error as Error);
      // Otherwise the beats after the outage find that they are missing.
    }
    return await Promise.all(pending.map(({ result }) => result.promise));
  }

  /** Does nothing: workers write the file of a block after each visit. */
  async save(): Promise<void> {}

  async awaitFolder(): Promise<boolean> {
    const { id, log } = this.#run;
    return await awaitFolder(this.#folder, id, log, this.#failing.signal);
  }

  async #add(pending: readonly PendingTask[]): Promise<void> {
    const jobs = pending.map(({ id, task }) => ({ name: "task", data: task, opts: { jobId: id } }));
    if (jobs.length > 0) await this.#queue.addBulk(jobs);
  }

  #completed(id: string, result: VisitOutcome): void {
    this.#pending.get(id)?.result.resolve(result);
    this.#pending.delete(id);
  }

  #failed(id: string, reason: string): void {
    if (this.#pending.has(id)) this.fail(new ClusterError("job", `a task failed on ${reason}`));
  }

  describe(): Pick<RunMessage, "open" | "shutOut" | "layers"> {
    const layers = {
      data: dirname(this.#folder),
      folder: basename(this.#folder),
      ...this.#progress,
      tasks: this.#pending.size,
    };
    return { open: [], shutOut: [], layers };
  }

  isBusy(): boolean {
    return this.#pending.size > 0;
  }

  async begin(): Promise<void> {
    const file = join(this.#folder, RUN_FILE);
    try {
      // In place: a machine that has read the file of an earlier run sees that it has changed.
      writeFileSync(file, this.#run.id);
    } catch (error) {
      throw new ClusterError("folder", `cannot write ${file} (${(error as Error).message})`, {
        cause: error,
      });
    }
    await mend(this.#run.client, this.#run.keys, this.#run.keys.tasks, []);
    await this.#clear();
    await this.#queue.trimEvents(0);
  }

  /** Removes all jobs except those that workers have. */
  async #clear(): Promise<void> {
    await this.#queue.drain(true);
    await this.#queue.clean(0, 0, "failed");
  }

  /** Queues lost tasks again. A task is lost if it was missing twice: its event may be under way. */
  async beat(): Promise<void> {
    const { client, keys, log } = this.#run;
    const before = [...this.#pending.values()];
    const ids = before.map(({ id }) => id);
    const removed = await mend(client, keys, keys.tasks, ids);
    if (removed.length > 0) log.warn({ keys: removed }, "removed keys of the wrong type");
    const states = await Promise.all(ids.map((id) => this.#queue.getJobState(id)));
    const lost: PendingTask[] = [];
    for (const [i, one] of before.entries()) {
      const state = states[i];
      if (state === "failed") await this.#lookWhyFailed(one.id);
      const isMissing = state === "unknown" && this.#pending.has(one.id);
      if (isMissing && one.isMissing) lost.push(one);
      one.isMissing = isMissing;
    }
    if (lost.length === 0) return;
    log.warn({ tasks: lost.length }, "queued lost tasks again");
    // BullMQ queues no job under an id that it still knows, even if the job is on no list.
    await Promise.all(lost.map(({ id }) => client.del(`${keys.tasks}:${id}`)));
    await this.#add(lost);
  }

  async #lookWhyFailed(id: string): Promise<void> {
    const job = await this.#queue.getJob(id);
    if (job) this.#failed(id, job.failedReason);
  }

  /** Returns the state from which metrics are made. */
  observe(): Observed {
    return this.#run.observe();
  }

  fail(error: Error): void {
    this.#failure ??= error;
    this.#failing.abort(this.#failure);
    for (const { result } of this.#pending.values()) result.reject(this.#failure);
    this.#pending.clear();
  }

  /** Fails the tasks under way, and all later ones, with a reason. */
  stop(reason: Error): void {
    this.fail(reason);
  }

  counts(): NodeCounts {
    return this.#run.counts;
  }

  /** Empties the queue, gives up the lead and disconnects. If the server is away, the keys expire. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (await this.#run.rest()) {
      await this.#clear().catch((error: Error) =>
        this.#run.log.debug({ error: error.message }, "not tidied"),
      );
    }
    await this.#run[Symbol.asyncDispose]();
    const closing = Promise.allSettled([this.#queue.close(), this.#events.close()]);
    disconnect(this.#subscriber);
    await atMost(CLOSE_MS, closing);
  }
}
