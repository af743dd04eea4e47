import { SECTION, type Section } from "./block-file.js";
import { type BlockNumber, STARTS } from "./blocks.js";
import { nextVisits } from "./schedule.js";
import type { BlockFiles, Letter, Visit, VisitResult, VisitTask } from "./visits.js";

/** A block, and what its last visit left. */
export interface BlockState {
  readonly block: BlockNumber;
  /** Absent if it was never visited. */
  readonly files: BlockFiles | undefined;
  /** The step of the last visit. */
  readonly step: number;
  /** The round of the last visit: demands of earlier rounds no longer count. */
  readonly round: number;
  /** Things to do: nodes left to expand, and demands and answers that have come since. */
  readonly pending: number;
  /** Boards in its files; open nodes, and those of them that something demands. */
  readonly boards: number;
  readonly open: number;
  readonly live: number;
}

/** A letter in the last file of a block, and the step in which it was written. */
interface Sent {
  readonly file: string;
  readonly step: number;
}

/** Letters by the blocks that they are for, and then by those that wrote them. */
type Letters = Map<BlockNumber, Map<BlockNumber, Sent>>;

/** The blocks of a proof, the starts among them, and the demands and answers that they have sent each other. */
export class ProofState {
  readonly #blocks = new Map<BlockNumber, BlockState>();
  readonly #demands: Letters = new Map();
  readonly #answers: Letters = new Map();
  /** The blocks to which a block has sent letters. */
  readonly #sentTo = new Map<BlockNumber, BlockNumber[]>();
  /** Blocks changed since they were last taken by {@link takeChanges}. */
  readonly #changed = new Set<BlockNumber>();
  /** Files that no block has any more. */
  #obsolete: string[] = [];
  round = 0;

  /** Takes a block and the letters in its last file from an earlier run. */
  restore(state: BlockState, letters: readonly Section[]): void {
    this.#blocks.set(state.block, state);
    if (state.round === this.round) this.#send(state, letters);
  }

  /** Begins another round: nothing is demanded until the starts demand it. */
  beginRound(round: number): void {
    this.round = round;
    this.#demands.clear();
    this.#answers.clear();
    this.#sentTo.clear();
    for (const state of this.#blocks.values())
      if (state.pending > 0) this.#put({ ...state, pending: 0 });
  }

  get blocks(): Iterable<BlockState> {
    return this.#blocks.values();
  }

  get(block: BlockNumber): BlockState {
    const unvisited = { block, files: undefined, step: 0, round: 0 };
    return this.#blocks.get(block) ?? { ...unvisited, pending: 0, boards: 0, open: 0, live: 0 };
  }

  /** The visits of the next step. */
  nextTasks(): VisitTask[] {
    const waiting = [...this.#blocks.values()].filter(
      ({ block, pending }) => block !== STARTS && pending > 0 && this.#demands.has(block),
    );
    if (waiting.length === 0) return [];
    return nextVisits(waiting)
      .sort((a, b) => b.pending - a.pending || (a.block < b.block ? -1 : 1))
      .map(({ block }) => ({
        ...this.visitOf(block),
        demands: this.#lettersFor(this.#demands, block),
      }));
  }

  /** A visit of a block, but for what is demanded of it. */
  visitOf<Block extends BlockNumber>(block: Block): Visit & { block: Block } {
    const { files, round } = this.get(block);
    const answers = this.#lettersFor(this.#answers, block).filter(({ isNew }) => isNew);
    return { block, own: files, isFresh: round < this.round, answers };
  }

  #lettersFor(letters: Letters, block: BlockNumber): Letter[] {
    const { step: visited } = this.get(block);
    return [...(letters.get(block) ?? [])]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([from, { file, step }]) => ({ from, file, isNew: step >= visited }));
  }

  /** Takes the results of a step's visits. */
  apply(
    step: number,
    results: readonly { readonly block: BlockNumber; readonly result: VisitResult }[],
  ): void {
    for (const { block, result } of results) {
      const { files, waiting: pending, boards, open, live } = result;
      this.#discard(this.get(block).files, files);
      this.#put({ ...{ block, files, step, round: this.round }, pending, boards, open, live });
    }
    // Letters come last: a block may have been visited in the same step as one that writes to it.
    for (const { block, result } of results) {
      this.#send(this.get(block), result.letters);
      for (const { block: to, other } of result.letters) {
        const state = this.get(to);
        if (other > 0) this.#put({ ...state, pending: state.pending + other });
      }
    }
  }

  /**
   * Forgets all that is known in a block: nothing else rests on it, since bounds that it has passed on are proven. What
   * other blocks demand of it will make it again.
   */
  forget(block: BlockNumber): void {
    const { files } = this.get(block);
    if (files)
      this.#obsolete.push(...[files.base, files.visit].filter((file) => file !== undefined));
    this.#blocks.delete(block);
    this.#put({ ...this.get(block), pending: 1 });
    this.#send(this.get(block), []);
  }

  /** Replaces the letters of a block. */
  #send({ block, files, step }: BlockState, letters: readonly Section[]): void {
    for (const to of this.#sentTo.get(block) ?? []) {
      for (const box of [this.#demands, this.#answers]) {
        box.get(to)?.delete(block);
        if (box.get(to)?.size === 0) box.delete(to);
      }
    }
    for (const { kind, block: to } of letters) {
      const box = kind === SECTION.demands ? this.#demands : this.#answers;
      let sent = box.get(to);
      if (sent === undefined) {
        sent = new Map();
        box.set(to, sent);
      }
      sent.set(block, { file: (files as BlockFiles).visit, step });
    }
    this.#sentTo.set(
      block,
      letters.map((letter) => letter.block),
    );
  }

  #put(state: BlockState): void {
    this.#blocks.set(state.block, state);
    this.#changed.add(state.block);
  }

  #discard(old: BlockFiles | undefined, now: BlockFiles): void {
    for (const file of [old?.base, old?.visit]) {
      if (file !== undefined && file !== now.base && file !== now.visit) this.#obsolete.push(file);
    }
  }

  /** Returns the blocks that have changed since the last call, and the files that no block has any more. */
  takeChanges(): { changed: BlockState[]; obsolete: string[] } {
    const changed = [...this.#changed].map((block) => this.get(block));
    const changes = { changed, obsolete: this.#obsolete };
    this.#changed.clear();
    this.#obsolete = [];
    return changes;
  }
}
