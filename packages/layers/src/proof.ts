import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  canonical,
  describeGame,
  type Game,
  normalShape,
  type PackedBoard,
  type PackedNode,
  packBoard,
  starts,
} from "@gridlock/game";
import { LayersFile, pathBeside, takeLock } from "@gridlock/store";
import { blockOfFile, DamagedFile, lettersIn } from "./block-file.js";
import { STARTS } from "./blocks.js";
import { boundsIn, type ProvenNode } from "./bound-list.js";
import type { VisitPort } from "./crew.js";
import { layersVersion } from "./module.js";
import { ProofState } from "./proof-state.js";
import { Visitor } from "./visitor.js";
import type { StartResult, StartsTask, VisitCounts, VisitOutcome } from "./visits.js";

/** Name of the file that says where a proof stands. */
const PROGRESS_FILE = "progress.db";
/** Name of the file that a process holds while it works on a proof. */
const LOCK_FILE = "lock";
/** Milliseconds between two commits of the progress; what a kill loses is done again. */
const COMMIT_EVERY = 500;
/** Memory for looking at starts. */
const STARTS_BYTES = 48 * 2 ** 20;

/** Returns the folder of a game's proof beside a database. */
export function layersFolderOf(databaseFile: string, game: Game): string {
  return pathBeside(databaseFile, game, "layers");
}

/** The progress of a proof and its cost so far. */
export interface LayersStatus extends VisitCounts {
  readonly round: number;
  readonly step: number;
  /** Nodes that are open and demanded, and boards in all blocks. */
  readonly live: number;
  readonly boards: number;
  readonly seconds: number;
}

