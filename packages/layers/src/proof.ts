import { join } from "node:path";
import {
  canonical,
  type Game,
  normalShape,
  type PackedBoard,
  type PackedNode,
  packBoard,
  starts,
} from "@gridlock/game";
import { type LayersFile, StoreError, type Waiting } from "@gridlock/store";
import { filesOfBlocks } from "./block-file.js";
import { blockLayersOf, STARTS } from "./blocks.js";
import type { VisitCrew } from "./crew.js";
import { lockFolder, openProgress, removeStrangers } from "./folder.js";
import { ProofSaver } from "./proof-saver.js";
import { type LayersStatus, ProofState } from "./proof-state.js";
import {
  addCounts,
  type StartResult,
  type Visit,
  type VisitCounts,
  type VisitOutcome,
} from "./visits.js";

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
  readonly onStep?: ((status: LayersStatus) => void) | undefined;
  /** Receives a sentence when a wait for the locked progress file begins, and when it ends. */
  readonly onWait?: Waiting["onWait"];
}

/** A proof by layers in a folder: answers questions about the starts of a game. */
export class LayeredProof implements Disposable {
  readonly folder: string;
  /** The number of blocks into which a hash splits one. */
  readonly split: number;
  readonly #lock: Disposable;
  readonly #state: ProofState;
  readonly #starts: readonly PackedBoard[];
  readonly #saver: ProofSaver;
  readonly #onDamage: ((file: string) => void) | undefined;
  #counts: VisitCounts = { expanded: 0, lookedAgain: 0, looks: 0 };
  #step = 0;
  #thresholds: number[];
  #losses = 0;

  private constructor(
    game: Game,
    folder: string,
    file: LayersFile,
    lock: Disposable,
    onDamage: ((file: string) => void) | undefined,
  ) {
    this.#onDamage = onDamage;
    const normal = { ...game, shape: normalShape(game.shape) };
    this.folder = folder;
    this.split = file.split;
    this.#lock = lock;
    this.#state = new ProofState(filesOfBlocks(folder), blockLayersOf(normal.shape));
    this.#starts = starts(normal.shape).map((board) => packBoard(canonical(board)));
    this.#thresholds = this.#starts.map(() => 0);
    const { progress, blocks, letters } = file.load();
    const seconds = progress?.seconds ?? 0;
    this.#saver = new ProofSaver(folder, file, this.#state, seconds);
    if (progress) {
      const { expanded, lookedAgain, looks } = progress;
      this.#counts = { expanded, lookedAgain, looks };
      this.#state.round = progress.round;
      this.#step = progress.step;
      this.#thresholds = [...progress.thresholds];
      this.#losses = progress.losses;
    }
    this.#state.restore(blocks, letters, this.#step);
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
    let file: LayersFile | undefined;
    try {
      file = openProgress(game, folder, split);
      return new LayeredProof(game, folder, file, lock, onDamage);
    } catch (error) {
      file?.[Symbol.dispose]();
      lock[Symbol.dispose]();
      throw error;
    }
  }

  /**
   * The thresholds of the last round, in points, one for each start; undefined if there was none.
   */
  get thresholds(): readonly number[] | undefined {
    return this.#state.round === 0 ? undefined : this.#thresholds;
  }

  /** Times that blocks on which earlier answers rest were forgotten, since `settleLosses`. */
  get losses(): number {
    return this.#losses;
  }

  /** Records that the files prove all answers again. */
  settleLosses(): void {
    this.#losses = 0;
  }

