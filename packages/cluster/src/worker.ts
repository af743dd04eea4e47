import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Bound } from "@gridlock/game";
import type {
  ResultMessage,
  RunMessage,
  SubtreeMessage,
  WorkerMessage,
} from "@gridlock/schemas/cluster";
import { Answers, type Question } from "@gridlock/solver";
import type { Logger } from "pino";
import { atMost } from "./connection.js";
import type { EngineOptions } from "./engine.js";
import { expireQueue, JobTaker } from "./jobs.js";
import { Member } from "./member.js";
import {
  gameNamed,
  namedQuestion,
  PROTOCOL,
  read,
  readAgenda,
  readBound,
  readQuestion,
  writeBound,
  writeEntry,
  writeQuestion,
} from "./messages.js";
import type { Observed } from "./metrics.js";
import { RunWatch } from "./run-watch.js";
import { placeIn, Searcher, type Task } from "./searcher.js";
import { CLOSE_MS, GONE_MS } from "./timing.js";

/** Options of a worker process. */
export interface WorkerOptions extends EngineOptions {
  /** The version of Gridlock, for display. */
  readonly version: string;
  /** True to work for one run only. */
  readonly once: boolean;
  readonly log: Logger;
}

/**
 * A machine that works for a run: it searches subtrees with all its threads, and meanwhile the
 * run's question, and shares what it proves with the other workers.
 *
 * Open it with `await using`: disposal saves its table.
 */
export class ClusterWorker implements AsyncDisposable {
  readonly name = `${hostname()}-${process.pid}-${randomBytes(2).toString("hex")}`;
  readonly #options: WorkerOptions;
  readonly #log: Logger;
  readonly #member: Member;
  readonly #jobs: JobTaker;
  readonly #watch: RunWatch;
  readonly #searcher: Searcher;
  /** The answers of this worker and of others to the questions of the run. */
  #answers = new Answers();
  /** The last answer that this worker has found in the run. */
  #found: WorkerMessage["answer"] = null;
  /** The questions of the jobs that were taken, by the ids of these. */
  readonly #taken = new Map<string, Question>();
  /** Counts the descriptions of the run that were heard. */
  #heard = 0;
  #failure: Error | undefined;

