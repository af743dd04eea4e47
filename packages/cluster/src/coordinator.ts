/*
 * This file exceeds 350 lines because the beats of a run, its lead and the question under way share
 * the state of the run.
 */
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Bound,
  boundByRules,
  canonical,
  formatBoard,
  type Game,
  mergeBounds,
  normalShape,
  type PackedNode,
  packNode,
  unpackBoard,
} from "@gridlock/game";
import { allNodes, kernelVersion, type NodeCounts } from "@gridlock/kernel";
import type { RunMessage, SubtreeMessage, WorkerMessage } from "@gridlock/schemas/cluster";
import {
  type Agenda,
  Answers,
  answers,
  isSameQuestion,
  type JobPort,
  type Question,
  type StartBound,
} from "@gridlock/solver";
import type { BoundEntry } from "@gridlock/store";
import type { Logger } from "pino";
import { ClusterError } from "./errors.js";
import { emptyQueue, JobQueue } from "./jobs.js";
import { Lead } from "./lead.js";
import { Member } from "./member.js";
import {
  namedQuestion,
  nameGame,
  PROTOCOL,
  questionId,
  read,
  readBound,
  readEntry,
  readQuestion,
  writeBound,
  writeQuestion,
} from "./messages.js";
import type { Observed } from "./metrics.js";
import type { RedisOptions } from "./redis-options.js";
import { Roster } from "./roster.js";
import { Subtrees } from "./subtrees.js";
import { GONE_MS, LINES_MS } from "./timing.js";

/** Options of a coordinator. */
export interface CoordinatorOptions {
  readonly redis: RedisOptions;
  readonly game: Game;
  readonly log: Logger;
  /** Returns what earlier runs have proven of a node with a canonical board. */
  known(node: PackedNode): Bound | undefined;
  /** Saves bounds that workers have proven. If it rejects, the run fails. */
  save(bounds: readonly BoundEntry[]): Promise<void>;
}

