import { Dispatcher } from "./dispatch.js";
import type { LayersRecord } from "./record.js";
import {
  leastSeconds,
  type Machines,
  type Phase,
  phasesOf,
  type ReplayTask,
  tasksOf,
} from "./replay-tasks.js";

/*
 * Replays a recorded run on other machines, in virtual time: an event is the end of a phase of a
 * task. Transfers share the links and the folder. The result depends neither on chance nor on the
 * machine that replays.
 */

/**
 * Thread-seconds in the queue, with files, in visits, during the coordinator's work, and without a
 * task.
 */
export type ReplayTimes = Readonly<Record<Phase["kind"] | "coordinator" | "idle", number>>;

/** A replayed run. */
export interface Replay {
  readonly seconds: number;
  readonly times: ReplayTimes;
  /**
   * Seconds that more machines could not save: those of the longest task of each step, or of the
   * longest chain.
   */
  readonly criticalPath: number;
}

/**
 * Replays a run.
 *
 * @param relaxed lets a visit begin as soon as its dependencies are done, instead of all visits of
 *   the previous step, on any machine, and ignores the coordinator's time: the best result of a
 *   schedule without steps
 */
export function replay(record: LayersRecord, machines: Machines, relaxed: boolean): Replay {
  const steps = tasksOf(record);
  const fleet = new Fleet(machines);
  let coordinator = 0;
  let criticalPath = 0;
  if (relaxed) {
    fleet.do(steps.flat());
    criticalPath = longestChain(steps.flat(), machines);
  } else {
    for (const [i, tasks] of steps.entries()) {
      const began = fleet.seconds;
      if (record.steps[i]?.isRemainder) {
        fleet.workOff(tasks);
        criticalPath += fleet.seconds - began;
      } else {
        fleet.do(tasks);
        criticalPath += Math.max(0, ...tasks.map((task) => leastSeconds(task, machines)));
      }
    }
    coordinator = record.steps.reduce((sum, step) => sum + step.coordinator, record.end);
  }
  const seconds = fleet.seconds + coordinator;
  const threads = machines.machines * machines.threads;
  const { queue, files, work } = fleet.times;
  // At least 0: the sums are rounded.
  const idle = Math.max(0, threads * fleet.seconds - queue - files - work);
  return {
    seconds,
    times: { queue, files, work, coordinator: threads * coordinator, idle },
    criticalPath: criticalPath + coordinator,
  };
}

/** Returns the least seconds of the longest chain of tasks. */
function longestChain(tasks: readonly ReplayTask[], machines: Machines): number {
  const ends = new Map<ReplayTask, number>();
  let longest = 0;
  for (const task of tasks) {
    const begin = task.after.reduce((most, one) => Math.max(most, ends.get(one) as number), 0);
    const end = begin + leastSeconds(task, machines);
    ends.set(task, end);
    longest = Math.max(longest, end);
  }
  return longest;
}

/** A thread's task, its remaining phases, and the rest of the first of these. */
interface Running {
  readonly task: ReplayTask;
  readonly thread: number;
  readonly machine: number;
  readonly phases: Phase[];
  left: number;
}

/** The threads of all machines. */
class Fleet {
  readonly #machines: Machines;
  /** Threads without a task, the longest waiting first. */
  readonly #idle: number[];
  readonly #running = new Set<Running>();
  readonly #dispatcher: Dispatcher<ReplayTask, number>;
  readonly #done = new Set<ReplayTask>();
  /** The machine that works off a remainder, and the tasks that it has yet to begin. */
  #alone: number | undefined;
  #ofAlone: ReplayTask[] = [];
  /** Seconds until the queue has given that machine its next task. */
  #latency = 0;
  readonly times = { queue: 0, files: 0, work: 0 };
  seconds = 0;

  constructor(machines: Machines) {
    this.#machines = machines;
    this.#dispatcher = new Dispatcher(() => machines.threads);
    this.#idle = Array.from({ length: machines.machines * machines.threads }, (_, i) => i);
  }

