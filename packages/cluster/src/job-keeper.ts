import type { Game } from "@gridlock/game";
import type { Logger } from "pino";
import { ClusterError } from "./errors.js";
import { isIntact, type JobQueue, type QueuedJob } from "./job-queue.js";
import { type Answer, type Jobs, type QuestionJob, queuedId } from "./jobs.js";
import {
  type AnswerMessage,
  nameGame,
  PROTOCOL,
  type QuestionMessage,
  type RunMessage,
  read,
  readBound,
  writeQuestion,
} from "./messages.js";
import { isServersFault } from "./outage.js";
import type { ListedJobs } from "./queue.js";
import type { Run } from "./run.js";

export interface JobKeeperOptions {
  readonly game: Game;
  readonly jobs: Jobs;
  readonly queue: JobQueue;
  readonly run: Run;
  readonly log: Logger;
  readonly onAnswer: (job: QuestionJob, answer: Answer) => void;
}

/**
 * Keeps the queue in agreement with the open questions: queues them, and again if they get lost;
 * collects their answers; removes those that are no longer needed.
 */
export class JobKeeper {
  readonly #options: JobKeeperOptions;

  constructor(options: JobKeeperOptions) {
    this.#options = options;
  }

  /** Returns the ids of the needed jobs. */
  #needed(): string[] {
    return this.#options.jobs.all().flatMap((job) => queuedId(job) ?? []);
  }

  /** Returns the needed jobs, as messages to workers: a worker stops searching any other. */
  open(): RunMessage["open"] {
    const { jobs, game } = this.#options;
    return jobs.all().flatMap((job) => {
      const id = queuedId(job);
      return id === undefined ? [] : [{ id, ...writeQuestion(game, job.question) }];
    });
  }

  /** Prepares the queue for a run: removes the jobs that no worker has. */
  async begin(): Promise<void> {
    const { queue } = this.#options;
    await queue.mend(this.#needed());
    await queue.clear();
    queue.listen();
  }

  /** Removes the queue at the end of a run. */
  async end(): Promise<void> {
    const { queue } = this.#options;
    await queue.mend([]);
    await queue.obliterate();
  }

  /** Brings the queue into agreement with the questions. */
  async reconcileAll(): Promise<void> {
    const { queue, log } = this.#options;
    const needed = this.#needed();
    const removed = await queue.mend(needed);
    if (removed.length > 0) {
      log.warn({ keys: removed }, "removed keys of the wrong type; lost jobs are queued again");
    }
    const listed = await queue.list();
    for (const id of needed) await this.#reconcile(id, listed);
  }

  /** Brings a job and the queue into agreement now, or at the next beat if the server is away. */
  async reconcileSoon(id: string): Promise<void> {
    try {
      await this.#reconcile(id, await this.#options.queue.list());
    } catch (error) {
      this.#options.log.debug({ job: id, error: (error as Error).message }, "not reconciled");
    }
  }

  async #reconcile(id: string, listed: ListedJobs): Promise<void> {
    const queued = await this.#options.queue.find(id, listed);
    const job = this.#options.jobs.waitingFor(id);
    if (job === undefined) return;
    switch (queued?.state) {
      case undefined:
        return await this.#options.queue.add(id, this.#dataOf(job));
      case "completed":
        return await this.completed(id, queued.returned);
      case "failed":
        return await this.#failed(id, job, queued);
      case "damaged":
        await this.#options.queue.discard(id);
        return await this.#again(id);
    }
  }

  #dataOf({ question, first }: QuestionJob): QuestionMessage {
    const { game } = this.#options;
    const asked = { protocol: PROTOCOL, ...nameGame(game), ...writeQuestion(game, question) };
    return first === undefined ? asked : { ...asked, not: first.worker };
  }

  /**
   * Handles a job's return value. If it is not an answer, queues the job again if it is still
   * needed.
   */
  async completed(id: string, returned: unknown): Promise<void> {
    const { jobs, run, onAnswer, log } = this.#options;
    let message: AnswerMessage;
    try {
      message = read("answer", returned);
    } catch (error) {
      log.warn({ job: id, error: (error as Error).message }, "ignored an answer");
      return await this.#again(id);
    }
    const { worker, counts, bound } = message;
    if (message.run === run.id) run.count(worker, counts);
    const job = jobs.waitingFor(id);
    if (job && bound) onAnswer(job, { worker, bound: readBound(bound) });
    await this.#again(id);
  }

  /** Removes a job that has ended or is damaged, and queues it again if it is still needed. */
  async #again(id: string): Promise<void> {
    const { jobs, queue, log } = this.#options;
    try {
      await queue.remove(id);
      const job = jobs.waitingFor(id);
      if (job) await queue.add(id, this.#dataOf(job));
    } catch (error) {
      log.debug({ job: id, error: (error as Error).message }, "not removed"); // the next beat does it
    }
  }

  /**
   * Gives up a question whose job has finally failed, or queues it again if the cause was damaged
   * data or the server.
   */
  async #failed(
    id: string,
    job: QuestionJob,
    { reason, tries, data }: Extract<QueuedJob, { state: "failed" }>,
  ): Promise<void> {
    const { jobs, game, log } = this.#options;
    if (!isIntact(data, this.#dataOf(job))) {
      log.warn({ job: id, reason }, "queued a damaged job again");
      return await this.#again(id);
    }
    if (isServersFault(reason)) return await this.#again(id);
    log.error({ job: id, reason, tries }, "gave up a question");
    const { board, threshold } = writeQuestion(game, job.question);
    const error = new ClusterError(
      "job",
      `the question whether ${board} is worth ${threshold} was given up after ${tries} ${tries === 1 ? "try" : "tries"}: ${reason}`,
    );
    jobs.reject(job, error);
    await this.#options.queue.remove(id);
  }

  /** Takes a question off the queue, if no worker has it. */
  withdraw(job: QuestionJob): void {
    const id = queuedId(job);
    // If the server is away, it stays on the queue until the run ends.
    if (id !== undefined) this.#options.queue.remove(id).catch(() => {});
  }
}
