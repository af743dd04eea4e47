import { Thread, Threads } from "@gridlock/store";
import type * as tasks from "./tasks.js";

type Tasks = typeof tasks;
type TaskName = keyof Tasks;

/** A request to a thread: to run one of the functions of `tasks.ts`. */
export interface TaskRequest {
  readonly name: TaskName;
  readonly task: Parameters<Tasks[TaskName]>[0];
}

/** Progress of the tasks of a bench. */
export interface TaskProgress {
  readonly done: number;
  /** Tasks so far; an experiment may add more once it knows the results of others. */
  readonly asked: number;
}

/** Runs the searches and sweeps of experiments, with the settings that all of them share. */
export interface Bench {
  /** Runs one of the functions of `tasks.ts` in a worker thread. */
  run<Name extends TaskName>(
    name: Name,
    task: Parameters<Tasks[Name]>[0],
  ): Promise<ReturnType<Tasks[Name]>>;
  /** The seed of random samples. */
  readonly seed: number;
  /** Most nodes that a search for the full solution of 3×3 may generate. */
  readonly mostNodes: number;
}

/** Settings of a {@link ThreadBench}. */
export interface BenchOptions {
  readonly workers: number;
  readonly seed: number;
  readonly mostNodes: number;
  /** Called when a task is added and when one is done. */
  readonly onProgress?: (progress: TaskProgress) => void;
}

/** A bench of worker threads, with one task per thread at a time. It is closed by disposing of it. */
export class ThreadBench implements Bench, AsyncDisposable {
  readonly seed: number;
  readonly mostNodes: number;
  readonly #workers: number;
  readonly #report: (progress: TaskProgress) => void;
  /** Started by the first task. */
  #threads: Threads<TaskRequest, unknown> | undefined;
  #asked = 0;
  #done = 0;

  constructor({ workers, seed, mostNodes, onProgress = () => {} }: BenchOptions) {
    this.seed = seed;
    this.mostNodes = mostNodes;
    this.#report = onProgress;
    this.#workers = workers;
  }

  async run<Name extends TaskName>(
    name: Name,
    task: Parameters<Tasks[Name]>[0],
  ): Promise<ReturnType<Tasks[Name]>> {
    this.#asked++;
    this.#tell();
    this.#threads ??= startThreads(this.#workers);
    const result = await this.#threads.ask({ name, task });
    this.#done++;
    this.#tell();
    return result as ReturnType<Tasks[Name]>;
  }

  /** Stops the threads, even during a task; unfinished tasks are rejected. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads?.[Symbol.asyncDispose]();
  }

  #tell(): void {
    this.#report({ done: this.#done, asked: this.#asked });
  }
}

function startThreads(workers: number): Threads<TaskRequest, unknown> {
  const module = new URL("./tasks-worker.js", import.meta.url);
  const name = "a thread of the experiments";
  return new Threads(workers, () => new Thread(module, { name }));
}