  /** Does tasks, each after its dependencies. */
  do(tasks: readonly ReplayTask[]): void {
    this.#alone = undefined;
    const waiting = new Map<ReplayTask, number>();
    const next = new Map<ReplayTask, ReplayTask[]>();
    for (const task of tasks) {
      const before = new Set(task.after.filter((one) => !this.#done.has(one)));
      if (before.size === 0) this.#add(task);
      else waiting.set(task, before.size);
      for (const one of before) next.set(one, [...(next.get(one) ?? []), task]);
    }
    this.#begin();
    while (this.#running.size > 0) {
      for (const task of this.#advance()) {
        for (const one of next.get(task) ?? []) {
          const left = (waiting.get(one) as number) - 1;
          waiting.set(one, left);
          if (left === 0) this.#add(one);
        }
      }
      this.#begin();
    }
  }

  /**
   * Does the tasks of a step of a remainder, on the machine that has most of their blocks or has done
   * the step before. The queue gives it only the first one, and it writes no files after each.
   */
  workOff(tasks: readonly ReplayTask[]): void {
    if (this.#alone === undefined) {
      this.#alone = this.#holderOf(tasks);
      this.#latency = this.#machines.latency;
    }
    this.#ofAlone = [...tasks];
    for (this.#begin(); this.#running.size > 0; this.#begin()) this.#advance();
  }

  /** Returns the machine that has most bytes of some tasks' blocks in memory. */
  #holderOf(tasks: readonly ReplayTask[]): number {
    const bytes = new Map<number, number>();
    for (const { block, blockRead } of tasks) {
      const holder = this.#dispatcher.holderOf(block) ?? 0;
      bytes.set(holder, (bytes.get(holder) ?? 0) + blockRead);
    }
    const [most] = [...bytes].sort(([, a], [, b]) => b - a);
    return most?.[0] ?? 0;
  }

  #add(task: ReplayTask): void {
    this.#dispatcher.add(task, task.block, task.estimate);
  }

  /** Gives tasks to idle threads. */
  #begin(): void {
    for (const thread of this.#idle.splice(0)) {
      const machine = thread % this.#machines.machines;
      const task = this.#take(machine);
      if (task === undefined) {
        this.#idle.push(thread);
        continue;
      }
      const isHeld = this.#dispatcher.holderOf(task.block) === machine;
      const phases = phasesOf(task, this.#machines, isHeld);
      if (this.#alone !== undefined) {
        phases[0] = { ...(phases[0] as Phase), amount: this.#latency };
        this.#latency = 0;
      }
      this.#running.add({ task, thread, machine, phases, left: (phases[0] as Phase).amount });
    }
  }

  #take(machine: number): ReplayTask | undefined {
    if (this.#alone === undefined) return this.#dispatcher.take(machine);
    return machine === this.#alone ? this.#ofAlone.shift() : undefined;
  }

  /** Advances to the next end of a phase; returns the finished tasks. */
  #advance(): ReplayTask[] {
    const running = [...this.#running];
    const rates = this.#rates(running);
    const ends = running.map(({ left }, i) => left / (rates[i] as number));
    const seconds = Math.min(...ends);
    this.seconds += seconds;
    return running.flatMap((one, i) => {
      this.times[(one.phases[0] as Phase).kind] += seconds;
      if ((ends[i] as number) > seconds) {
        one.left -= (rates[i] as number) * seconds;
        return [];
      }
      one.phases.shift();
      while (one.phases[0]?.amount === 0) one.phases.shift();
      if (one.phases[0]) {
        one.left = one.phases[0].amount;
        return [];
      }
      this.#running.delete(one);
      this.#idle.push(one.thread);
      this.#dispatcher.end(one.task);
      if (this.#machines.keeps) this.#dispatcher.setHolder(one.task.block, one.machine);
      this.#done.add(one.task);
      return [one.task];
    });
  }

  /**
   * Returns the seconds or bytes that each phase completes per second: transfers share links and
   * the folder.
   */
  #rates(running: readonly Running[]): number[] {
    const { link, disk } = this.#machines;
    const onLink = new Map<number, number>();
    let transfers = 0;
    for (const { machine, phases } of running) {
      if (!phases[0]?.isTransfer) continue;
      onLink.set(machine, (onLink.get(machine) ?? 0) + 1);
      transfers++;
    }
    return running.map(({ machine, phases }) =>
      phases[0]?.isTransfer
        ? Math.min(link / (onLink.get(machine) as number), disk / transfers)
        : 1,
    );
  }
}
