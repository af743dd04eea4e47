import { Tinypool } from "tinypool";
import type * as tasks from "./tasks.js";

type Tasks = typeof tasks;
type TaskName = keyof Tasks;

/** How far the tasks have come. */
export interface TaskProgress {
  readonly done: number;
  /** Tasks so far; experiments may ask for more once they know the results of others. */
  readonly asked: number;
}

/** Where experiments have their searches and sweeps done, and what all of them are to go by. */
export interface Bench {
  /** Runs one of the functions of `tasks.ts` in a worker thread. */
  run<Name extends TaskName>(
    name: Name,
    task: Parameters<Tasks[Name]>[0],
  ): Promise<ReturnType<Tasks[Name]>>;
  /** Determines what is sampled. */
  readonly seed: number;
  /** How many nodes a search for the full solution of 3×3 may generate. */
  readonly mostNodes: number;
}

/** What a bench is set up with. */
export interface BenchOptions {
  readonly workers: number;
  readonly seed: number;
  readonly mostNodes: number;
  /** Called whenever a task has been asked for or is done. */
  readonly onProgress?: (progress: TaskProgress) => void;
}

/** A bench of worker threads; each task has one to itself. */
export class ThreadBench implements Bench, AsyncDisposable {
  readonly seed: number;
  readonly mostNodes: number;
  readonly #pool: Tinypool;
  readonly #report: (progress: TaskProgress) => void;
  #asked = 0;
  #done = 0;

  constructor({ workers, seed, mostNodes, onProgress = () => {} }: BenchOptions) {
    this.seed = seed;
    this.mostNodes = mostNodes;
    this.#report = onProgress;
    this.#pool = new Tinypool({
      filename: new URL("./tasks.js", import.meta.url).href,
      minThreads: workers,
      maxThreads: workers,
    });
  }

  async run<Name extends TaskName>(
    name: Name,
    task: Parameters<Tasks[Name]>[0],
  ): Promise<ReturnType<Tasks[Name]>> {
    this.#asked++;
    this.#tell();
    const result = await this.#pool.run(task, { name });
    this.#done++;
    this.#tell();
    return result as ReturnType<Tasks[Name]>;
  }

  /** Ends the threads, also in the midst of a task; tasks that are not done are never answered. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #tell(): void {
    this.#report({ done: this.#done, asked: this.#asked });
  }
}
