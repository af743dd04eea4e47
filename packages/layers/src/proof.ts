import { join } from "node:path";
import {
  type Bound,
  canonical,
  type Game,
  normalShape,
  type PackedBoard,
  packBoard,
  starts,
  UNKNOWN,
} from "@gridlock/game";
import {
  BRIEF_MS,
  type LayersFile,
  orDisposed,
  patiently,
  StoreError,
  type Waiting,
} from "@gridlock/store";
import { blockLayersOf, STARTS, sizeOf } from "./blocks.js";
import { syncFiles } from "./chunk-file.js";
import type { VisitCrew } from "./crew.js";
import { lockFolder, openProgress, PROGRESS_FILE, removeStrangers } from "./folder.js";
import { ProofState } from "./proof-state.js";
import type { Visit, VisitOutcome, VisitResult } from "./visits.js";

/**
 * The time between two saves: at least this many milliseconds, and at least this many times the
 * duration of the last one. Work lost by a kill is done again.
 */
const SAVE_EVERY = 500;
const SAVE_SHARE = 20;

/** Options of a proof by layers. */
export interface LayeredProofOptions {
  /**
   * The number of blocks into which a hash splits one, a power of two; what an existing proof was
   * begun with, if given (default: that, or one that the shape suggests).
   */
  readonly split?: number | undefined;
  /**
   * Called with the name of a missing or damaged file, whose contents are then proven again.
   */
  readonly onDamage?: ((file: string) => void) | undefined;
}

/** Options of a question to a proof by layers. */
export interface AskOptions {
  /** Stops the work; everything done by then is saved. */
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: (() => void) | undefined;
  /** Receives a sentence when a wait for the locked progress file begins, and when it ends. */
  readonly onWait?: Waiting["onWait"];
}

/** Bounds that settle questions about starts; undefined: open. */
type Answers = readonly (Bound | undefined)[];

/** A proof by layers in a folder: answers questions about the starts of a game. */
export class LayeredProof implements Disposable {
  readonly folder: string;
  readonly #lock: Disposable;
  readonly #file: LayersFile;
  readonly #state: ProofState;
  readonly #starts: readonly PackedBoard[];
  readonly #onDamage: LayeredProofOptions["onDamage"];
  /** When the seconds spent were last counted, and when to save again. */
  #lastClock = 0;
  #nextSave = 0;

