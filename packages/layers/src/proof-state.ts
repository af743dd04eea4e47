import type { LayersBlock, LayersLetters, LayersProgress, LayersState } from "@gridlock/store";
import { bytesOf, filesOfBlock, type Letters, writeLetters } from "./block-file.js";
import { type BlockNumber, firstLayerOf, STARTS } from "./blocks.js";
import { removeFile } from "./folder.js";
import { lettersFileName, partsOf } from "./names.js";
import { nextVisits } from "./schedule.js";
import type { SentLetters, Visit, VisitResult } from "./visits.js";

/** The letters that no file has go to files when they take more bytes than this. */
const MOST_KEPT_BYTES = 2 ** 25;

/** Letters of a visit that a block has not read yet. */
interface UnreadLetters extends LayersLetters {
  /** The letters, unless they are in the file. */
  kept: Letters | undefined;
}

/** The state of a proof: its progress, its blocks, including the starts, and the unread letters. */
export class ProofState implements LayersState {
  progress: LayersProgress;
  readonly #folder: string;
  readonly #blockLayers: number;
  readonly #blocks = new Map<BlockNumber, LayersBlock>();
  readonly #letters = new Map<BlockNumber, UnreadLetters[]>();
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
    this.progress = progress;
    this.#uncommitted = progress.step;
    for (const state of blocks) {
      this.#blocks.set(state.block, state);
      this.#files.set(state.block, filesOfBlock(folder, state.block, state.step));
    }
    for (const { to, file, items } of letters) this.#send(file, { to, items, kept: undefined });
  }

  /** Begins another round: nothing is demanded until the next visit of the starts. */
  beginRound(changes: Partial<LayersProgress>): void {
    this.progress = { ...this.progress, ...changes, round: this.progress.round + 1 };
    this.dropLetters();
  }

  /** Drops all letters: at the end of a round they are no longer needed. */
  dropLetters(): void {
    const { letters } = this;
    this.#letters.clear();
    this.#removeRead(letters);
  }

  get blocks(): readonly LayersBlock[] {
    return [...this.#blocks.values()];
  }

  get letters(): UnreadLetters[] {
    return [...this.#letters.values()].flat();
  }

  /** Lists the files that the proof needs just after a commit. */
  files(): string[] {
    return [...this.#files.values()].flat().concat(this.letters.map(({ file }) => file));
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
      letters: letters.map(({ file, kept }) => ({ file, kept })),
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
    }
    this.#removeRead(results.flatMap(({ visit }) => visit.letters));
    // Letters come last: a block may be visited in the same step as one that writes to it.
    for (const { visit, result } of results) {
      const file = lettersFileName(visit.block, step);
      for (const letters of result.letters) this.#send(file, letters);
    }
    if (bytesOf(this.letters.flatMap(({ kept }) => kept ?? [])) > MOST_KEPT_BYTES) {
      this.writeLetters();
    }
    this.progress = { ...this.progress, step: step + 1, expanded, lookedAgain, looks };
  }

  #send(file: string, letters: SentLetters): void {
    const sent = this.#letters.get(letters.to) ?? [];
    sent.push({ ...letters, file });
    this.#letters.set(letters.to, sent);
  }

  /**
   * Writes the letters that are in memory to their files. Most are read before that: a file for the
   * letters of each visit would take longer than a visit to a small block.
   *
   * @throws {StoreError} if a file cannot be written
   */
  writeLetters(): void {
    const files = new Map<string, Letters[]>();
    for (const { file, kept } of this.letters) {
      if (kept) files.set(file, [...(files.get(file) ?? []), kept]);
    }
    for (const [file, letters] of files) writeLetters(this.#folder, file, letters);
    for (const letters of this.letters) letters.kept = undefined;
  }

  /** Deletes the files of letters that were read, unless the last commit or unread ones need them. */
  #removeRead(letters: Visit["letters"]): void {
    const unread = new Set(this.letters.map(({ file }) => file));
    for (const { file, kept } of letters) {
      const isNeeded = kept !== undefined || unread.has(file);
      if (!isNeeded && partsOf(file).step >= this.#uncommitted) removeFile(this.#folder, file);
    }
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
