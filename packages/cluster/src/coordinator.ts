/*
 * This file exceeds 350 lines because the beats of a run, its lead and the question under way share the state of the run.
 */
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Bound,
  boundByRules,
  formatBoard,
  type Game,
  mergeBounds,
  normalShape,
  type PackedNode,
  unpackBoard,
} from "@gridlock/game";
import { kernelVersion, type NodeCounts } from "@gridlock/kernel";
import type { RunMessage, SubtreeMessage, WorkerMessage } from "@gridlock/schemas/cluster";
import type { JobPort, Question, StartBound } from "@gridlock/solver";
import { type BoundEntry, orAborted } from "@gridlock/store";
import type { Logger } from "pino";
import { connect, disconnect } from "./connection.js";
import { ClusterError } from "./errors.js";
import { Frontier } from "./frontier.js";
import type { Redis } from "./ioredis.js";
import { type Keys, keysOf } from "./keys.js";
import { Lead } from "./lead.js";
import { mend } from "./mend.js";
import {
  nameGame,
  PROTOCOL,
  questionId,
  read,
  readBound,
  writeBound,
  writeQuestion,
} from "./messages.js";
import type { Observed } from "./metrics.js";
import { NewsReader, tellNews } from "./news.js";
import { isRefusal, Reach } from "./outage.js";
import type { RedisOptions } from "./redis-options.js";
import { Roster } from "./roster.js";
import { emptyQueue, SubtreeQueue } from "./subtree-queue.js";
import { BEAT_MS, GONE_MS, REFILL_MS } from "./timing.js";

/** Options of a coordinator. */
export interface CoordinatorOptions {
  readonly redis: RedisOptions;
  readonly game: Game;
  readonly log: Logger;
  /** Returns what earlier runs have proven of a node with a canonical board. */
  known(node: PackedNode): Bound | undefined;
  /** Saves the bounds of subtrees. If it rejects, the run fails. */
  save(bounds: readonly BoundEntry[]): Promise<void>;
}

/** The question under way. */
interface OpenQuestion {
  readonly id: string;
  readonly question: Question;
  readonly resolve: (bound: Bound | undefined) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Answers questions with many machines: it queues subtrees of the question under way, each for one
 * worker. Workers without a subtree search the question itself, and all share the bounds that they
 * prove. Everything in Redis can be recreated: the caller stores proven bounds, the question is
 * announced every second, workers repeat their answers, and subtrees that are lost are queued again.
 *
 * Open it with `await using`, so that the lead is given up on every path.
 */
export class Coordinator implements JobPort, AsyncDisposable {
  /** The id of the run. */
  readonly id = randomBytes(6).toString("hex");
  /** Nodes of the earlier runs that this one resumes, for status readers. */
  before = 0;
  readonly #options: CoordinatorOptions;
  readonly #kernel: string;
  readonly #began = new Date().toISOString();
  readonly #log: Logger;
  readonly #keys: Keys;
  /** For commands, which fail while the server is away. */
  readonly #client: Redis;
  /** Waits for news of answers. */
  readonly #blocking: Redis;
  readonly #found: NewsReader;
  readonly #reach: Reach;
  readonly #lead: Lead;
  readonly #roster: Roster;
  readonly #frontier: Frontier;
  #queue: SubtreeQueue | undefined;
  /** The subtrees that were on the queue at the last beat. */
  #queuedBefore: readonly number[] = [];
  /** Bounds that are not saved yet. */
  #proven: BoundEntry[] = [];
  #later: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();
  #beating: Promise<void> = Promise.resolve();
  #starts: readonly StartBound[] = [];
  #questions = 0;
  /** The nodes that each worker has searched in this run, by its latest report. */
  readonly #counts = new Map<string, NodeCounts>();
  #open: OpenQuestion | undefined;
  #stopped = false;
  #failure: Error | undefined;

  private constructor(options: CoordinatorOptions) {
    const { redis, game, log } = options;
    this.#options = options;
    this.#kernel = kernelVersion(game.shape);
    this.#log = log.child({ run: this.id });
    this.#keys = keysOf(redis);
    this.#client = connect(redis, "commands", (error) => this.#trouble(error));
    this.#blocking = connect(redis, "blocking", (error) => this.#trouble(error));
    this.#found = new NewsReader(this.#blocking, this.#keys.found);
    this.#reach = new Reach(this.#log, redis);
    this.#lead = new Lead(this.#client, this.#keys, this.id);
    this.#roster = new Roster(this.#log);
    this.#frontier = new Frontier(game, (node) => options.known(node));
  }

  /**
   * Takes the lead of the runs under a prefix. Waits while the server is away.
   *
   * @throws {ClusterError} `busy` if another coordinator has the lead
   */
  static async open(options: CoordinatorOptions): Promise<Coordinator> {
    const coordinator = new Coordinator(options);
    try {
      await coordinator.#begin();
      return coordinator;
    } catch (error) {
      await coordinator[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #begin(): Promise<void> {
    await this.#lead.take(this.#reach, () =>
      this.#log.warn("another coordinator has the lead; waiting to see whether it is still there"),
    );
    await this.#reach.persist(async () => {
      await this.#mend();
      await emptyQueue(this.#client, this.#keys);
    });
    this.#queue = new SubtreeQueue({
      ...{ redis: this.#options.redis, client: this.#client, keys: this.#keys, log: this.#log },
      onResult: (id, result) => this.#received(id, result),
      onError: (error) => this.#trouble(error),
    });
    this.#beating = this.#beatOn();
  }