  private constructor(
    { shape }: Game,
    folder: string,
    lock: Disposable,
    file: LayersFile,
    onDamage: LayeredProofOptions["onDamage"],
  ) {
    this.folder = folder;
    this.#lock = lock;
    this.#file = file;
    this.#onDamage = onDamage;
    this.#state = new ProofState(folder, blockLayersOf(shape), file.load());
    this.#starts = starts(normalShape(shape)).map((board) => packBoard(canonical(board)));
    file.patience = BRIEF_MS;
    removeStrangers(folder, this.#state.files());
  }

  /**
   * Opens the proof in a folder, to resume it where it was stopped, or begins one.
   *
   * @throws {StoreError} if the folder cannot be used, belongs to another game or version, is in
   *   use, or was begun with another split
   */
  static open(
    game: Game,
    folder: string,
    { split, onDamage }: LayeredProofOptions = {},
  ): LayeredProof {
    const lock = lockFolder(folder, game);
    return orDisposed(lock, () => {
      const file = openProgress(game, folder, split);
      return orDisposed(file, () => new LayeredProof(game, folder, lock, file, onDamage));
    });
  }

  /** The number of blocks into which a hash splits one. */
  get split(): number {
    return this.#file.split;
  }

  /**
   * The thresholds of the last round, in points, one for each start; undefined if there was none.
   */
  get thresholds(): readonly number[] | undefined {
    const { round, thresholds } = this.#state.progress;
    return round === 0 ? undefined : thresholds;
  }

  /** Records that the files prove all answers again. */
  settleLosses(): void {
    this.#state.progress = { ...this.#state.progress, losses: 0 };
  }

  /** The progress of the proof, its boards, and its nodes, which are demanded and not settled. */
  get status() {
    const { progress, blocks } = this.#state;
    return { ...progress, ...sizeOf(blocks, progress.round) };
  }

  /**
   * Answers questions about all starts together: is h ≥ threshold? Returns bounds that settle the
   * questions; those of starts that are still open, if the signal stopped it, are unknown.
   *
   * @param thresholds in points, one for each start in the order of `starts`; 0: no question
   * @throws {StoreError} `damaged` if a start is open, but no block has work
   */
  async ask(
    thresholds: readonly number[],
    crew: VisitCrew,
    { signal, onStep, onWait }: AskOptions = {},
  ): Promise<Bound[]> {
    const state = this.#state;
    const waiting = { onWait, isStopped: () => signal?.aborted === true };
    const isNew = String(thresholds) !== String(state.progress.thresholds);
    if (isNew) state.beginRound({ thresholds });
    this.#lastClock = performance.now();
    let answers = await (isNew ? this.#visitStarts(crew) : this.#lookAtStarts(crew));
    for (;;) {
      let isStuck = false;
      while (answers.includes(undefined) && !isStuck && !signal?.aborted) {
        const visits = state.nextVisits();
        isStuck = visits.length === 0;
        const isLost = (await this.#visit(visits, crew)) === undefined;
        if (isLost || state.pendingIn(STARTS) > 0) answers = await this.#visitStarts(crew);
        if (performance.now() >= this.#nextSave) await this.#save(crew, waiting);
        onStep?.();
      }
      if (!answers.includes(undefined)) {
        state.dropLetters();
        // Merged, the files are the same however the work was interrupted.
        if ((await this.#visit(state.merges(), crew)) === undefined) {
          answers = await this.#visitStarts(crew);
          continue;
        }
      }
      await this.#save(crew, waiting);
      if (isStuck) {
        throw new StoreError(
          "damaged",
          `the files in ${this.folder} contradict each other: a start is open, but no block has work; delete the folder to start over`,
        );
      }
      const found = answers.values();
      return thresholds.map((threshold) =>
        threshold === 0 ? UNKNOWN : (found.next().value ?? UNKNOWN),
      );
    }
  }

  /** Returns the visit that looks at the starts with a question. */
  #startsVisit(): Visit {
    const starts = this.#state.progress.thresholds.flatMap((threshold, i) =>
      threshold > 0
        ? [{ board: this.#starts[i] as PackedBoard, need: Math.ceil(threshold / 4) }]
        : [],
    );
    return { ...this.#state.visitOf(STARTS), starts };
  }

  /** Looks at the starts in a resumed round, in which they have already made their demands. */
  async #lookAtStarts(crew: VisitCrew): Promise<Answers> {
    const visit = this.#startsVisit();
    const { last, isNewRound, letters } = visit;
    if (last !== undefined && !isNewRound && letters.length === 0) {
      const [result] = (await crew.visit([{ ...visit, step: last }])) as [VisitOutcome];
      if (!("damaged" in result)) return result.starts;
      this.#forget([result.damaged]);
    }
    return await this.#visitStarts(crew);
  }

  /** Looks at the slides of all starts, and makes their demands. */
  async #visitStarts(crew: VisitCrew): Promise<Answers> {
    for (;;) {
      const results = await this.#visit([this.#startsVisit()], crew);
      if (results?.[0]) return results[0].starts;
    }
  }

  /**
   * Makes the visits of a step; returns the results, or undefined if a file was damaged, so that a
   * round has begun.
   */
  async #visit(
    tasks: readonly Visit[],
    crew: VisitCrew,
  ): Promise<readonly VisitResult[] | undefined> {
    if (tasks.length === 0) return [];
    const outcomes = await crew.visit(tasks);
    const damaged: string[] = [];
    const visits = tasks.flatMap((visit, i) => {
      const result = outcomes[i] as VisitOutcome;
      if (!("damaged" in result)) return [{ visit, result }];
      damaged.push(result.damaged);
      return [];
    });
    this.#state.apply(visits);
    if (damaged.length === 0) return visits.map(({ result }) => result);
    this.#forget(damaged);
    return undefined;
  }

  /** Forgets damaged files, and blocks that may rest on them; everything must then be demanded anew. */
  #forget(files: readonly string[]): void {
    this.#file.expectKept();
    for (const file of new Set(files)) {
      this.#onDamage?.(join(this.folder, file));
      this.#state.forget(file);
    }
    this.#state.beginRound({ losses: this.#state.progress.losses + 1 });
  }

  /** Saves the proof between its steps, and deletes the files that it no longer needs. */
  async #save(crew: VisitCrew, waiting: Waiting): Promise<void> {
    const state = this.#state;
    const clock = performance.now();
    const seconds = state.progress.seconds + (clock - this.#lastClock) / 1000;
    state.progress = { ...state.progress, seconds };
    this.#lastClock = clock;
    state.writeLetters();
    await crew.save(state.changed);
    await syncFiles(this.folder, state.beginCommit());
    const file = join(this.folder, PROGRESS_FILE);
    await patiently(file, () => this.#file.save(state), waiting);
    removeStrangers(this.folder, state.files());
    const end = performance.now();
    this.#nextSave = end + Math.max(SAVE_EVERY, SAVE_SHARE * (end - clock));
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
    this.#lock[Symbol.dispose]();
  }
}
