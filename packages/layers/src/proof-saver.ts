import { join } from "node:path";
import {
  BRIEF_MS,
  type LayersFile,
  type LayersProgress,
  patiently,
  type Waiting,
} from "@gridlock/store";
import { syncFiles } from "./chunk-file.js";
import type { VisitCrew } from "./crew.js";
import { PROGRESS_FILE, removeFile, removeStrangers } from "./folder.js";
import type { ProofState } from "./proof-state.js";

/**
 * The time between two saves: at least this many milliseconds, and at least this many times the
 * duration of the last one. Work lost by a kill is done again.
 */
const SAVE_EVERY = 500;
const SAVE_SHARE = 20;

/** Saves a proof between its steps, and then deletes the files that it no longer needs. */
export class ProofSaver implements Disposable {
  readonly #folder: string;
  readonly #file: LayersFile;
  readonly #state: ProofState;
  #seconds: number;
  #lastClock = performance.now();
  #nextSave = 0;

  /**
   * @param file closed with the saver
   * @param seconds spent on the proof by earlier runs
   */
  constructor(folder: string, file: LayersFile, state: ProofState, seconds: number) {
    this.#folder = folder;
    this.#file = file;
    this.#state = state;
    this.#seconds = seconds;
    file.patience = BRIEF_MS;
  }

  /** Seconds spent on the proof until the last save, in all runs. */
  get seconds(): number {
    return this.#seconds;
  }

  /** True if enough time has passed since the last save. */
  get isDue(): boolean {
    return performance.now() >= this.#nextSave;
  }

  /** @throws {StoreError} `replaced` if the proof's folder was moved or removed */
  expectFolder(): void {
    this.#file.expectKept();
  }

  /** Begins to count seconds; the time since the last save does not count. */
  startClock(): void {
    this.#lastClock = performance.now();
  }

  /**
   * Between saves, removes files that nothing needs, and writes letters that take much memory.
   *
   * @throws {StoreError} if a file cannot be written
   */
  tidy(): void {
    for (const file of this.#state.takeNeedless()) removeFile(this.#folder, file);
    this.#state.mail.limit(this.#folder);
  }

  /** Saves the proof. */
  async save(
    progress: Omit<LayersProgress, "seconds">,
    crew: VisitCrew,
    waiting: Waiting,
  ): Promise<void> {
    const clock = performance.now();
    this.#seconds += (clock - this.#lastClock) / 1000;
    this.#lastClock = clock;
    this.#state.mail.write(this.#folder);
    await crew.save(this.#state.changed);
    await syncFiles(this.#folder, this.#state.beginCommit(progress.step));
    const { blocks, letters } = this.#state;
    const state = { progress: { ...progress, seconds: this.#seconds }, blocks, letters };
    await patiently(join(this.#folder, PROGRESS_FILE), () => this.#file.save(state), waiting);
    removeStrangers(this.#folder, this.#state.files());
    const end = performance.now();
    this.#nextSave = end + Math.max(SAVE_EVERY, SAVE_SHARE * (end - clock));
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }
}