  async #beatOn(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await this.#beat();
        this.#reach.succeeded();
        // ioredis drops a read whose connection was lost: without the signal, closing would wait for ever.
        await orAborted(this.#found.read(BEAT_MS), signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#failed(error);
        await sleep(BEAT_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  /** Once a second, and when a worker has an answer: renews the lead, looks for workers and describes the run. */
  async #beat(): Promise<void> {
    // At once, lest the lead expires in between where each reply takes seconds.
    const lead = this.#lead.keep();
    lead.then(() => this.#reach.answered()).catch(() => {});
    const [leads, workers] = await Promise.all([
      lead,
      this.#roster.read(this.#client, this.#keys),
      this.#mend(),
    ]);
    if (!leads) {
      throw new ClusterError(
        "busy",
        "another coordinator has taken over; all proven values are saved",
      );
    }
    for (const worker of workers) this.#heard(worker);
    await this.#findLost();
    this.#refill();
    await this.#announce();
    await this.#save();
    this.#roster.watch(this.#open !== undefined);
  }

  /** Takes the status of a worker, which may contain an answer. */
  #heard({ worker, run, counts, answer }: WorkerMessage): void {
    if (run !== this.id) return;
    this.#counts.set(worker, counts);
    if (answer === null || answer.question !== this.#open?.id) return;
    const bound = readBound(answer.bound);
    const { threshold } = this.#open.question;
    if (bound.lo >= threshold || bound.hi < threshold) this.#frontier.learn(bound);
    else
      this.#log.warn(
        { question: answer.question, worker },
        "ignored an answer to another question",
      );
  }

  /** Looks for subtrees that were on the queue before, and no longer are. */
  async #findLost(): Promise<void> {
    const queued = this.#frontier.subtrees.map(({ id }) => id);
    const old = queued.filter((id) => this.#queuedBefore.includes(id));
    this.#queuedBefore = queued;
    const lost = await this.#queue?.lost(old.map((id) => this.#jobId(id)));
    for (const id of lost ?? []) this.#frontier.lose(this.#numberOf(id));
    if (lost && lost.length > 0) this.#log.warn({ subtrees: lost }, "queueing lost subtrees again");
  }

  /** Removes keys of the wrong type. */
  async #mend(): Promise<void> {
    const removed = await mend(this.#client, this.#keys, this.#roster.names);
    if (removed.length > 0) this.#log.warn({ keys: removed }, "removed keys of the wrong type");
  }

  /** Saves the bounds of the subtrees that have been decided. */
  async #save(): Promise<void> {
    const proven = this.#proven;
    this.#proven = [];
    await this.#options.save(proven);
  }

  /** Describes the run to workers and status readers. */
  async #announce(): Promise<void> {
    const message = JSON.stringify(this.#message());
    const { run, news } = this.#keys;
    await Promise.all([
      this.#client.set(run, message, "PX", GONE_MS),
      tellNews(this.#client, news, "run", this.id),
    ]);
  }

  /** Describes the run now, or at the next beat if the server is away. */
  #announceSoon(): void {
    this.#announce().catch(() => {});
  }

