import type { LayersBlock, LayersLetters } from "@gridlock/store";
import type { FilesOfBlock } from "./block-file.js";
import { type BlockNumber, firstLayerOf, STARTS } from "./blocks.js";
import { Mail } from "./mail.js";
import { lettersFileName } from "./names.js";
import { nextVisits } from "./schedule.js";
import type { Visit, VisitCounts, VisitResult } from "./visits.js";

/** The progress of a proof and its cost so far. */
export interface LayersStatus extends VisitCounts {
  readonly round: number;
  readonly step: number;
  /** Nodes, which are demanded and not settled, and boards in all blocks. */
  readonly live: number;
  readonly boards: number;
  readonly seconds: number;
}

/** Returns the step in which a file was written, by its name. */
function stepOf(file: string): number {
  return Number(file.split(".")[1]);
}

/** The blocks of a proof, including the starts, and the unread letters between them. */
export class ProofState {
  readonly #blocks = new Map<BlockNumber, LayersBlock>();
  readonly #letters = new Map<BlockNumber, LayersLetters[]>();
  /** The files of the blocks at the last commit. */
  readonly #files = new Map<BlockNumber, readonly string[]>();
  /** The blocks visited or forgotten since then. */
  readonly #changed = new Set<BlockNumber>();
  /** Number of blocks that have yet to read a file of letters. */
  readonly #readers = new Map<string, number>();
  /** Files of letters that no commit mentions and no block has yet to read. */
  #needless: string[] = [];
  /** The first step that was not committed. */
  #uncommitted = 0;
  round = 0;
  /** Those of the letters that are in memory. */
  readonly mail = new Mail();
  readonly #filesOf: FilesOfBlock;
  readonly #blockLayers: number;

  /**
   * @param filesOf lists the files of a block in the proof's folder
   * @param blockLayers layers of each block
   */
  constructor(filesOf: FilesOfBlock, blockLayers: number) {
    this.#filesOf = filesOf;
    this.#blockLayers = blockLayers;
  }

  /** Restores the blocks and the letters of an earlier run, which ended before a step. */
  restore(blocks: readonly LayersBlock[], letters: readonly LayersLetters[], step: number): void {
    for (const state of blocks) {
      this.#blocks.set(state.block, state);
      this.#files.set(state.block, this.#filesOf(state.block, state.step));
    }
    for (const letter of letters) this.#send(letter);
    this.#uncommitted = step;
  }

  /** Begins another round: nothing is demanded until the next visit of the starts. */
  beginRound(): void {
    this.round++;
    this.dropLetters();
  }

  /** Drops all letters: at the end of a round they are no longer needed. */
  dropLetters(): void {
    for (const file of this.#readers.keys()) this.#dispose(file);
    this.#readers.clear();
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
      if (block.round === this.round) live += block.live;
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
      state?.round === this.round ? state.waiting : 0,
    );
  }

  /** Returns the visits of a step. */
  nextVisits(step: number): Visit[] {
    const known = new Set([...this.#blocks.keys(), ...this.#letters.keys()]);
    const waiting = [...known]
      .map((block) => {
        const firstLayer = firstLayerOf(block, this.#blockLayers);
        const { boards = 0, live = 0 } = this.#blocks.get(block) ?? {};
        return { block, firstLayer, pending: this.pendingIn(block), boards, live };
      })
      .filter(({ block, pending }) => block !== STARTS && pending > 0);
    if (waiting.length === 0) return [];
    return nextVisits(waiting)
      .sort((a, b) => b.pending - a.pending || (a.block < b.block ? -1 : 1))
      .map(({ block }) => this.visitOf(block, step));
  }

  /** Returns visits in a step that merge the files of all blocks visited since they were merged. */
  merges(step: number): Visit[] {
    return this.blocks
      .filter(({ block, isMerged }) => block !== STARTS && !isMerged)
      .sort((a, b) => b.boards - a.boards || (a.block < b.block ? -1 : 1))
      .map(({ block }) => ({ ...this.visitOf(block, step), isMerge: true }));
  }

  /** Returns a visit of a block in a step. */
  visitOf(block: BlockNumber, step: number): Visit {
    const state = this.#blocks.get(block);
    const isNewRound = state !== undefined && state.round < this.round;
    const letters = this.#letters.get(block) ?? [];
    const files = letters.map(({ file }) => file);
    const kept = this.mail.lettersTo(block, files);
    const visit = { block, step, last: state?.step, isNewRound, letters: files };
    return kept.length === 0 ? visit : { ...visit, kept };
  }

  /** Applies the results of a step's visits. */
  apply(results: readonly { readonly visit: Visit; readonly result: VisitResult }[]): void {
    for (const { visit, result } of results) {
      const { block, step, isMerge = false } = visit;
      const { boards, live, waiting } = result;
      const counts = { boards, live, waiting };
      this.#blocks.set(block, { block, step, round: this.round, ...counts, isMerged: isMerge });
      this.#changed.add(block);
      this.#letters.delete(block);
      for (const file of visit.letters) {
        const readers = (this.#readers.get(file) as number) - 1;
        if (readers > 0) this.#readers.set(file, readers);
        else {
          this.#readers.delete(file);
          this.#dispose(file);
        }
      }
    }
    // Letters come last: a block may be visited in the same step as one that writes to it.
    for (const { visit, result } of results) {
      const file = lettersFileName(visit.block, visit.step);
      if (result.kept !== undefined) this.mail.keep(file, result.kept);
      for (const { to, items } of result.letters) this.#send({ to, file, items });
    }
  }

  #send(letter: LayersLetters): void {
    const { to, file } = letter;
    const sent = this.#letters.get(to);
    if (sent === undefined) this.#letters.set(to, [letter]);
    else sent.push(letter);
    this.#readers.set(file, (this.#readers.get(file) ?? 0) + 1);
  }

  /**
   * Forgets the block of a damaged or missing file, unless that has letters, and all that may rest on
   * the block: the starts, and blocks with layers not above its own. Another round must follow, in
   * which everything is demanded anew.
   */
  forget(file: string): void {
    if (file.endsWith(".letters")) return;
    const lost = file.slice(0, file.indexOf("."));
    const highest = lost === STARTS ? -1 : firstLayerOf(lost, this.#blockLayers);
    for (const block of [...this.#blocks.keys()]) {
      if (block !== STARTS && firstLayerOf(block, this.#blockLayers) > highest) continue;
      this.#blocks.delete(block);
      this.#changed.add(block);
    }
  }

  #dispose(file: string): void {
    if (!this.mail.drop(file) && stepOf(file) >= this.#uncommitted) this.#needless.push(file);
  }

  /** Returns the unneeded letters that no commit mentions: they can be deleted at once. */
  takeNeedless(): string[] {
    const files = this.#needless;
    this.#needless = [];
    return files;
  }

  /** The blocks visited since the last commit. */
  get changed(): LayersBlock[] {
    return [...this.#changed].flatMap((block) => this.#blocks.get(block) ?? []);
  }

  /**
   * Begins a commit of everything before a step, once the changed blocks are written; returns the
   * files that it must name and the last one did not.
   */
  beginCommit(step: number): string[] {
    const added: string[] = [];
    for (const block of this.#changed) {
      const before = this.#files.get(block) ?? [];
      const state = this.#blocks.get(block);
      const files = state === undefined ? [] : this.#filesOf(block, state.step);
      added.push(...files.filter((file) => !before.includes(file)));
      this.#files.set(block, files);
    }
    this.#changed.clear();
    this.#uncommitted = step;
    return added;
  }
}