  constructor(options: WorkerOptions) {
    const { name } = this;
    this.#options = options;
    this.#log = options.log.child({ worker: name });
    const onFailure = (error: Error) => this.#fail(error);
    this.#member = new Member({ redis: options.redis, log: this.#log, onFailure });
    const { run, cancelled, answers } = this.#member.keys;
    this.#member.hear([run, cancelled, answers], (channel, text) => this.#hear(channel, text));
    this.#watch = new RunWatch(this.#log);
    this.#jobs = new JobTaker(this.#member, (id, job, signal) => this.#work(id, job, signal));
    this.#searcher = new Searcher({
      ...options,
      name,
      log: this.#log,
      onAnswer: (question, bound) => this.#answer(question, bound),
      onFailure: (error) => this.#fail(error),
    });
  }

  /**
   * Works until `leave` is aborted or, with `once`, the run is over. Waits while the server is
   * away.
   *
   * @throws {ClusterError} `protocol` if the coordinator is of another version
   * @throws the error that prevents the search, such as a lack of memory
   */
  async work(leave: AbortSignal): Promise<void> {
    const onLeave = () => this.#leave();
    leave.addEventListener("abort", onLeave, { once: true });
    if (leave.aborted) onLeave();
    try {
      await this.#member.beatOn(() => this.#beat());
    } finally {
      leave.removeEventListener("abort", onLeave);
    }
    if (this.#failure) throw this.#failure;
  }

  /** Once a second: follows the run, and says what this worker does. */
  async #beat(): Promise<void> {
    const { client, keys, reach } = this.#member;
    await this.#member.mend();
    await this.#look();
    reach.answered();
    if (this.#options.once && this.#watch.isOver(performance.now())) {
      this.#log.info("the run is over");
      this.#leave();
      return;
    }
    if (this.#watch.run) this.#jobs.start();
    await Promise.all([expireQueue(client, keys), this.#announce()]);
  }

  /** Reads the description of the run, unless a newer one is heard meanwhile. */
  async #look(): Promise<void> {
    const heard = this.#heard;
    const text = await this.#member.client.get(this.#member.keys.run);
    if (heard === this.#heard) this.#follow(text);
  }

  /** Hears of a change of the run, of jobs that no longer matter, or an answer; may miss them. */
  #hear(channel: string, text: string): void {
    const { cancelled, answers } = this.#member.keys;
    try {
      if (channel === cancelled) {
        for (const id of text.split(" ")) this.#jobs.cancel(id);
      } else if (channel === answers) this.#hearAnswer(text);
      else {
        this.#heard++;
        this.#follow(text);
      }
    } catch (error) {
      this.#member.failed(error);
    }
  }

  /** Reads another worker's answer from its status, if it is valid and of this run. */
  #hearAnswer(text: string): void {
    const { run } = this.#watch;
    try {
      const status = read("worker", text);
      if (!run || status.run !== run.run || status.worker === this.name || !status.answer) return;
      this.#answers.add(
        readQuestion(gameNamed(run), status.answer),
        readBound(status.answer.bound),
      );
    } catch (error) {
      this.#log.warn({ error: (error as Error).message }, "ignored an answer");
    }
    this.#aim();
  }

  #follow(text: string | null): void {
    if (this.#watch.read(text, performance.now())) {
      this.#searcher.beginRun();
      this.#answers = new Answers();
      this.#found = null;
    }
    this.#aim();
  }

  /**
   * Searches the question of the run or, as far as answers are known, one that follows it; stops
   * jobs of questions that are answered.
   */
  #aim(): void {
    const { run } = this.#watch;
    const question = run && this.#open(run);
    this.#searcher.aim(question && this.#taskOf(namedQuestion(gameNamed(run), question)));
    for (const [id, question] of this.#taken)
      if (this.#answers.get(question)) this.#jobs.cancel(id);
  }

  /** Returns the first question of a run that is not answered, if there is one. */
  #open(run: RunMessage): Question | undefined {
    const agenda = readAgenda(run);
    if (agenda) return this.#answers.next(agenda);
    const question = run.question && readQuestion(gameNamed(run), run.question);
    return question && !this.#answers.get(question) ? question : undefined;
  }

  /** Returns a task for a question of the run, if this worker has a place in it. */
  #taskOf(question: Task["question"] | undefined): Task | undefined {
    const { run } = this.#watch;
    const place = run && placeIn(run, this.name);
    return question && place ? { run, place, question } : undefined;
  }

  async #work(
    id: string,
    { run, board, threshold, budget, of }: SubtreeMessage,
    signal: AbortSignal,
  ): Promise<ResultMessage> {
    const question = { id, board, threshold };
    // The description that gives this worker a place in the run may be newer than the last look at
    // it.
    if (this.#taskOf(question)?.run.run !== run) await this.#look();
    const task = this.#taskOf(question);
    if (task?.run.run !== run) throw new Error(`${id} is a subtree of another run`);
    const game = gameNamed(task.run);
    if (of) this.#taken.set(id, readQuestion(game, of));
    try {
      const proven = await (budget === null
        ? this.#searcher.prove(task, signal)
        : this.#searcher.search(task, budget, signal));
      const { counts } = this.#searcher;
      const bounds = proven.map((entry) => writeEntry(game, entry));
      return { protocol: PROTOCOL, worker: this.name, counts, bounds };
    } finally {
      this.#taken.delete(id);
    }
  }

  /** Tells the coordinator and the other workers an answer; each status contains it too. */
  #answer(question: Question, bound: Bound): void {
    const { run } = this.#watch;
    if (run) {
      this.#answers.add(question, bound);
      this.#found = { ...writeQuestion(gameNamed(run), question), bound: writeBound(bound) };
      const message = JSON.stringify(this.#message(this.#found));
      const { client, keys, onError } = this.#member;
      client.publish(keys.answers, message).catch(onError);
    }
    this.#aim();
  }

  /** The answer to the question of the run or, without one, the last that this worker has found. */
  get #known(): WorkerMessage["answer"] {
    const { run } = this.#watch;
    if (!run?.question) return this.#found;
    const { board, threshold } = run.question;
    const bound = this.#answers.get(readQuestion(gameNamed(run), { board, threshold }));
    return bound ? { board, threshold, bound: writeBound(bound) } : this.#found;
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#leave();
  }

  #leave(): void {
    this.#member.leaving.abort();
    this.#searcher.leave();
  }

  /** Returns the status that the coordinator and status readers receive. */
  #message(answer = this.#known): WorkerMessage {
    const { threads, version } = this.#options;
    const { question, job, memory, counts, rates, shared } = this.#searcher;
    return {
      protocol: PROTOCOL,
      worker: this.name,
      host: hostname(),
      pid: process.pid,
      version,
      threads,
      memory,
      state: job || question ? "working" : "idle",
      question: question ?? null,
      subtree: job ?? null,
      answer,
      run: this.#watch.run?.run ?? null,
      counts,
      ...rates,
      shared,
    };
  }

  /** Returns the state from which metrics are made. */
  observe(): Observed {
    return { worker: this.#message(), heard: this.#member.reach.heard };
  }

  /** Announces the status of this worker. */
  async #announce(): Promise<void> {
    const { client, keys } = this.#member;
    await Promise.all([
      client.set(keys.worker(this.name), JSON.stringify(this.#message()), "PX", GONE_MS),
      client.sadd(keys.workers, this.name),
    ]);
  }

  /** Saves the table, and disconnects. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#leave();
    using member = this.#member;
    const { client, keys } = member;
    await this.#jobs[Symbol.asyncDispose]();
    await this.#searcher[Symbol.asyncDispose]();
    const status = client.del(keys.worker(this.name));
    const name = client.srem(keys.workers, this.name);
    const queue = expireQueue(client, keys);
    await atMost(CLOSE_MS, Promise.allSettled([status, name, queue])); // they expire too
  }
}