  #message(): RunMessage {
    const { game } = this.#options;
    const open = this.#open;
    const { done, subtrees } = this.#frontier;
    const oldest = subtrees[0] ? this.#frontier.pathTo(subtrees[0].id) : [];
    return {
      protocol: PROTOCOL,
      run: this.id,
      host: hostname(),
      pid: process.pid,
      ...nameGame(game),
      kernel: this.#kernel,
      began: this.#began,
      starts: this.#starts.map(({ board, bound }) => ({
        board: formatBoard(board),
        bound: writeBound(bound),
      })),
      questions: this.#questions,
      counts: this.counts(),
      before: this.before,
      question: open ? { id: open.id, ...writeQuestion(game, open.question) } : null,
      workers: [...this.#roster.names],
      subtrees: {
        ...{ done, queued: subtrees.length },
        oldest: oldest.map((node) => writeQuestion(game, { ...node, threshold: 0 }).board),
      },
    };
  }

  /** Returns the state from which metrics are made. */
  observe(): Observed {
    return { run: this.#message(), heard: this.#reach.heard };
  }

  /** Records the solve's progress, for status readers. */
  progress(starts: readonly StartBound[], questions: number): void {
    this.#starts = starts;
    this.#questions = questions;
  }

  get question(): Question | undefined {
    return this.#open?.question;
  }

  /** Nodes that all workers together have searched in this run. */
  counts(): NodeCounts {
    let positions = 0;
    let afterstates = 0;
    for (const counts of this.#counts.values()) {
      positions += counts.positions;
      afterstates += counts.afterstates;
    }
    return { positions, afterstates };
  }

  #nodes(): number {
    const { positions, afterstates } = this.counts();
    return positions + afterstates;
  }

  /**
   * Answers a question; the one before must have ended.
   *
   * @throws {Error} the reason why the run has failed (rejects)
   */
  async ask(question: Question): Promise<Bound | undefined> {
    if (this.#failure) throw this.#failure;
    if (this.#stopped) return undefined;
    const id = questionId(this.#options.game, question);
    return await new Promise((resolve, reject) => {
      this.#open = { id, question, resolve, reject };
      this.#frontier.open(question, this.#nodes());
      this.#refill();
      if (this.#open) this.#announceSoon();
    });
  }

  /** Takes the result of a subtree from the queue; `undefined` if its search has failed. */
  #received(id: string, result: unknown): void {
    const number = this.#numberOf(id);
    const subtree = this.#frontier.subtrees.find((each) => each.id === number);
    if (subtree === undefined) return;
    let bound: Bound | undefined;
    try {
      const message = result === undefined ? undefined : read("result", result);
      if (message) this.#counts.set(message.worker, message.counts);
      if (message?.bound) bound = readBound(message.bound);
    } catch (error) {
      this.#log.warn({ error: (error as Error).message }, "ignored a result");
    }
    this.#frontier.finish(number, bound);
    const { turn, board, threshold } = subtree;
    if (bound && (bound.lo >= threshold || bound.hi < threshold)) {
      const { shape } = this.#options.game;
      const rules = boundByRules({ turn, board: unpackBoard(normalShape(shape), board) });
      this.#proven.push({ turn, board, ...mergeBounds(rules, bound) });
    }
    this.#refill();
  }

  /** Changes the queue after results have come, and ends the question if it is answered. */
  #refill(): void {
    const now = performance.now();
    const workers = this.#roster.names.length;
    const { queue, drop, later } = this.#frontier.refill(workers, this.#nodes(), now);
    const { game } = this.#options;
    const messages = queue.map(({ id, budget, ...question }): [string, SubtreeMessage] => [
      this.#jobId(id),
      { protocol: PROTOCOL, run: this.id, ...writeQuestion(game, question), budget },
    ]);
    if (messages.length > 0) {
      this.#queue?.add(new Map(messages)).catch((error) => {
        for (const { id } of queue) this.#frontier.lose(id);
        this.#trouble(error);
      });
    }
    if (drop.length > 0) this.#drop(drop).catch((error) => this.#trouble(error));
    const { answer } = this.#frontier;
    if (this.#open && answer) this.#accept(this.#open, answer);
    else if (later && this.#open) {
      this.#later ??= setTimeout(() => {
        this.#later = undefined;
        this.#refill();
      }, REFILL_MS);
    }
  }

  /** Removes subtrees that no longer matter, and has workers stop those that they search. */
  async #drop(ids: readonly number[]): Promise<void> {
    const active = await this.#queue?.remove(ids.map((id) => this.#jobId(id)));
    if (active && active.length > 0) {
      await tellNews(this.#client, this.#keys.news, "cancel", active.join(" "));
    }
  }

  #jobId(id: number): string {
    return `${this.id}_${id}`;
  }

  #numberOf(jobId: string): number {
    return Number(jobId.slice(this.id.length + 1));
  }

  #accept(open: OpenQuestion, bound: Bound): void {
    this.#log.info({ question: open.id, bound: writeBound(bound) }, "answered");
    this.#close(open);
    open.resolve(bound);
  }

  #close(open: OpenQuestion): void {
    if (this.#open !== open) return;
    this.#open = undefined;
    this.#frontier.close();
    this.#refill();
    this.#announceSoon();
  }

  /**
   * Records an error of a connection. The server may refuse a login, or commands of a queue, while the beats
   * know nothing of it; of outages they know by themselves.
   */
  #trouble(error: Error): void {
    this.#log.debug({ error: error.message }, "connection");
    if (!this.#closing.signal.aborted && isRefusal(error)) this.#failed(error);
  }

  /** Continues after a failure that may be temporary; ends the run after any other. */
  #failed(error: unknown): void {
    try {
      this.#reach.failed(error);
    } catch (reason) {
      this.#fail(reason as Error);
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    const open = this.#open;
    this.#open = undefined; // without an announcement: another run may have the lead
    open?.reject(error);
  }

  stop(): void {
    this.#stopped = true;
    const open = this.#open;
    if (!open) return;
    this.#close(open);
    open.resolve(undefined);
  }

  /**
   * Removes the queue, gives up the lead and disconnects. If the server is away, the next run
   * empties the queue, and the other keys expire.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#later);
    await this.#beating;
    disconnect(this.#blocking);
    await this.#save().catch(() => {}); // they cost time, never truth
    const leads = await this.#lead.keep().catch(() => false);
    await this.#queue?.[Symbol.asyncDispose]();
    if (leads) {
      await emptyQueue(this.#client, this.#keys).catch((error: Error) =>
        this.#log.debug({ error: error.message }, "not tidied"),
      );
    }
    await this.#lead[Symbol.asyncDispose]();
    disconnect(this.#client);
  }
}
