import { Dispatcher, type VisitEstimate } from "@gridlock/layers";
import { tasksOf } from "./keys.js";
import { type QueuedTask, TaskQueue, type TaskQueueOptions } from "./task-queue.js";

/**
 * Visits that a worker has for each thread: one that it makes, and the next, for which it then need
 * not wait. Those that it has can no longer be given to others, so it gets no next one while it is
 * expected to work for `ENOUGH_S` seconds.
 */
export const MOST_VISITS = 2;
const ENOUGH_S = 0.02;

/** A visit that a worker is to make. */
export interface SharedVisit extends QueuedTask {
  readonly cost: VisitEstimate;
  /** The queue that has it; undefined while it waits to be given to a worker. */
  queue: TaskQueue | undefined;
}

/** A worker's own queue, and the visits on it. */
interface WorkerQueue {
  readonly queue: TaskQueue;
  readonly visits: Set<SharedVisit>;
}

/**
 * The queues of the workers: each has one for the visits that it is to make. A worker that has
 * visited a block has it in memory, so it gets the block's next visit, unless others would otherwise
 * wait for it.
 */
export class WorkerQueues implements AsyncDisposable {
  readonly #options: TaskQueueOptions;
  /** The queue from which any worker takes tasks. */
  readonly #common: TaskQueue;
  readonly #queues = new Map<string, WorkerQueue>();
  /** Workers whose queue was just opened, and is not yet on the list in Redis. */
  readonly #isNew = new Set<string>();
  readonly #dispatcher = new Dispatcher<SharedVisit, string>((worker) => this.#threadsOf(worker));

  constructor(common: TaskQueue, options: TaskQueueOptions) {
    this.#common = common;
    this.#options = options;
  }

  #threadsOf(worker: string): number {
    return this.#options.run.roster.threadsOf(worker);
  }

  /** Removes the queues that earlier runs have left. */
  async begin(): Promise<void> {
    const { client, keys } = this.#options.run;
    for (const worker of await client.smembers(keys.taskQueues)) {
      await using queue = new TaskQueue(tasksOf(worker), this.#options);
      await queue.mend([]);
      await queue.obliterate();
      await client.srem(keys.taskQueues, worker);
    }
  }

  get all(): TaskQueue[] {
    return [...this.#queues.values()].map(({ queue }) => queue);
  }

  /** Adds visits of a step. */
  async share(visits: readonly SharedVisit[]): Promise<void> {
    for (const visit of visits) {
      this.#dispatcher.add(visit, blockOf(visit) as string, visit.cost);
    }
    await this.#dispatch(this.#options.run.roster.names);
  }

  /**
   * Gives workers the visits that they should make now. While there is no worker, whoever comes
   * first may take any of them.
   */
  async #dispatch(workers: readonly string[]): Promise<void> {
    if (this.#options.run.roster.names.length === 0) {
      const visits = this.#dispatcher.takeAll();
      for (const visit of visits) visit.queue = this.#common;
      await this.#common.add(visits);
      return;
    }
    const given = new Map<TaskQueue, SharedVisit[]>();
    const { client, keys } = this.#options.run;
    // In turn, so that nobody gets all visits that any worker may make.
    for (let left = [...workers]; left.length > 0; ) {
      left = left.filter((worker) => {
        const own = this.#queues.get(worker);
        if (own !== undefined && this.#hasEnough(worker, own)) return false;
        const visit = this.#dispatcher.take(worker);
        if (visit === undefined) return false;
        const { queue, visits } = own ?? this.#open(worker);
        visits.add(visit);
        visit.queue = queue;
        given.set(queue, [...(given.get(queue) ?? []), visit]);
        return true;
      });
    }
    for (const worker of this.#isNew) {
      await client.sadd(keys.taskQueues, worker);
      await this.#queues.get(worker)?.queue.resume();
      this.#isNew.delete(worker);
    }
    await Promise.all([...given].map(([queue, visits]) => queue.add(visits)));
  }

  #hasEnough(worker: string, { visits }: WorkerQueue): boolean {
    const threads = this.#threadsOf(worker);
    if (visits.size < threads) return false;
    if (visits.size >= MOST_VISITS * threads) return true;
    let seconds = 0;
    for (const visit of visits) seconds += visit.cost.work;
    return seconds >= ENOUGH_S * threads;
  }

  #open(worker: string): WorkerQueue {
    const queue = new TaskQueue(tasksOf(worker), this.#options);
    const opened = { queue, visits: new Set<SharedVisit>() };
    this.#queues.set(worker, opened);
    this.#isNew.add(worker);
    return opened;
  }

  /**
   * Records that a task is done and, if it was a visit, gives its worker the next ones.
   *
   * @param worker undefined if this machine did it
   * @param hasBlock whether the worker may have the block in memory
   */
  async done(visit: SharedVisit, worker: string | undefined, hasBlock: boolean): Promise<void> {
    const block = blockOf(visit);
    if (block === undefined) return;
    this.#dispatcher.end(visit);
    this.#dispatcher.setHolder(block, hasBlock ? worker : undefined);
    for (const { visits } of this.#queues.values()) visits.delete(visit);
    // One that is not on the roster yet, or no longer, gets none.
    await this.#dispatch(this.#options.run.roster.names.filter((name) => name === worker));
  }

  /** Gives visits to workers that have come, and those of workers that have left to any. */
  async beat(): Promise<void> {
    const { names } = this.#options.run.roster;
    // Also those without a queue, which have only taken visits from the common one.
    this.#dispatcher.keepOnly(names);
    for (const [worker, { queue, visits }] of this.#queues) {
      if (names.includes(worker)) continue;
      this.#queues.delete(worker);
      for (const visit of visits) visit.queue = this.#common; // lost, if one of these fails
      await this.#remove(worker, queue);
      await this.#common.add([...visits]);
    }
    await this.#dispatch(names);
  }

  /** Removes a worker's queue; if the server is away, the next run does. */
  async #remove(worker: string, queue: TaskQueue): Promise<void> {
    const { client, keys } = this.#options.run;
    try {
      await queue.obliterate();
      await client.srem(keys.taskQueues, worker);
    } finally {
      await queue[Symbol.asyncDispose]();
    }
  }

  /** Forgets all visits. */
  drop(): void {
    this.#dispatcher.takeAll();
    for (const { visits } of this.#queues.values()) visits.clear();
  }

  /** Removes all queues. */
  async clear(): Promise<void> {
    for (const [worker, { queue }] of this.#queues) await this.#remove(worker, queue);
    this.#queues.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.all.map((queue) => queue[Symbol.asyncDispose]()));
  }
}

/** Returns the block that a task visits; undefined if the task is a check. */
function blockOf({ message: { work } }: QueuedTask): string | undefined {
  return "visit" in work ? work.visit.block : undefined;
}
