import type { LayersBlock, LayersLetters, LayersProgress, LayersState } from "@gridlock/store";
import { filesOfBlock } from "./block-file.js";
import { type BlockNumber, firstLayerOf, STARTS } from "./blocks.js";
import { removeFile } from "./folder.js";
import { Mail } from "./mail.js";
import { lettersFileName, partsOf } from "./names.js";
import { nextVisits } from "./schedule.js";
import type { Visit, VisitResult } from "./visits.js";

/** The state of a proof: its progress, its blocks, including the starts, and the unread letters. */
export class ProofState implements LayersState {
  progress: LayersProgress;
  /** Those of the letters that are in memory. */
  readonly mail: Mail;
  readonly #folder: string;
  readonly #blockLayers: number;
  readonly #blocks = new Map<BlockNumber, LayersBlock>();
  readonly #letters = new Map<BlockNumber, LayersLetters[]>();
  /** Number of blocks that have yet to read a file of letters. */
  readonly #readers = new Map<string, number>();
  /** The files of the blocks at the last commit. */
  readonly #files = new Map<BlockNumber, readonly string[]>();
  /** The blocks visited or forgotten since then. */
  readonly #changed = new Set<BlockNumber>();
  /** The first step that was not committed. */
  #uncommitted: number;

  /**
   * @param blockLayers layers of each block
   * @param saved the state in which an earlier run left the proof
   */
  constructor(folder: string, blockLayers: number, { progress, blocks, letters }: LayersState) {
    this.#folder = folder;
    this.#blockLayers = blockLayers;
    this.mail = new Mail(folder);
    this.progress = progress;
    this.#uncommitted = progress.step;
    for (const state of blocks) {
      this.#blocks.set(state.block, state);
      this.#files.set(state.block, filesOfBlock(folder, state.block, state.step));
    }
    for (const letter of letters) this.#send(letter);
  }

  /** Begins another round: nothing is demanded until the next visit of the starts. */
  beginRound(changes: Partial<LayersProgress>): void {
    this.progress = { ...this.progress, ...changes, round: this.progress.round + 1 };
    this.dropLetters();
  }