/** The question under way. */
interface OpenQuestion {
  readonly question: Question;
  readonly resolve: (bound: Bound | undefined) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Answers questions with many machines: it queues subtrees of the question under way, each for one
 * worker. Workers without a subtree search the question itself, and all share the bounds that they
 * prove. Everything in Redis can be recreated: the caller stores proven bounds, the question is
 * announced every second, workers repeat their answers, and subtrees that are lost are queued
 * again.
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
  readonly #member: Member;
  readonly #lead: Lead;
  readonly #roster: Roster;
  #queue: JobQueue | undefined;
  #subtrees: Subtrees | undefined;
  /** Bounds that are not saved yet. */
  #proven: BoundEntry[] = [];
  /** The jobs for lines of best play whose results have not come yet. */
  #lines = new Set<string>();
  /** Aborted once all of them have come. */
  #linesProven: AbortController | undefined;
  #beating: Promise<void> = Promise.resolve();
  /** The starts and the guess, from which each question follows. */
  #agenda: Agenda | undefined;
  /** The answers that workers have given: they may be ahead of the run. */
  readonly #answers = new Answers();
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
    const onFailure = (error: Error) => this.#fail(error);
    this.#member = new Member({ redis, log: this.#log, onFailure });
    this.#lead = new Lead(this.#member, this.id);
    this.#roster = new Roster(this.#log);
  }

  /**
   * Acquires the lead of the runs under a prefix. Waits while the server is away.
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
    await this.#lead.acquire(() =>
      this.#log.warn("another coordinator has the lead; waiting to see whether it is still there"),
    );
    const { game, known } = this.#options;
    const { client, keys, reach, onError } = this.#member;
    await reach.persist(() => emptyQueue(client, keys));
    this.#queue = new JobQueue(this.#member, (id, result) => this.#received(id, result));
    this.#subtrees = new Subtrees({
      run: this.id,
      game,
      queue: this.#queue,
      known,
      onError,
      workers: () => ({ count: this.#roster.names.length, nodes: allNodes(this.counts()) }),
      onAnswer: (bound) => this.#accept(bound),
      onCancel: async (ids) => {
        if (ids.length > 0) await client.publish(keys.cancelled, ids.join(" "));
      },
    });
    this.#member.hear([keys.answers], (_, text) => this.#hear(text));
    this.#beating = this.#member.beatOn(() => this.#beat());
  }

  /** Once a second: renews the lead, looks for workers and describes the run. */
  async #beat(): Promise<void> {
    // At once: where each reply takes seconds, the lead would expire in between.
    const lead = this.#lead.renew();
    const { client, keys, reach, isDamaged } = this.#member;
    lead.then(() => reach.answered()).catch(() => {});
    const [leads, workers] = await Promise.all([
      lead,
      isDamaged ? [] : this.#roster.read(client, keys),
    ]);
    if (!leads) {
      throw new ClusterError(
        "busy",
        "another coordinator has taken over; all proven values are saved",
      );
    }
    await this.#member.mend();
    for (const worker of workers) this.#readStatus(worker);
    const [lost] = await Promise.all([this.#subtrees?.look(), this.#announce(), this.#save()]);
    if (lost?.length) this.#log.warn({ subtrees: lost }, "queueing lost subtrees again");
    this.#roster.watch(this.#open !== undefined);
  }

  /** Hears the status of a worker that has an answer; it is read again at the next beat. */
  #hear(text: string): void {
    try {
      this.#readStatus(read("worker", text));
    } catch (error) {
      this.#log.warn({ error: (error as Error).message }, "ignored an answer");
    }
  }

  /** Reads the status of a worker, which may contain an answer. */
  #readStatus({ worker, run, counts, answer }: WorkerMessage): void {
    if (run !== this.id) return;
    this.#counts.set(worker, counts);
    if (answer === null) return;
    try {
      const question = readQuestion(this.#options.game, answer);
      const bound = readBound(answer.bound);
      if (!answers(bound, question.threshold)) throw new ClusterError("job", "it answers nothing");
      this.#answers.add(question, bound);
      if (this.#open && isSameQuestion(this.#open.question, question)) this.#subtrees?.learn(bound);
    } catch (error) {
      this.#log.warn({ answer, worker, error: (error as Error).message }, "ignored an answer");
    }
  }

  /** Saves the bounds that workers have proven. */
  async #save(): Promise<void> {
    const proven = this.#proven;
    this.#proven = [];
    if (proven.length > 0) await this.#options.save(proven);
  }

  /** Describes the run to workers and status readers. */
  async #announce(): Promise<void> {
    const message = JSON.stringify(this.#message());
    const { client, keys } = this.#member;
    await Promise.all([
      client.publish(keys.run, message),
      client.set(keys.run, message, "PX", GONE_MS),
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
      starts: (this.#agenda?.starts ?? []).map(({ board, bound }) => ({
        board: formatBoard(board),
        bound: writeBound(bound),
      })),
      guess: this.#stopped ? null : (this.#agenda?.guess ?? null),
      questions: this.#questions,
      counts: this.counts(),
      before: this.before,
      question: open ? namedQuestion(game, open.question) : null,
      workers: [...this.#roster.names],
      subtrees: this.#subtrees?.status ?? { done: 0, queued: 0, largest: [] },
    };
  }

  /** Returns the state from which metrics are made. */
  observe(): Observed {
    return { run: this.#message(), heard: this.#member.reach.heard };
  }

  /** Records the solve's progress, for status readers, and for workers that look ahead. */
  progress(agenda: Agenda, questions: number): void {
    this.#agenda = agenda;
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
    return await new Promise((resolve, reject) => {
      this.#open = { question, resolve, reject };
      this.#subtrees?.open(question, this.#answers.get(question));
      if (this.#open) this.#announceSoon();
    });
  }

  /** Receives the result of a job from the queue; `undefined` if the job has failed. */
  #received(id: string, text: unknown): void {
    let bounds: BoundEntry[] = [];
    try {
      const result = text === undefined ? undefined : read("result", text);
      if (result) {
        this.#counts.set(result.worker, result.counts);
        bounds = result.bounds.map((entry) => readEntry(this.#options.game, entry));
      }
    } catch (error) {
      this.#log.warn({ error: (error as Error).message }, "ignored a result");
    }
    if (this.#subtrees?.finish(id, bounds) || this.#lines.delete(id)) {
      this.#proven.push(...bounds.map((entry) => withRules(this.#options.game, entry)));
    }
    if (this.#lines.size === 0) this.#linesProven?.abort();
  }

  /**
   * Has workers prove a line of best play from each start, the values of slides from it and
   * verdicts on the replies to them, with what their tables contain, and saves that. Gives up when
   * no result has come for some seconds.
   *
   * @param starts solved starts
   */
  async proveLines(starts: readonly StartBound[]): Promise<void> {
    const { game } = this.#options;
    const jobs = starts.map(({ board, bound: { lo } }, i): [string, SubtreeMessage] => {
      const start = packNode({ turn: "slider", board: canonical(board) });
      const asked = writeQuestion(game, { ...start, threshold: lo });
      const job = { protocol: PROTOCOL, run: this.id, ...asked, budget: null, of: null };
      return [`${this.id}_line_${i}`, job];
    });
    this.#lines = new Set(jobs.map(([id]) => id));
    this.#linesProven = new AbortController();
    const { signal } = this.#linesProven;
    await this.#queue?.add(new Map(jobs)).catch(() => this.#lines.clear());
    const isOver = () => this.#stopped || this.#failure || this.#roster.names.length === 0;
    for (let before = Number.POSITIVE_INFINITY; this.#lines.size < before && !isOver(); ) {
      before = this.#lines.size;
      if (before > 0) await sleep(LINES_MS, undefined, { signal }).catch(() => {});
    }
    await this.#save();
  }

  #accept(bound: Bound): void {
    const open = this.#open;
    if (!open) return;
    const id = questionId(this.#options.game, open.question);
    this.#log.info({ question: id, bound: writeBound(bound) }, "answered");
    this.#close(open);
    open.resolve(bound);
  }

  #close(open: OpenQuestion): void {
    if (this.#open !== open) return;
    this.#open = undefined;
    this.#subtrees?.close();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    const open = this.#open;
    this.#open = undefined; // without an announcement: another run may have the lead
    open?.reject(error);
  }

  stop(): void {
    this.#stopped = true;
    this.#linesProven?.abort();
    const open = this.#open;
    if (!open) return;
    this.#close(open);
    this.#announceSoon();
    open.resolve(undefined);
  }

  /**
   * Removes the queue, gives up the lead and disconnects. If the server is away, the next run
   * empties the queue, and the other keys expire.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    using member = this.#member;
    member.leaving.abort();
    this.#subtrees?.[Symbol.dispose]();
    await this.#beating;
    await this.#save().catch(() => {}); // they cost time, never truth
    const leads = await this.#lead.renew().catch(() => false);
    await this.#queue?.[Symbol.asyncDispose]();
    if (leads) {
      await emptyQueue(member.client, member.keys).catch((error: Error) =>
        this.#log.debug({ error: error.message }, "not tidied"),
      );
    }
    await this.#lead[Symbol.asyncDispose]();
  }
}

/** Adds what the rules say of a node to its bound: the database has no infinity. */
function withRules({ shape }: Game, { turn, board, ...bound }: BoundEntry): BoundEntry {
  const rules = boundByRules({ turn, board: unpackBoard(normalShape(shape), board) });
  return { turn, board, ...mergeBounds(rules, bound) };
}
