import type { Tinypool } from "tinypool";
import type * as tasks from "./tasks.js";

type Tasks = typeof tasks;
type TaskName = keyof Tasks;

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
  readonly #pool: Promise<Tinypool>;
  readonly #report: (progress: TaskProgress) => void;
  #asked = 0;
  #done = 0;

  constructor({ workers, seed, mostNodes, onProgress = () => {} }: BenchOptions) {
    this.seed = seed;
    this.mostNodes = mostNodes;
    this.#report = onProgress;
    this.#pool = startPool(workers);
  }

  async run<Name extends TaskName>(
    name: Name,
    task: Parameters<Tasks[Name]>[0],
  ): Promise<ReturnType<Tasks[Name]>> {
    this.#asked++;
    this.#tell();
    const pool = await this.#pool;
    const result = await pool.run(task, { name });
    this.#done++;
    this.#tell();
    return result as ReturnType<Tasks[Name]>;
  }

  /** Stops the threads, even during a task; unfinished tasks are rejected. */
  async [Symbol.asyncDispose](): Promise<void> {
    const pool = await this.#pool;
    await pool.destroy();
  }

  #tell(): void {
    this.#report({ done: this.#done, asked: this.#asked });
  }
}

async function startPool(workers: number): Promise<Tinypool> {
  const { Tinypool } = await import("tinypool");
  return new Tinypool({
    filename: new URL("./tasks.js", import.meta.url).href,
    minThreads: workers,
    maxThreads: workers,
  });
}
