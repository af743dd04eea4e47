import { createHash } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  canonical,
  describeGame,
  type Game,
  normalShape,
  type PackedNode,
  packBoard,
  starts,
  tileSum,
} from "@gridlock/game";
import { estimate } from "@gridlock/solver";
import { LayersFile, pathBeside, takeLock } from "@gridlock/store";
import { boundsIn, type ProvenNode } from "./bound-list.js";
import type { VisitPort } from "./crew.js";
import { layersVersion } from "./module.js";
import { PartFile, SECTION, writePartFile } from "./part-file.js";
import { ProofState } from "./proof-state.js";
import { type StartResult, type VisitCounts, Visitor, type VisitTask } from "./visitor.js";
import { isActive, stepsUntilActive } from "./waves.js";

/** Name of the file that says where a proof stands. */
const PROGRESS_FILE = "progress.db";
/** Name of the file that a process holds while it works on a proof. */
const LOCK_FILE = "lock";
/** Milliseconds between two commits of the progress; what a kill loses is done again. */
const COMMIT_EVERY = 500;
/** Estimated nodes of a shape for each part of its largest layers. */
const NODES_PER_PART = 2 ** 25;
/** The first layer with two parts, and the layers from there until the number of parts doubles. */
const FIRST_PARTED_LAYER = 12;
const DOUBLING_LAYERS = 4;
const MOST_PARTS_LOG2 = 10;
/** Bytes for looking at starts: they need few parts of small layers. */
const STARTS_BYTES = 48 * 2 ** 20;

/** Returns the binary logarithm of the number of parts of a game's layers, by the number of the layer. */
function partsOf({ shape }: Game): (layer: number) => number {
  const most = Math.ceil(Math.log2(Math.max(1, estimate(shape).nodes / NODES_PER_PART)));
  return (layer) =>
    Math.max(
      0,
      Math.min(
        ...[most, MOST_PARTS_LOG2, 1 + Math.floor((layer - FIRST_PARTED_LAYER) / DOUBLING_LAYERS)],
      ),
    );
}

/** Returns the folder of a game's proof beside a database. */
export function layersFolderOf(databaseFile: string, game: Game): string {
  return pathBeside(databaseFile, game, "layers");
}

/** The progress of a proof and its cost so far. */
export interface LayersStatus extends VisitCounts {
  readonly round: number;
  readonly step: number;
  /** Nodes that are open and demanded, and bounds known. */
  readonly live: number;
  readonly bounds: number;
  readonly seconds: number;
}

interface Start {
  readonly index: number;
  readonly board: ReturnType<typeof packBoard>;
  /** The layer of the afterstates that follow: half the tile sum. */
  readonly layer: number;
}

/** A proof by layers in a folder: answers questions about the starts of a game. */
export class LayeredProof implements Disposable {
  readonly folder: string;
  readonly #game: Game;
  readonly #file: LayersFile;
  readonly #lock: Disposable;
  readonly #state: ProofState;
  readonly #starts: readonly Start[];
  readonly #visitor: Visitor;
  #counts: VisitCounts = { expanded: 0, revisited: 0, looks: 0 };
  #round = 0;
  #step = 0;
  #startsDirty = false;
  #thresholds: number[];
  #seconds = 0;
  #lastCommit = 0;
  #lastClock = performance.now();