  /** Drops all letters: at the end of a round they are no longer needed. */
  dropLetters(): void {
    for (const file of this.#readers.keys()) this.#drop(file);
    this.#letters.clear();
  }

  get blocks(): readonly LayersBlock[] {
    return [...this.#blocks.values()];
  }

  get letters(): LayersLetters[] {
    return [...this.#letters.values()].flat();
  }

  /** The number of boards, and of nodes that are open in this round. */
  get size(): { readonly boards: number; readonly live: number } {
    let [boards, live] = [0, 0];
    for (const block of this.#blocks.values()) {
      boards += block.boards;
      if (block.round === this.progress.round) live += block.live;
    }
    return { boards, live };
  }

  /** Lists the files that the proof needs just after a commit. */
  files(): string[] {
    return [...[...this.#files.values()].flat(), ...this.#readers.keys()];
  }

  /** Counts the work in a block: unread demands and answers, and nodes left to expand. */
  pendingIn(block: BlockNumber): number {
    const state = this.#blocks.get(block);
    const letters = this.#letters.get(block) ?? [];
    return letters.reduce(
      (sum, { items }) => sum + items,
      state?.round === this.progress.round ? state.waiting : 0,
    );
  }

  /** Returns the visits of the next step; an empty list if no block has work. */
  nextVisits(): Visit[] {
    const known = new Set([...this.#blocks.keys(), ...this.#letters.keys()]);
    const waiting = [...known]
      .map((block) => {
        const firstLayer = firstLayerOf(block, this.#blockLayers);
        const { boards = 0, live = 0 } = this.#blocks.get(block) ?? {};
        return { block, firstLayer, pending: this.pendingIn(block), boards, live };
      })
      .filter(({ block, pending }) => block !== STARTS && pending > 0);
    return nextVisits(waiting)
      .sort((a, b) => b.pending - a.pending || (a.block < b.block ? -1 : 1))
      .map(({ block }) => this.visitOf(block));
  }

  /** Returns visits that merge the files of all blocks visited since they were merged. */
  merges(): Visit[] {
    return this.blocks
      .filter(({ block, isMerged }) => block !== STARTS && !isMerged)
      .sort((a, b) => b.boards - a.boards || (a.block < b.block ? -1 : 1))
      .map(({ block }) => ({ ...this.visitOf(block), isMerge: true }));
  }

  /** Returns a visit of a block in the next step. */
  visitOf(block: BlockNumber): Visit {
    const state = this.#blocks.get(block);
    const { step, round } = this.progress;
    const letters = this.#letters.get(block) ?? [];
    return {
      ...{ block, step, last: state?.step },
      isNewRound: state !== undefined && state.round < round,
      letters: letters.map(({ file }) => ({ file, kept: this.mail.lettersTo(block, file) })),
    };
  }

  /** Applies the results of the next step's visits. */
  apply(results: readonly { readonly visit: Visit; readonly result: VisitResult }[]): void {
    const { round, step } = this.progress;
    let { expanded, lookedAgain, looks } = this.progress;
    for (const { visit, result } of results) {
      const { block, isMerge: isMerged = false } = visit;
      if (block !== STARTS) {
        expanded += result.expanded;
        lookedAgain += result.lookedAgain;
        looks += result.looks;
      }
      const { boards, live, waiting } = result;
      this.#blocks.set(block, { block, step, round, boards, live, waiting, isMerged });
      this.#changed.add(block);
      this.#letters.delete(block);
      for (const { file } of visit.letters) {
        const readers = (this.#readers.get(file) as number) - 1;
        this.#readers.set(file, readers);
        if (readers === 0) this.#drop(file);
      }
    }
    // Letters come last: a block may be visited in the same step as one that writes to it.
    for (const { visit, result } of results) {
      const file = lettersFileName(visit.block, step);
      if (result.kept.length > 0) this.mail.keep(file, result.kept);
      for (const { to, items } of result.letters) this.#send({ to, file, items });
    }
    this.progress = { ...this.progress, step: step + 1, expanded, lookedAgain, looks };
  }

  #send(letter: LayersLetters): void {
    const { to, file } = letter;
    const sent = this.#letters.get(to);
    if (sent === undefined) this.#letters.set(to, [letter]);
    else sent.push(letter);
    this.#readers.set(file, (this.#readers.get(file) ?? 0) + 1);
  }

  /** Forgets a file of letters, and deletes it unless the last commit mentions it. */
  #drop(file: string): void {
    this.#readers.delete(file);
    const isInFile = !this.mail.drop(file);
    if (isInFile && partsOf(file).step >= this.#uncommitted) removeFile(this.#folder, file);
  }

  /**
   * Forgets the block of a damaged or missing file, unless that has letters, and all that may rest on
   * the block: the starts, and blocks with layers not above its own. Another round must follow, in
   * which everything is demanded anew.
   */
  forget(file: string): void {
    if (file.endsWith(".letters")) return;
    const { block: lost } = partsOf(file);
    const highest = lost === STARTS ? -1 : firstLayerOf(lost, this.#blockLayers);
    for (const block of [...this.#blocks.keys()]) {
      if (block !== STARTS && firstLayerOf(block, this.#blockLayers) > highest) continue;
      this.#blocks.delete(block);
      this.#changed.add(block);
    }
  }

  /** The blocks visited since the last commit. */
  get changed(): LayersBlock[] {
    return [...this.#changed].flatMap((block) => this.#blocks.get(block) ?? []);
  }

  /**
   * Begins a commit of everything so far, once the changed blocks are written; returns the files that
   * it must name and the last one did not.
   */
  beginCommit(): string[] {
    const added: string[] = [];
    for (const block of this.#changed) {
      const before = this.#files.get(block) ?? [];
      const state = this.#blocks.get(block);
      const files = state === undefined ? [] : filesOfBlock(this.#folder, block, state.step);
      added.push(...files.filter((file) => !before.includes(file)));
      this.#files.set(block, files);
    }
    this.#changed.clear();
    this.#uncommitted = this.progress.step;
    return added;
  }
}
