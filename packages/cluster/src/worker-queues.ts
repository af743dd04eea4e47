import { Dispatcher, type Remainder, type VisitEstimate } from "@gridlock/layers";
import type { TaskAnswer } from "./agreement.js";
import { tasksOf } from "./keys.js";
import { damageIn, type TaskOutcome } from "./task-messages.js";
import { type QueuedTask, TaskQueue, type TaskQueueOptions } from "./task-queue.js";

/**
 * Visits that a worker has for each thread: one that it makes, and the next, for which it then need
 * not wait. Those that it has can no longer be given to others, so it gets no next one while it is
 * expected to work for `ENOUGH_S` seconds.
 */
export const MOST_VISITS = 2;
const ENOUGH_S = 0.02;

/**
 * Bytes of a board in a worker's memory, roughly: most have a slot of 16 bytes, and seven tenths of
 * the slots are used; packed boards take fewer, nodes and growing tables more.
 */
const BOARD_BYTES = 24;

/** A task that a worker is to do. */
export interface WorkerTask extends QueuedTask {
  readonly cost: VisitEstimate;
  /** The queue that has it; undefined while it waits to be given to a worker. */
  queue: TaskQueue | undefined;
}

/** A worker's own queue, and the tasks on it. */
interface WorkerQueue {
  readonly queue: TaskQueue;
  readonly tasks: Set<WorkerTask>;
}

/**
 * The queues of the workers: each has one for the visits and remainders that are for it. A worker that has
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
  readonly #dispatcher = new Dispatcher<WorkerTask, string>((worker) => this.#threadsOf(worker));

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
  async share(visits: readonly WorkerTask[]): Promise<void> {
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
    const given = new Map<TaskQueue, WorkerTask[]>();
    // In turn, so that nobody gets all visits that any worker may make.
    for (let left = [...workers]; left.length > 0; ) {
      left = left.filter((worker) => {
        const own = this.#queues.get(worker);
        if (own !== undefined && this.#hasEnough(worker, own)) return false;
        const visit = this.#dispatcher.take(worker);
        if (visit === undefined) return false;
        const queue = this.#assign(visit, worker);
        given.set(queue, [...(given.get(queue) ?? []), visit]);
        return true;
      });
    }
    await this.#enlist();
    await Promise.all([...given].map(([queue, visits]) => queue.add(visits)));
  }

  #hasEnough(worker: string, { tasks }: WorkerQueue): boolean {
    const threads = this.#threadsOf(worker);
    if (tasks.size < threads) return false;
    if (tasks.size >= MOST_VISITS * threads) return true;
    let seconds = 0;
    for (const task of tasks) seconds += task.cost.work;
    return seconds >= ENOUGH_S * threads;
  }

  /** Records that a worker is to do a task; returns the queue on which to put it. */
  #assign(task: WorkerTask, worker: string): TaskQueue {
    const { queue, tasks } = this.#queues.get(worker) ?? this.#open(worker);
    tasks.add(task);
    task.queue = queue;
    return queue;
  }

  #open(worker: string): WorkerQueue {
    const queue = new TaskQueue(tasksOf(worker), this.#options);
    queue.listen();
    const opened = { queue, tasks: new Set<WorkerTask>() };
    this.#queues.set(worker, opened);
    this.#isNew.add(worker);
    return opened;
  }

  /** Records in Redis which workers have a queue. */
  async #enlist(): Promise<void> {
    const { client, keys } = this.#options.run;
    for (const worker of this.#isNew) {
      await client.sadd(keys.taskQueues, worker);
      await this.#queues.get(worker)?.queue.resume();
      this.#isNew.delete(worker);
    }
  }

  /**
   * Returns the worker that has most boards of a round in memory, among those with room for all of
   * them; undefined if none has.
   */
  holderOf({ blocks }: Remainder): string | undefined {
    const { roster } = this.#options.run;
    const all = blocks.reduce((sum, { boards }) => sum + boards, 0);
    const able = roster.names.filter((name) => roster.memoryOf(name) >= BOARD_BYTES * all);
    const held = new Map(able.map((name) => [name, 0]));
    for (const { block, boards } of blocks) {
      const holder = this.#dispatcher.holderOf(block);
      const before = holder === undefined ? undefined : held.get(holder);
      if (before !== undefined) held.set(holder as string, before + boards);
    }
    return able.sort((a, b) => (held.get(b) as number) - (held.get(a) as number))[0];
  }

  /** Gives a worker a task. */
  async give(task: WorkerTask, worker: string): Promise<void> {
    const queue = this.#assign(task, worker);
    await this.#enlist();
    await queue.add([task]);
  }

  /** Records that a task is done and, if it made visits, gives its worker the next ones. */
  async done(task: WorkerTask, { worker, outcome }: TaskAnswer<TaskOutcome>): Promise<void> {
    if ("check" in outcome) return;
    this.#dispatcher.end(task);
    for (const [block, isThere] of blocksAfter(task, outcome)) {
      this.#dispatcher.setHolder(block, isThere ? worker : undefined);
    }
    for (const { tasks } of this.#queues.values()) tasks.delete(task);
    // One that is not on the roster yet, or no longer, gets none.
    await this.#dispatch(this.#options.run.roster.names.filter((name) => name === worker));
  }

  /** Gives visits to workers that have come, and those of workers that have left to any. */
  async beat(): Promise<void> {
    const { names } = this.#options.run.roster;
    // Also those without a queue, which have only taken visits from the common one.
    this.#dispatcher.keepOnly(names);
    for (const [worker, { queue, tasks }] of this.#queues) {
      if (names.includes(worker)) continue;
      this.#queues.delete(worker);
      for (const task of tasks) task.queue = this.#common; // lost, if one of these fails
      await this.#remove(worker, queue);
      await this.#common.add([...tasks]);
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

  /** Forgets all tasks. */
  drop(): void {
    this.#dispatcher.takeAll();
    for (const { tasks } of this.#queues.values()) tasks.clear();
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

/** Returns the block that a task visits; undefined if it is no visit. */
function blockOf({ message: { work } }: QueuedTask): string | undefined {
  return "visit" in work ? work.visit.block : undefined;
}

/** Lists the blocks that a task has visited, and whether they may be in the worker's memory. */
function blocksAfter(task: QueuedTask, outcome: TaskOutcome): (readonly [string, boolean])[] {
  if ("remainder" in outcome) {
    return outcome.remainder.flat().map(({ block, outcome }) => [block, !("damaged" in outcome)]);
  }
  const block = blockOf(task);
  return block === undefined ? [] : [[block, damageIn(outcome) === undefined]];
}
