import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type Bound, formatBoard, type Game, mergeBounds } from "@gridlock/game";
import type { NodeCounts } from "@gridlock/kernel";
import type { JobPort, Question, StartBound } from "@gridlock/solver";
import { StoreError } from "@gridlock/store";
import { type Job, Queue, QueueEvents } from "bullmq";
import type { Logger } from "pino";
import { connect, type RedisClient, type RedisOptions } from "./connection.js";
import { ClusterError } from "./errors.js";
import { keysOf, QUEUE } from "./keys.js";
import { Lead } from "./lead.js";
import {
  type AnswerMessage,
  BEAT_MS,
  type ControlMessage,
  GONE_MS,
  nameGame,
  PROTOCOL,
  type QuestionMessage,
  questionId,
  type RunMessage,
  read,
  readBound,
  type Sharing,
  writeBound,
  writeQuestion,
} from "./messages.js";
import type { Observed } from "./metrics.js";
import { TRIES } from "./queue.js";
import { answers, Referee } from "./referee.js";
import { readWorkers } from "./status.js";
import { type Subtree, settledBySubtrees, subtreesOf } from "./subtrees.js";

export interface CoordinatorOptions {
  readonly redis: RedisOptions;
  readonly game: Game;
  readonly sharing: Sharing;
  /** Nodes after which a question is put down, to be taken up again. */
  readonly budget?: number | undefined;
  /** Part of the answers that another worker is to prove again, 0 to 1. */
  readonly audit: number;
  readonly seed: number;
  /** Takes what is proven on the way, besides what is asked. */
  readonly onBound: (question: Question, bound: Bound) => void;
  /** Proves an answer about which workers disagree. */
  readonly judge: (question: Question) => Promise<Bound>;
  readonly log: Logger;
}

/** A question that waits for its answer. */
interface Open {
  readonly id: string;
  readonly question: Question;
  readonly since: number;
  /** The subtrees of its first moves, once they are queued. */
  subtrees: Subtree[];
  resolve(bound: Bound | undefined): void;
  reject(error: Error): void;
}

/** Questions are asked before the subtrees that may help to answer them; BullMQ takes low numbers first. */
const QUESTION_PRIORITY = 1;
const AUDIT_PRIORITY = 2;
const SUBTREE_PRIORITY = 10;
/** A question that takes less long is not worth being split, in milliseconds. */
const WORTH_SPLITTING_MS = 1000;
/** How long completed and failed jobs are kept if nobody collects them, in seconds. */
const KEPT_S = 3600;
/** Between two tries of a job that has failed, in milliseconds. */
const BACKOFF_MS = 500;

/**
 * The job port of many machines: questions are jobs on a queue in Redis. The queue holds nothing that cannot be
 * made again: what is proven is the caller's to keep, and a question that has got lost is queued anew.
 */
export class Coordinator implements JobPort {
  readonly slots = 1;
  readonly run = randomBytes(6).toString("hex");
  readonly #options: CoordinatorOptions;
  readonly #log: Logger;
  readonly #keys;
  readonly #client: RedisClient;
  readonly #subscriber: RedisClient;
  readonly #queue: Queue<QuestionMessage, AnswerMessage>;
  readonly #events: QueueEvents;
  readonly #began = new Date().toISOString();
  readonly #open = new Map<string, Open>();
  readonly #referee: Referee;
  readonly #lead: Lead;
  /** What each worker has searched in this run, as far as it has said. */
  readonly #counts = new Map<string, NodeCounts>();
  /** Workers whose word cannot be read, of which has been told. */
  readonly #refused = new Set<string>();
  #workers: readonly string[] = [];
  #starts: readonly StartBound[] = [];
  #questions = 0;
  /** When the server last took what was said. */
  #heard = performance.now();
  #stopped = false;
  #closed = false;
  #failure: Error | undefined;
  /** Why what was learned until now is not to be relied upon, until it has been told. */
  #doubt: ClusterError | undefined;
  #beating: Promise<void> = Promise.resolve();

