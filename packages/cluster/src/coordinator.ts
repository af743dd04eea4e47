/*
 * This file exceeds 350 lines because the beats of a run, its lead and the question under way share the state of the run.
 */
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type Bound, formatBoard, type Game } from "@gridlock/game";
import { kernelVersion, type NodeCounts } from "@gridlock/kernel";
import type { AnswerMessage, RunMessage } from "@gridlock/schemas/cluster";
import type { JobPort, Question, StartBound } from "@gridlock/solver";
import type { Logger } from "pino";
import { AnswerTaker, emptyQueue } from "./answer-queue.js";
import { connect, disconnect } from "./connection.js";
import { ClusterError } from "./errors.js";
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
import { isRefusal, Reach } from "./outage.js";
import type { RedisOptions } from "./redis-options.js";
import { Roster } from "./roster.js";
import { BEAT_MS, GONE_MS } from "./timing.js";

/** Options of a coordinator. */
export interface CoordinatorOptions {
  readonly redis: RedisOptions;
  readonly game: Game;
  readonly log: Logger;
}

/** The question under way. */
interface OpenQuestion {
  readonly id: string;
  readonly question: Question;
  readonly resolve: (bound: Bound | undefined) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Answers questions with many machines: all workers search the question under way, and share the
 * bounds that they prove. Everything in Redis can be recreated: the caller stores proven bounds, the
 * question is announced every second, and workers repeat their answers.
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
  readonly #reach: Reach;
  readonly #lead: Lead;
  readonly #roster: Roster;
  #taker: AnswerTaker | undefined;
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
    this.#reach = new Reach(this.#log, redis);
    this.#lead = new Lead(this.#client, this.#keys, this.id);
    this.#roster = new Roster(this.#log);
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
    this.#taker = new AnswerTaker({
      ...{ redis: this.#options.redis, keys: this.#keys, log: this.#log },
      onAnswer: (data) => this.#received(data),
      onRefusal: (error) => this.#trouble(error),
    });
    this.#beating = this.#beatOn();
  }

  async #beatOn(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await this.#beat();
        this.#reach.succeeded();
      } catch (error) {
        this.#failed(error);
      }
      await sleep(BEAT_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Once a second, renews the lead, looks for workers and describes the run. */
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
    this.#taker?.tryAgain();
    await this.#announce();
    for (const { worker, run, counts } of workers) {
      if (run === this.id) this.#counts.set(worker, counts);
    }
    this.#roster.watch(this.#open !== undefined);
  }

  /** Removes keys of the wrong type. */
  async #mend(): Promise<void> {
    const removed = await mend(this.#client, this.#keys, this.#roster.names);
    if (removed.length > 0) this.#log.warn({ keys: removed }, "removed keys of the wrong type");
  }

  /** Describes the run to workers and status readers. */
  async #announce(): Promise<void> {
    const message = JSON.stringify(this.#message());
    const { run, news } = this.#keys;
    await Promise.all([
      this.#client.set(run, message, "PX", GONE_MS),
      this.#client.xadd(news, "MAXLEN", 1, "*", "run", this.id),
      this.#client.pexpire(news, GONE_MS),
    ]);
  }

  /** Describes the run now, or at the next beat if the server is away. */
  #announceSoon(): void {
    this.#announce().catch(() => {});
  }

  #message(): RunMessage {
    const { game } = this.#options;
    const open = this.#open;
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
      this.#announceSoon();
    });
  }

  /** Takes an answer from the queue. */
  #received(data: unknown): void {
    let message: AnswerMessage;
    try {
      message = read("answer", data);
    } catch (error) {
      this.#log.warn({ error: (error as Error).message }, "ignored an answer");
      return;
    }
    const { worker, counts, run } = message;
    if (run !== this.id) return;
    this.#counts.set(worker, counts);
    if (message.question === this.#open?.id) this.#answered(this.#open, message);
  }

  /** Accepts an answer, if a worker of the run gives it. */
  #answered(open: OpenQuestion, { worker, ...answer }: AnswerMessage): void {
    if (!this.#roster.names.includes(worker)) return;
    const bound = readBound(answer.bound);
    if (!answers(open.question, bound)) {
      this.#log.warn({ question: open.id, worker }, "ignored an answer to another question");
      return;
    }
    this.#log.info({ question: open.id, bound: writeBound(bound) }, "answered");
    this.#close(open);
    open.resolve(bound);
  }

  #close(open: OpenQuestion): void {
    if (this.#open !== open) return;
    this.#open = undefined;
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
    await this.#beating;
    const leads = await this.#lead.keep().catch(() => false);
    await this.#taker?.[Symbol.asyncDispose]();
    if (leads) {
      await emptyQueue(this.#client, this.#keys).catch((error: Error) =>
        this.#log.debug({ error: error.message }, "not tidied"),
      );
    }
    await this.#lead[Symbol.asyncDispose]();
    disconnect(this.#client);
  }
}

/** Returns whether a bound answers a question. */
function answers({ threshold }: Question, { lo, hi }: Bound): boolean {
  return lo >= threshold || hi < threshold;
}