/** A proof by layers in a folder: answers questions about the starts of a game. */
export class LayeredProof implements Disposable {
  readonly folder: string;
  readonly #game: Game;
  readonly #file: LayersFile;
  readonly #lock: Disposable;
  readonly #state: ProofState;
  readonly #starts: readonly PackedBoard[];
  readonly #visitor: Visitor;
  readonly #onDamage: ((file: string) => void) | undefined;
  #counts: VisitCounts = { expanded: 0, chosenAgain: 0, looks: 0 };
  #round = 0;
  #step = 0;
  #thresholds: number[];
  #seconds = 0;
  #lastCommit = 0;
  #lastClock = performance.now();

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
    this.#game = normal;
    this.#file = file;
    this.#lock = lock;
    this.#state = new ProofState();
    this.#visitor = new Visitor(normal, folder, STARTS_BYTES);
    this.#starts = starts(normal.shape).map((board) => packBoard(canonical(board)));
    this.#thresholds = this.#starts.map(() => 0);
  }

  /**
   * Opens the proof in a folder, or begins one; resumes where it was stopped.
   *
   * @param onDamage called with the name of a file that is missing or damaged; its block is then made again
   * @throws {StoreError} if the folder cannot be used, belongs to another game or version, or is in use
   */
  static open(game: Game, folder: string, onDamage?: (file: string) => void): LayeredProof {
    const lock = takeLock(join(folder, LOCK_FILE), `solving ${describeGame(game)} layer by layer`);
    let file: LayersFile | undefined;
    try {
      file = LayersFile.open(join(folder, PROGRESS_FILE), game, layersVersion(game.shape));
      const proof = new LayeredProof(game, folder, file, lock, onDamage);
      proof.#restore();
      return proof;
    } catch (error) {
      file?.[Symbol.dispose]();
      lock[Symbol.dispose]();
      throw error;
    }
  }

  #restore(): void {
    const { progress, blocks } = this.#file.load();
    if (progress) {
      this.#counts = progress;
      this.#round = progress.round;
      this.#step = progress.step;
      this.#thresholds = [...progress.thresholds];
      this.#seconds = progress.seconds;
    }
    this.#state.round = this.#round;
    const damaged: string[] = [];
    for (const { base, visit, ...block } of blocks) {
      const files = visit === null ? undefined : { base: base ?? undefined, visit };
      const isCurrent = visit !== null && block.round === this.#round;
      try {
        this.#state.restore({ ...block, files }, isCurrent ? lettersIn(this.folder, visit) : []);
      } catch (error) {
        if (!(error instanceof DamagedFile)) throw error;
        this.#state.restore({ ...block, files }, []);
        damaged.push(error.file);
      }
    }
    for (const file of damaged) this.#forget(file);
    this.#removeStrangers(new Set(this.#filesInUse()));
  }

  *#filesInUse(): Iterable<string> {
    for (const { files } of this.#state.blocks) {
      if (files?.base) yield files.base;
      if (files) yield files.visit;
    }
  }

  /** Removes what a killed run has left. */
  #removeStrangers(known: ReadonlySet<string>): void {
    for (const name of readdirSync(this.folder)) {
      if (!/\.(visit|bounds|tmp)$/.test(name) || known.has(name)) continue;
      rmSync(join(this.folder, name), { force: true });
    }
  }

  /** The thresholds of the last round, in points, one for each start; undefined if there was none. */
  get thresholds(): readonly number[] | undefined {
    return this.#round === 0 ? undefined : this.#thresholds;
  }

  /** Returns the node of a start, by its index among the starts. */
  nodeOf(start: number): PackedNode {
    return { turn: "slider", board: this.#starts[start] as PackedBoard };
  }

  /** The bounds of all nodes, those that are known twice with the better bound last. */
  *bounds(): Iterable<ProvenNode> {
    for (const { block, files } of this.#state.blocks) {
      if (files && block !== STARTS) yield* boundsIn(this.#game, this.folder, files);
    }
  }

  get status(): LayersStatus {
    let [live, boards] = [0, 0];
    for (const block of this.#state.blocks) {
      if (block.round === this.#round) live += block.live;
      boards += block.boards;
    }
    return {
      ...this.#counts,
      ...{ round: this.#round, step: this.#step },
      ...{ live, boards, seconds: this.#seconds },
    };
  }

  /**
   * Answers questions about all starts together: is h ≥ threshold? Returns what is known in the end, in points: bounds
   * that settle the questions or, if the signal stopped it, whatever is settled by then.
   *
   * @param thresholds in points, one for each start in the order of `starts`; 0: no question
   */
  async ask(
    thresholds: readonly number[],
    port: VisitPort,
    signal?: AbortSignal,
    onStep?: (status: LayersStatus) => void,
  ): Promise<(StartResult | undefined)[]> {
    const isNew = !thresholds.every((threshold, i) => threshold === this.#thresholds[i]);
    if (isNew) {
      this.#thresholds = [...thresholds];
      this.#round++;
      this.#state.beginRound(this.#round);
    }
    this.#lastClock = performance.now();
    let results = isNew ? this.#visitStarts() : this.#lookAtStarts();
    try {
      while (results.some((result) => result?.outcome === "open") && !signal?.aborted) {
        await this.#takeStep(port);
        if (this.#state.get(STARTS).pending > 0) results = this.#visitStarts();
        this.#commit(false);
        onStep?.(this.status);
      }
    } finally {
      this.#commit(true);
    }
    return results;
  }

  /** The starts that are asked about, by their indices. */
  #asked(): number[] {
    return this.#thresholds.flatMap((threshold, index) => (threshold > 0 ? [index] : []));
  }

  #startsTask(): StartsTask {
    const starts = this.#asked().map((index) => ({
      board: this.#starts[index] as PackedBoard,
      need: Math.ceil((this.#thresholds[index] as number) / 4),
    }));
    return { ...this.#state.visitOf(STARTS), starts };
  }

  /** Looks at the starts in a round that is resumed: they have demanded what they need already. */
  #lookAtStarts(): (StartResult | undefined)[] {
    if (this.#state.get(STARTS).pending > 0) return this.#visitStarts();
    try {
      return this.#resultsOf(this.#visitor.lookAtStarts(this.#startsTask()));
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error;
      this.#forget(error.file);
      return this.#visitStarts();
    }
  }

  /** Looks at the slides of all starts, and demands what they need. */
  #visitStarts(): (StartResult | undefined)[] {
    for (;;) {
      try {
        const { results, visit } = this.#visitor.visitStarts(this.#startsTask());
        this.#state.apply(this.#step, [{ block: STARTS, result: visit }]);
        this.#step++;
        return this.#resultsOf(results);
      } catch (error) {
        if (!(error instanceof DamagedFile)) throw error;
        this.#forget(error.file);
      }
    }
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

  async #takeStep(port: VisitPort): Promise<void> {
    const tasks = this.#state.nextTasks();
    if (tasks.length === 0) throw new Error("no block is left to visit, but a start is open");
    const outcomes = await port.visit(tasks);
    const visits = tasks.flatMap(({ block }, i) => {
      const result = outcomes[i] as VisitOutcome;
      return "damaged" in result ? [] : [{ block, result }];
    });
    for (const { result } of visits) this.#counts = sum(this.#counts, result);
    this.#state.apply(this.#step, visits);
    this.#step++;
    for (const outcome of outcomes) if ("damaged" in outcome) this.#forget(outcome.damaged);
  }

  /** Forgets the block of a damaged file. */
  #forget(file: string): void {
    this.#onDamage?.(file);
    this.#state.forget(blockOfFile(file));
  }

  /** Saves where the proof stands, if the last time is long enough ago, and then deletes what it no longer needs. */
  #commit(now: boolean): void {
    const clock = performance.now();
    this.#seconds += (clock - this.#lastClock) / 1000;
    this.#lastClock = clock;
    if (!now && clock - this.#lastCommit < COMMIT_EVERY) return;
    const { changed, obsolete } = this.#state.takeChanges();
    this.#file.save({
      progress: {
        ...{ round: this.#round, step: this.#step, thresholds: this.#thresholds },
        ...{ ...this.#counts, seconds: this.#seconds },
      },
      blocks: changed.map(({ files, ...block }) => ({
        ...block,
        ...{ base: files?.base ?? null, visit: files?.visit ?? null },
      })),
    });
    const inUse = obsolete.length > 0 ? new Set(this.#filesInUse()) : new Set();
    for (const name of obsolete) {
      // A block can come back to the same state, and so to the same file.
      if (!inUse.has(name)) rmSync(join(this.folder, name), { force: true });
    }
    this.#lastCommit = performance.now();
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
    this.#lock[Symbol.dispose]();
  }
}

function sum(a: VisitCounts, b: VisitCounts): VisitCounts {
  return {
    expanded: a.expanded + b.expanded,
    chosenAgain: a.chosenAgain + b.chosenAgain,
    looks: a.looks + b.looks,
  };
}