  private constructor(game: Game, folder: string, file: LayersFile, lock: Disposable) {
    const normal = { ...game, shape: normalShape(game.shape) };
    this.folder = folder;
    this.#game = normal;
    this.#file = file;
    this.#lock = lock;
    this.#state = new ProofState(partsOf(normal));
    this.#visitor = new Visitor(normal, folder, STARTS_BYTES);
    this.#starts = starts(normal.shape).map((board, index) => ({
      index,
      board: packBoard(canonical(board)),
      layer: tileSum(board) / 2,
    }));
    this.#thresholds = this.#starts.map(() => 0);
  }

  /**
   * Opens the proof in a folder, or begins one; resumes where it was stopped.
   *
   * @throws {StoreError} if the folder cannot be used, belongs to another game or version, or is in use
   */
  static open(game: Game, folder: string): LayeredProof {
    const lock = takeLock(join(folder, LOCK_FILE), `solving ${describeGame(game)} layer by layer`);
    let file: LayersFile | undefined;
    try {
      file = LayersFile.open(join(folder, PROGRESS_FILE), game, layersVersion(game.shape));
      const proof = new LayeredProof(game, folder, file, lock);
      proof.#restore();
      return proof;
    } catch (error) {
      file?.[Symbol.dispose]();
      lock[Symbol.dispose]();
      throw error;
    }
  }

  #restore(): void {
    const { progress, parts, starts: startFiles } = this.#file.load();
    if (progress) {
      this.#counts = progress;
      this.#round = progress.round;
      this.#step = progress.step;
      this.#startsDirty = progress.startsDirty;
      this.#thresholds = [...progress.thresholds];
      this.#seconds = progress.seconds;
    }
    this.#state.round = this.#round;
    const demandsIn = (name: string) => {
      using file = new PartFile(this.folder, name);
      return file.sections.filter(({ kind }) => kind === SECTION.demands);
    };
    for (const { base, visit, step, ...part } of parts) {
      const files = { base: base ?? undefined, visit: visit ?? undefined, step };
      const sections = visit && part.round === this.#round ? demandsIn(visit) : [];
      this.#state.restore({ ...part, files }, sections);
    }
    for (const [layer, name] of startFiles) {
      this.#state.restoreStarts(layer, name, demandsIn(name));
    }
    this.#removeStrangers(new Set([...this.#filesInUse()]));
  }

  *#filesInUse(): Iterable<string> {
    for (const { files } of this.#state.parts) {
      if (files.base) yield files.base;
      if (files.visit) yield files.visit;
    }
    for (const [, file] of this.#state.startFiles()) yield file;
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
    const { board } = this.#starts[start] as Start;
    return { turn: "slider", board };
  }

  /** The bounds of all nodes, those that are known twice with the better bound last. */
  *bounds(): Iterable<ProvenNode> {
    for (const { files } of this.#state.parts) {
      yield* boundsIn(this.#game, this.folder, [files.base, files.visit]);
    }
  }

  get status(): LayersStatus {
    let [live, bounds] = [0, 0];
    for (const part of this.#state.parts) {
      if (part.round === this.#round) live += part.live;
      bounds += part.bounds;
    }
    return {
      ...this.#counts,
      ...{ round: this.#round, step: this.#step },
      ...{ live, bounds, seconds: this.#seconds },
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
    if (!thresholds.every((threshold, i) => threshold === this.#thresholds[i])) {
      this.#thresholds = [...thresholds];
      this.#round++;
      this.#startsDirty = true;
      this.#state.beginRound(this.#round);
    }
    this.#lastClock = performance.now();
    const results: (StartResult | undefined)[] = thresholds.map(() => undefined);
    try {
      // In a round that is resumed, the starts may have to be looked at only for their results.
      if (!this.#startsDirty) this.#lookAtStarts(results, false);
      for (;;) {
        if (this.#startsDirty) this.#lookAtStarts(results, true);
        if (results.every((result, i) => thresholds[i] === 0 || result?.outcome !== "open")) break;
        if (signal?.aborted) break;
        await this.#takeStep(port);
        onStep?.(this.status);
      }
    } finally {
      this.#commit(true);
    }
    return results;
  }

  /**
   * Looks at the slides of all starts.
   *
   * @param demanding whether to demand what they need
   */
  #lookAtStarts(results: (StartResult | undefined)[], demanding: boolean): void {
    this.#startsDirty = false;
    for (const layer of new Set(this.#starts.map(({ layer }) => layer))) {
      const asked = this.#starts.filter(
        (start) => start.layer === layer && (this.#thresholds[start.index] as number) > 0,
      );
      const files = this.#state.filesOf(layer);
      const questions = asked.map(({ index, board }) => ({
        board,
        need: Math.ceil((this.#thresholds[index] as number) / 4),
      }));
      const inputs = [files, questions.map(({ board, need }) => [board.toString(16), need])];
      const digest = createHash("sha256").update(JSON.stringify(inputs)).digest("hex");
      const name = `start.${layer}.${digest.slice(0, 20)}.visit`;
      const found = this.#visitor.visitStarts({ files, starts: questions });
      found.results.forEach((result, i) => {
        results[asked[i]?.index as number] = { ...result, bound: 4 * result.bound };
      });
      if (!demanding) continue;
      const written = writePartFile(this.folder, name, found.demands);
      this.#state.applyStarts(layer, name, written);
    }
  }

  /** Takes the next step in which there is something to visit. */
  async #takeStep(port: VisitPort): Promise<void> {
    const dirty = this.#state.dirtyLayers();
    if (dirty.length === 0) throw new Error("no part is left to visit, but a start is open");
    this.#step += Math.min(...dirty.map((layer) => stepsUntilActive(layer, this.#step)));
    const layers = dirty.filter((layer) => isActive(layer, this.#step));
    const tasks = layers.flatMap((layer) => this.#state.tasksOf(layer, this.#step));
    const results = await port.visit(tasks);
    const pairs = tasks.map((task, i) => ({
      task,
      result: results[i] as (typeof results)[number],
    }));
    this.#state.apply(pairs);
    for (const { task, result } of pairs) {
      this.#counts = sum(this.#counts, result);
      if (result.learned > 0 && this.#isBelowStarts(task)) this.#startsDirty = true;
    }
    this.#step++;
    this.#commit(false);
  }

  #isBelowStarts({ layer }: VisitTask): boolean {
    return this.#starts.some((start) => start.layer === layer);
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
        ...{ startsDirty: this.#startsDirty, seconds: this.#seconds },
        ...this.#counts,
      },
      parts: changed.map(({ files, ...part }) => ({
        ...part,
        base: files.base ?? null,
        visit: files.visit ?? null,
        step: files.step,
      })),
      starts: this.#state.startFiles(),
    });
    const inUse = obsolete.length > 0 ? new Set(this.#filesInUse()) : new Set();
    for (const name of obsolete) {
      // A part can come back to the same state, and so to the same file.
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
    revisited: a.revisited + b.revisited,
    looks: a.looks + b.looks,
  };
}
