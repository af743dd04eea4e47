import type { Bound } from "@gridlock/game";
import {
  allNodes,
  createTable,
  Journal,
  Kernel,
  partsOf,
  preferLargePages,
  STACK_MB,
  Steps,
  ThreadMonitor,
} from "@gridlock/kernel";
import { type Agenda, Answers, type Question, type Subtree } from "@gridlock/solver";
import { startThreads, Thread } from "@gridlock/threads";
import type { SimulationOptions } from "./options.js";
import type { ThreadData, ThreadRequest } from "./thread-worker.js";

/** The question that a coordinator has announced, and what it comes from. */
export interface Announced {
  readonly question: Question;
  readonly agenda: Agenda | undefined;
}

/** A subtree of a question. */
export interface Job {
  readonly subtree: Subtree;
  readonly of: Question;
}

/** The search of a machine: a job, or a question of the run. */
export interface Task {
  readonly question: Question;
  readonly job: Job | undefined;
}

/** A thread of a virtual machine. */
export class VirtualThread extends Thread<ThreadRequest, Bound | undefined> {
  readonly steps: Steps;
  readonly #thread: number;
  readonly #monitor: ThreadMonitor;
  /** Its answer, once it has ended. */
  answer: Promise<Bound | undefined> = Promise.resolve(undefined);
  /** Time that it has lost to other work than search. */
  lost = 0;
  hasEnded = true;

  constructor(workerData: ThreadData, monitor: ThreadMonitor) {
    const resourceLimits = { stackSizeMb: STACK_MB };
    const options = { name: "a virtual thread", workerData, resourceLimits };
    super(new URL("./thread-worker.js", import.meta.url), options);
    this.steps = new Steps(workerData.table, workerData.thread);
    this.#thread = workerData.thread;
    this.#monitor = monitor;
  }

  /** Starts a search, at a time or when the thread is free; it stops at its first check. */
  begin(request: ThreadRequest, time: number): void {
    this.lost += Math.max(0, time - this.time());
    this.steps.begin();
    this.answer = this.ask(request);
    this.answer.catch(() => {}); // reported where it is awaited
    this.arrive();
  }

  /** Waits until it has reached its next check or the end of its search. */
  arrive(): void {
    this.hasEnded = !this.steps.arrived();
  }

  /** The time by its clock: the nodes that it has expanded, and what it has lost. */
  time(): number {
    return allNodes(this.#monitor.countsOf(this.#thread)) + this.lost;
  }
}

/** A machine with a table and threads of its own, which exchanges records with others. */
export class VirtualMachine implements AsyncDisposable {
  readonly threads: readonly VirtualThread[];
  readonly kernel: Kernel;
  readonly journal: Journal;
  readonly #monitor: ThreadMonitor;
  /** The search under way. */
  task: Task | undefined;
  /** The numbers of the subtrees that it has or that are on their way to it. */
  readonly given = new Set<number>();
  /** Jobs that it has, to do after the one under way. */
  waiting: Job[] = [];
  /** The question that it was told last, and the answers that it knows. */
  announced: Announced | undefined;
  readonly answers = new Answers();

  /** @throws {RangeError} if the table cannot be created; see `createTable`. */
  constructor(options: SimulationOptions, order: number) {
    const { game, memory, machines, threads, effort } = options;
    const table = createTable(game, memory, threads + 1);
    preferLargePages(partsOf(table));
    this.kernel = new Kernel(table, threads);
    this.journal = new Journal(table);
    if (machines > 1) this.journal.open(effort);
    this.#monitor = new ThreadMonitor(table);
    const company = { together: machines * threads > 1, neighbours: threads > 1, order };
    this.threads = startThreads(
      threads,
      (thread) => new VirtualThread({ table, thread, ...company }, this.#monitor),
    );
  }

  /** Returns whether a thread searches, and its clock is before a time. */
  isUnderWay(thread: number, until: number): boolean {
    const one = this.threads[thread] as VirtualThread;
    return !one.hasEnded && one.time() < until;
  }

  /** Begins a search at a time, with all threads; the one before must have ended. */
  search(task: Task, time: number): void {
    const { question, job } = task;
    const budget = job && Math.ceil(job.subtree.budget / this.threads.length);
    this.task = task;
    for (const thread of this.threads) thread.begin({ question, budget }, time);
  }

  /** The question to search without a job: the announced one or, by known answers, a later one. */
  get open(): Question | undefined {
    if (this.announced === undefined) return undefined;
    const { question, agenda } = this.announced;
    if (agenda) return this.answers.next(agenda);
    return this.answers.get(question) ? undefined : question;
  }

  /** Ends the search under way; returns the bound of a thread that has answered. */
  async stop(): Promise<Bound | undefined> {
    this.task = undefined;
    this.#monitor.requestStop();
    for (const thread of this.threads) {
      while (!thread.hasEnded) {
        thread.steps.goOn();
        thread.arrive();
      }
    }
    this.#monitor.requestStop(false);
    const bounds = await Promise.all(this.threads.map(({ answer }) => answer));
    return bounds.find((bound) => bound !== undefined);
  }

  /** The number of nodes that all threads have expanded. */
  get nodes(): number {
    return allNodes(this.#monitor.counts());
  }

  /** Takes time for other work than search from the threads, in equal parts. */
  lose(time: number): void {
    for (const thread of this.threads) thread.lost += time / this.threads.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread[Symbol.asyncDispose]()));
  }
}