  /** Returns the node of a start, by its index among the starts. */
  nodeOf(start: number): PackedNode {
    return { turn: "slider", board: this.#starts[start] as PackedBoard };
  }

  get status(): LayersStatus {
    return {
      ...{ ...this.#counts, ...this.#state.size },
      ...{ round: this.#state.round, step: this.#step, seconds: this.#saver.seconds },
    };
  }

  /**
   * Answers questions about all starts together: is h ≥ threshold? Returns bounds in points that
   * settle the questions or, if the signal stopped it, those settled by then.
   *
   * @param thresholds in points, one for each start in the order of `starts`; 0: no question
   * @throws {StoreError} `damaged` if a start is open, but no block has work
   */
  async ask(
    thresholds: readonly number[],
    crew: VisitCrew,
    { signal, onStep, onWait }: AskOptions = {},
  ): Promise<(StartResult | undefined)[]> {
    const waiting = { onWait, isStopped: () => signal?.aborted === true };
    const isNew = !thresholds.every((threshold, i) => threshold === this.#thresholds[i]);
    if (isNew) {
      this.#thresholds = [...thresholds];
      this.#state.beginRound();
    }
    this.#saver.startClock();
    let results = await (isNew ? this.#visitStarts(crew) : this.#lookAtStarts(crew));
    for (;;) {
      let isStuck = false;
      while (results.some(isOpen) && !isStuck && !signal?.aborted) {
        isStuck = !(await this.#takeStep(crew));
        if (this.#state.pendingIn(STARTS) > 0) results = await this.#visitStarts(crew);
        if (this.#saver.isDue) await this.#save(crew, waiting);
        onStep?.(this.status);
      }
      if (!results.some(isOpen)) {
        this.#state.dropLetters();
        // Merged, the files are the same however the work was interrupted.
        if (!(await this.#visit(this.#state.merges(this.#step), crew))) {
          results = await this.#visitStarts(crew);
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
      return results;
    }
  }

  /** Returns the indices of the starts with a question. */
  #asked(): number[] {
    return this.#thresholds.flatMap((threshold, index) => (threshold > 0 ? [index] : []));
  }

  #startsVisit(): Visit {
    const starts = this.#asked().map((index) => ({
      board: this.#starts[index] as PackedBoard,
      need: Math.ceil((this.#thresholds[index] as number) / 4),
    }));
    return { ...this.#state.visitOf(STARTS, this.#step), starts };
  }

  /** Looks at the starts in a resumed round, in which they have already made their demands. */
  async #lookAtStarts(crew: VisitCrew): Promise<(StartResult | undefined)[]> {
    const visit = this.#startsVisit();
    const { last, isNewRound, letters } = visit;
    if (last !== undefined && !isNewRound && letters.length === 0) {
      const [result] = (await crew.visit([{ ...visit, step: last }])) as [VisitOutcome];
      if (!("damaged" in result)) return this.#resultsOf(result.starts);
      this.#forget([result.damaged]);
    }
    return await this.#visitStarts(crew);
  }

  /** Looks at the slides of all starts, and makes their demands. */
  async #visitStarts(crew: VisitCrew): Promise<(StartResult | undefined)[]> {
    for (;;) {
      const visit = this.#startsVisit();
      const [result] = (await crew.visit([visit])) as [VisitOutcome];
      if ("damaged" in result) this.#forget([result.damaged]);
      else {
        this.#endStep([{ visit, result }]);
        return this.#resultsOf(result.starts);
      }
    }
  }

  #endStep(visits: Parameters<ProofState["apply"]>[0]): void {
    this.#state.apply(visits);
    this.#step++;
    this.#saver.tidy();
  }

  /** Returns results in points, for all starts. */
  #resultsOf(results: readonly StartResult[]): (StartResult | undefined)[] {
    const all: (StartResult | undefined)[] = this.#thresholds.map(() => undefined);
    for (const [i, index] of this.#asked().entries()) {
      const { outcome, bound } = results[i] as StartResult;
      all[index] = { outcome, bound: 4 * bound };
    }
    return all;
  }

  /** Makes the next visits; returns false if no block has work. */
  async #takeStep(crew: VisitCrew): Promise<boolean> {
    const tasks = this.#state.nextVisits(this.#step);
    if (tasks.length === 0) return false;
    if (!(await this.#visit(tasks, crew))) await this.#visitStarts(crew);
    return true;
  }

  /** Makes the visits of a step; returns false if a file was damaged, so that a round has begun. */
  async #visit(tasks: readonly Visit[], crew: VisitCrew): Promise<boolean> {
    if (tasks.length === 0) return true;
    const outcomes = await crew.visit(tasks);
    const damaged: string[] = [];
    const visits = tasks.flatMap((visit, i) => {
      const result = outcomes[i] as VisitOutcome;
      if (!("damaged" in result)) return [{ visit, result }];
      damaged.push(result.damaged);
      return [];
    });
    for (const { result } of visits) this.#counts = addCounts(this.#counts, result);
    this.#endStep(visits);
    if (damaged.length > 0) this.#forget(damaged);
    return damaged.length === 0;
  }

  /** Forgets damaged files, and blocks that may rest on them; everything must then be demanded anew. */
  #forget(files: readonly string[]): void {
    this.#saver.expectFolder();
    for (const file of new Set(files)) {
      this.#onDamage?.(join(this.folder, file));
      this.#state.forget(file);
    }
    this.#losses++;
    this.#state.beginRound();
  }

  async #save(crew: VisitCrew, waiting: Waiting): Promise<void> {
    const progress = {
      ...{ round: this.#state.round, step: this.#step, thresholds: this.#thresholds },
      ...{ ...this.#counts, losses: this.#losses },
    };
    await this.#saver.save(progress, crew, waiting);
  }

  [Symbol.dispose](): void {
    this.#saver[Symbol.dispose]();
    this.#lock[Symbol.dispose]();
  }
}

function isOpen(result: StartResult | undefined): boolean {
  return result?.outcome === "open";
}
