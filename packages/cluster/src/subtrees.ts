import type { Bound, Game, PackedNode } from "@gridlock/game";
import type { RunMessage, SubtreeMessage } from "@gridlock/schemas/cluster";
import { Frontier, type Question } from "@gridlock/solver";
import type { BoundEntry } from "@gridlock/store";
import type { JobQueue } from "./jobs.js";
import { PROTOCOL, writeQuestion } from "./messages.js";
import { DIVIDE_MS, REFILL_MS } from "./timing.js";

/** The parts of a coordinator that its subtrees need. */
export interface SubtreesOptions {
  readonly run: string;
  readonly game: Game;
  readonly queue: JobQueue;
  /** Returns what earlier runs have proven of a node with a canonical board. */
  known(node: PackedNode): Bound | undefined;
  /** Returns the number of workers now, and the nodes that they have searched in this run. */
  workers(): { readonly count: number; readonly nodes: number };
  /** Called with the bound that answers the question. */
  onAnswer(bound: Bound): void;
  /** Called with ids of subtrees that workers search though they no longer matter. */
  onCancel(ids: readonly string[]): Promise<void>;
  onError(error: Error): void;
}

/** The subtrees of the question under way that are on the queue. */
export class Subtrees implements Disposable {
  readonly #options: SubtreesOptions;
  readonly #frontier: Frontier;
  /** The question that was begun last. */
  #question: Question | undefined;
  /** Those that were on the queue at the last look. */
  #before: readonly number[] = [];
  #later: NodeJS.Timeout | undefined;

  constructor(options: SubtreesOptions) {
    this.#options = options;
    this.#frontier = new Frontier(options.game, (node) => options.known(node));
  }

  /**
   * Begins a question. It is answered at once if that follows from what is known, and divided if it
   * is not answered soon.
   *
   * @param known a bound of its board
   */
  open(question: Question, known?: Bound): void {
    this.#question = question;
    this.#frontier.open(question, this.#options.workers().nodes);
    if (known) this.#frontier.learn(known);
    if (this.#frontier.answer) this.#options.onAnswer(this.#frontier.answer);
    else this.#refillIn(DIVIDE_MS);
  }

  /** Ends the question, and removes its subtrees. */
  close(): void {
    this.#frontier.close();
    this.refill();
  }

  /** Receives a bound of the board of the question. */
  learn(bound: Bound): void {
    this.#frontier.learn(bound);
    if (this.#frontier.answer) this.#options.onAnswer(this.#frontier.answer);
  }

  /**
   * Receives the result of a subtree, with its bound unless its budget was spent or its search has
   * failed; returns whether it was waited for.
   */
  finish(id: string, bounds: readonly BoundEntry[]): boolean {
    const number = this.#numberOf(id);
    const subtree = this.#frontier.subtrees.find((each) => each.id === number);
    if (subtree === undefined) return false;
    const { turn, board } = subtree;
    const isOfIt = (entry: BoundEntry) => entry.turn === turn && entry.board === board;
    this.#frontier.finish(number, bounds.find(isOfIt));
    this.refill();
    return true;
  }

  /** Changes the queue after results have come, and reports the answer if there is one. */
  refill(): void {
    const { game, queue, run, workers, onAnswer, onCancel, onError } = this.#options;
    const { count, nodes } = workers();
    const changes = this.#frontier.refill(count, nodes, performance.now());
    const of = this.#question ? writeQuestion(game, this.#question) : null;
    const messages = changes.queue.map(({ id, budget, ...question }): [string, SubtreeMessage] => [
      this.#idOf(id),
      { protocol: PROTOCOL, run, ...writeQuestion(game, question), budget, of },
    ]);
    if (messages.length > 0) {
      queue.add(new Map(messages)).catch((error) => {
        for (const { id } of changes.queue) this.#frontier.lose(id);
        onError(error);
      });
    }
    if (changes.drop.length > 0) {
      const dropped = queue.remove(changes.drop.map((id) => this.#idOf(id)));
      dropped.then(onCancel).catch(onError);
    }
    const { answer } = this.#frontier;
    if (answer) onAnswer(answer);
    else if (changes.later) this.#refillIn(REFILL_MS);
  }

  #refillIn(milliseconds: number): void {
    clearTimeout(this.#later);
    this.#later = setTimeout(() => this.refill(), milliseconds);
  }

  /** Queues subtrees again that are lost since the last look. Call it once a second. */
  async look(): Promise<readonly string[]> {
    const queued = this.#frontier.subtrees.map(({ id }) => id);
    const old = queued.filter((id) => this.#before.includes(id));
    this.#before = queued;
    const lost = await this.#options.queue.lost(old.map((id) => this.#idOf(id)));
    // Others have been answered or dropped meanwhile.
    const missed = lost.filter((id) => this.#frontier.lose(this.#numberOf(id)));
    this.refill();
    return missed;
  }

  /** Describes the subtrees for status readers. */
  get status(): RunMessage["subtrees"] {
    const { done, subtrees } = this.#frontier;
    const [largest] = subtrees.toSorted((a, b) => b.budget - a.budget);
    const path = largest ? this.#frontier.pathTo(largest.id) : [];
    const { game } = this.#options;
    return {
      done,
      queued: subtrees.length,
      largest: path.map((node) => writeQuestion(game, { ...node, threshold: 0 }).board),
    };
  }

  #idOf(number: number): string {
    return `${this.#options.run}_${number}`;
  }

  #numberOf(id: string): number {
    return Number(id.slice(this.#options.run.length + 1));
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#later);
  }
}