  private constructor(options: CoordinatorOptions) {
    this.#options = options;
    this.#log = options.log.child({ run: this.run });
    this.#keys = keysOf(options.redis);
    this.#referee = new Referee({
      ...options,
      log: this.#log,
      onFalse: (reason) => this.#beginAgain(reason),
      onFailure: (error) => this.#fail(error),
    });
    const warn = (error: Error) => this.#log.debug({ error: error.message }, "connection");
    this.#client = connect(options.redis, "commands", warn);
    this.#lead = new Lead(this.#client, this.#keys, this.run);
    this.#subscriber = connect(options.redis, "blocking", warn);
    const bull = { prefix: this.#keys.prefix };
    this.#queue = new Queue(QUEUE, { connection: this.#client as never, ...bull });
    this.#events = new QueueEvents(QUEUE, { connection: this.#subscriber as never, ...bull });
    this.#queue.on("error", warn);
    this.#events.on("error", warn);
  }

  /**
   * Takes the lead of the runs under a prefix.
   *
   * @throws {ClusterError} `busy` when another coordinator has it.
   */
  static async open(options: CoordinatorOptions): Promise<Coordinator> {
    const coordinator = new Coordinator(options);
    try {
      await coordinator.#lead.take();
      await coordinator.#tidyUp();
      await coordinator.#listen();
      coordinator.#beating = coordinator.#beatOn();
      return coordinator;
    } catch (error) {
      await coordinator.#disconnect();
      throw error;
    }
  }

  /** Removes what earlier runs, or doubtful ones, have left; what is still wanted is asked again. */
  async #tidyUp(): Promise<void> {
    for (const name of await this.#client.smembers(this.#keys.workers)) {
      await this.#client.del(this.#keys.bounds(name));
    }
    await this.#queue.drain(true);
    for (const state of ["completed", "failed"] as const) await this.#queue.clean(0, 0, state);
    for (const job of await this.#queue.getJobs(["active"]))
      if (job?.id) await this.#cancel(job.id);
  }

  async #listen(): Promise<void> {
    this.#events.on("completed", ({ jobId, returnvalue }) => {
      void this.#completed(jobId, returnvalue).catch((error: Error) => this.#fail(error));
    });
    this.#events.on("failed", ({ jobId }) => void this.#reconcileSafely(jobId));
    this.#subscriber.on("message", (_channel: string, text: string) => {
      try {
        const message = read("control", text);
        if (message.type === "answer") this.#joinedAnswer(message);
      } catch (error) {
        if (!(error instanceof ClusterError)) this.#fail(error as Error);
        else this.#log.warn({ error: error.message }, "ignored a message");
      }
    });
    await this.#subscriber.subscribe(this.#keys.control);
  }

  /** After a worker was shut out: takes questions again. */
  beginAnew(): void {
    this.#stopped = false;
  }

  /** What the run says of itself beside its questions. */
  tell(starts: readonly StartBound[], questions: number): void {
    this.#starts = starts;
    this.#questions = questions;
  }

  async ask(question: Question): Promise<Bound | undefined> {
    const doubt = this.#failure ?? this.#takeDoubt();
    if (doubt) throw doubt;
    if (this.#stopped) return undefined;
    const id = questionId(this.#options.game, question);
    const since = performance.now();
    const answer = new Promise<Bound | undefined>((resolve, reject) => {
      this.#open.set(id, { id, question, since, subtrees: [], resolve, reject });
    });
    await this.#say();
    await this.#reconcileSafely(id);
    return await answer;
  }

  /** Queues what is open and not on the queue, and collects what has been answered. */
  async #reconcile(id: string): Promise<void> {
    const job = await this.#queue.getJob(id);
    if (!this.#isWanted(id)) return;
    if (job === undefined) return await this.#add(id);
    const state = await job.getState();
    if (state === "completed") await this.#completed(id, job.returnvalue);
    else if (state === "failed") await this.#setAside(id, job);
    else if (state !== "active" && state !== "delayed") await this.#makeRoom(id);
  }

  /** Has a worker that is at a part of a question that waits take the question itself. */
  async #makeRoom(id: string): Promise<void> {
    for (const subtree of this.#open.get(id)?.subtrees ?? []) {
      const job = await this.#queue.getJob(subtree.id);
      if ((await job?.getState()) === "active") return await this.#cancel(subtree.id);
    }
  }

  /** What cannot be done while the server is away is done by the next look. */
  async #reconcileSafely(id: string): Promise<void> {
    try {
      await this.#reconcile(id);
    } catch (error) {
      if (error instanceof StoreError) this.#fail(error);
      else this.#log.debug({ job: id, error: (error as Error).message }, "not reconciled");
    }
  }

  #subtree(id: string): { parent: Open; subtree: Subtree } | undefined {
    for (const parent of this.#open.values()) {
      const subtree = parent.subtrees.find((one) => one.id === id);
      if (subtree) return { parent, subtree };
    }
    return undefined;
  }

  #isWanted(id: string): boolean {
    return this.#open.has(id) || this.#referee.audits.has(id) || this.#subtree(id) !== undefined;
  }

  async #add(id: string): Promise<void> {
    const { game, budget } = this.#options;
    const open = this.#open.get(id);
    const audit = this.#referee.audits.get(id);
    const question = open?.question ?? audit?.question ?? this.#subtree(id)?.subtree.question;
    if (question === undefined || this.#referee.isJudging) return;
    const data: QuestionMessage = {
      protocol: PROTOCOL,
      ...nameGame(game),
      ...writeQuestion(game, question),
      ...(budget === undefined || audit ? {} : { budget }),
      ...(audit ? { audited: audit.worker } : {}),
    };
    const priority = open ? QUESTION_PRIORITY : audit ? AUDIT_PRIORITY : SUBTREE_PRIORITY;
    await this.#queue.add("question", data, {
      jobId: id,
      priority,
      attempts: TRIES,
      backoff: { type: "fixed", delay: BACKOFF_MS },
      removeOnComplete: { age: KEPT_S },
      removeOnFail: { age: KEPT_S },
    });
  }

  /** A job has come to an end: with an answer, or to be queued again if it is still wanted. */
  async #completed(id: string, returned: unknown): Promise<void> {
    let message: AnswerMessage;
    try {
      message = read("answer", returned);
    } catch (error) {
      this.#log.warn({ job: id, error: (error as Error).message }, "ignored an answer");
      return await this.#again(id);
    }
    if (message.run === this.run) this.#counts.set(message.worker, message.counts);
    if (message.outcome === "answered" && message.epoch === this.#referee.epoch) {
      this.#answered(id, message.worker, readBound(message.bound));
    }
    await this.#again(id);
  }

  /** Removes a job that has ended, and queues it again if it is still wanted. */
  async #again(id: string): Promise<void> {
    try {
      await this.#queue.remove(id);
      if (this.#isWanted(id)) await this.#add(id);
    } catch (error) {
      this.#log.debug({ job: id, error: (error as Error).message }, "not removed");
    }
  }

  #joinedAnswer({ id, epoch, worker, bound }: Extract<ControlMessage, { type: "answer" }>): void {
    if (!this.#open.has(id) || epoch !== this.#referee.epoch) return;
    this.#answered(id, worker, readBound(bound));
  }

  /** Takes an answer, whoever it is from, if it is wanted and is one. */
  #answered(id: string, worker: string, bound: Bound): void {
    if (!this.#referee.hears(worker)) return;
    this.#referee.audited(id, { worker, bound });
    const open = this.#open.get(id);
    const split = open ? undefined : this.#subtree(id);
    const question = open?.question ?? split?.subtree.question;
    if (question === undefined) return;
    if (!answers(question, bound)) {
      this.#log.warn(
        { job: id, worker, bound: writeBound(bound) },
        "an answer to another question",
      );
      return;
    }
    if (!this.#referee.isCredible(question, { worker, bound })) return;
    this.#log.info({ job: id, worker, bound: writeBound(bound) }, "answered");
    const audit = this.#referee.drawAudit(id, { question, bound, worker });
    if (audit !== undefined) void this.#reconcileSafely(audit);
    this.#options.onBound(question, bound);
    if (open) this.#settle(open, bound);
    if (!split) return;
    const { parent, subtree } = split;
    subtree.bound = mergeBounds(subtree.bound, bound);
    const follows = settledBySubtrees(parent.question, parent.subtrees);
    if (follows) this.#settle(parent, follows);
  }

  /** A question has its answer: whatever works on it, or on a part of it, may stop. */
  #settle(open: Open, bound: Bound | undefined): void {
    this.#open.delete(open.id);
    for (const { id } of [open, ...open.subtrees]) {
      if (!this.#isWanted(id)) void this.#withdraw(id);
    }
    void this.#say();
    open.resolve(bound);
  }

  /** Takes a job off the queue, or has its worker stop. */
  async #withdraw(id: string): Promise<void> {
    try {
      const removed = await this.#queue.remove(id);
      if (removed === 0) await this.#cancel(id);
    } catch {
      // It is done as soon as the next coordinator tidies up, or its worker has the answer.
    }
  }

  async #cancel(id: string): Promise<void> {
    await this.#call({ type: "cancel", id });
  }

  async #call(message: ControlMessage): Promise<void> {
    await this.#client.publish(this.#keys.control, JSON.stringify(message));
  }

  /** A job has failed for good. */
  async #setAside(id: string, job: Job): Promise<void> {
    const reason = job.failedReason || "no reason was given";
    this.#log.error({ job: id, reason, tries: job.attemptsMade }, "set aside");
    this.#referee.giveUp(id);
    const split = this.#subtree(id);
    if (split) split.parent.subtrees = split.parent.subtrees.filter((one) => one.id !== id);
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    const { board, threshold } = writeQuestion(this.#options.game, open.question);
    open.reject(
      new ClusterError(
        "job",
        `the question whether ${board} is worth ${threshold} was set aside after ${job.attemptsMade} ${job.attemptsMade === 1 ? "try" : "tries"}: ${reason}`,
      ),
    );
  }

  /** What was learned until now is not to be relied upon. */
  async #beginAgain(reason: ClusterError): Promise<void> {
    const waiting = [...this.#open.values()];
    this.#open.clear();
    await this.#tidyUp();
    await this.#say();
    for (const { reject } of waiting) reject(reason);
    if (waiting.length === 0) this.#doubt = reason;
  }

  /** The reason to begin anew, for the one who will do so. */
  #takeDoubt(): ClusterError | undefined {
    const doubt = this.#doubt;
    this.#doubt = undefined;
    return doubt;
  }

  /**
   * Waits for the audits that are under way; those for which there is no other worker are given up. Returns how
   * many those are.
   *
   * @throws {ClusterError} `shut-out` when one has found a false answer.
   */
  async finishAudits(): Promise<number> {
    const left = await this.#referee.finish(
      (worker) => this.#workers.some((other) => other !== worker),
      () => this.#stopped || this.#failure !== undefined,
    );
    const doubt = this.#failure ?? this.#takeDoubt();
    if (doubt) throw doubt;
    return left;
  }

  /** Says once a second what there is to say, and sees to it that nothing is lost. */
  async #beatOn(): Promise<void> {
    while (!this.#closed) {
      try {
        await this.#beat();
      } catch (error) {
        if (error instanceof StoreError) this.#fail(error);
        // The server is away; what is open is queued again when it is back.
        this.#log.debug({ error: (error as Error).message }, "no beat");
      }
      await sleep(BEAT_MS);
    }
  }

  async #beat(): Promise<void> {
    // A subscriber that is owed nothing would not notice that its connection has gone silent.
    this.#subscriber.ping().catch(() => {});
    if (!(await this.#lead.keep())) {
      return this.#fail(
        new ClusterError("busy", "another coordinator has taken over; what is proven is saved"),
      );
    }
    await this.#say();
    const workers = await readWorkers(this.#client, this.#keys, (name, { message }) => {
      if (!this.#refused.has(name))
        this.#log.warn({ worker: name, error: message }, "refused a worker");
      this.#refused.add(name);
    });
    this.#workers = workers
      .map(({ worker }) => worker)
      .filter((worker) => !this.#referee.shutOut.includes(worker));
    for (const { worker, run, counts } of workers) {
      if (run === this.run) this.#counts.set(worker, counts);
    }
    this.#referee.look();
    if (this.#workers.length > 1) this.#split();
    const wanted = [...this.#open.values()].flatMap(({ id, subtrees }) => [
      id,
      ...subtrees.map((subtree) => subtree.id),
    ]);
    for (const id of [...wanted, ...this.#referee.audits.keys()]) await this.#reconcile(id);
    for (const job of await this.#queue.getJobs(["active"])) {
      if (job?.id && !this.#isWanted(job.id)) await this.#cancel(job.id);
    }
  }

  /** Has idle workers begin with the first moves of what takes long. */
  #split(): void {
    for (const open of this.#open.values()) {
      if (open.subtrees.length > 0 || performance.now() - open.since < WORTH_SPLITTING_MS) continue;
      open.subtrees = subtreesOf(this.#options.game, open.question);
    }
  }

  /** What there is to say of the run. */
  #message(): RunMessage {
    const { game, sharing } = this.#options;
    return {
      protocol: PROTOCOL,
      run: this.run,
      epoch: this.#referee.epoch,
      host: hostname(),
      pid: process.pid,
      ...nameGame(game),
      began: this.#began,
      sharing,
      open: [...this.#open.values()].map(({ id, question, subtrees }) => ({
        id,
        ...writeQuestion(game, question),
        parts: subtrees.map((subtree) => ({
          ...writeQuestion(game, subtree.question),
          bound: writeBound(subtree.bound),
        })),
      })),
      starts: this.#starts.map(({ board, bound }) => ({
        board: formatBoard(board),
        bound: writeBound(bound),
      })),
      questions: this.#questions,
      counts: this.counts(),
      shutOut: [...this.#referee.shutOut],
    };
  }

  /** What can be told of it to those who watch. */
  observe(): Observed {
    return { run: this.#message(), workers: this.#workers.length, heard: this.#heard };
  }

  /** Says what there is to say of the run. */
  async #say(): Promise<void> {
    try {
      await this.#client.set(this.#keys.run, JSON.stringify(this.#message()), "PX", GONE_MS);
      await this.#call({ type: "changed" });
      this.#heard = performance.now();
    } catch {
      // The server is away; the next beat says it.
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const open of this.#open.values()) open.reject(error);
    this.#open.clear();
    this.#referee.look();
  }

  stop(): void {
    this.#stopped = true;
    this.#referee.look();
    for (const open of [...this.#open.values()]) this.#settle(open, undefined);
  }

  counts(): NodeCounts {
    let positions = 0;
    let afterstates = 0;
    for (const counts of this.#counts.values()) {
      positions += counts.positions;
      afterstates += counts.afterstates;
    }
    return { positions, afterstates };
  }

  /** Gives up the lead. What is still on the queue is removed. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#beating;
    try {
      if (await this.#lead.keep()) {
        await this.#tidyUp();
        await this.#client.del(this.#keys.run, this.#keys.coordinator);
        await this.#call({ type: "changed" });
      }
    } catch {
      // The server is away; all that is there goes by itself.
    }
    await this.#disconnect();
  }

  async #disconnect(): Promise<void> {
    await Promise.allSettled([this.#queue.close(), this.#events.close()]);
    this.#client.disconnect();
    this.#subscriber.disconnect();
  }
}
