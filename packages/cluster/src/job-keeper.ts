import type { Bound, Game } from "@gridlock/game";
import type { Logger } from "pino";
import type { ControlChannel } from "./control.js";
import { ClusterError } from "./errors.js";
import { isIntact, type JobQueue, type QueuedJob } from "./job-queue.js";
import type { Job, Jobs } from "./jobs.js";
import {
  type AnswerMessage,
  nameGame,
  PROTOCOL,
  type QuestionMessage,
  read,
  readBound,
  writeQuestion,
} from "./messages.js";
import type { Referee } from "./referee.js";
import type { RunState } from "./run-state.js";

export interface JobKeeperOptions {
  readonly game: Game;
  /** Nodes after which a question is requeued. */
  readonly budget?: number | undefined;
  readonly jobs: Jobs;
  readonly queue: JobQueue;
  readonly referee: Referee;
  readonly control: ControlChannel;
  readonly state: RunState;
  readonly log: Logger;
  /** Receives an answer of this epoch. */
  readonly onAnswer: (id: string, worker: string, bound: Bound) => void;
}

/**
 * Keeps the queue in agreement with the jobs that are needed: queues them, and again if they get lost; collects their
 * answers; removes or cancels those that are no longer needed.
 */
export class JobKeeper {
  readonly #options: JobKeeperOptions;
  #isTidy = false;
  #tidying: Promise<void> | undefined;

  constructor(options: JobKeeperOptions) {
    this.#options = options;
  }

  /** Removes jobs of earlier runs or epochs, before any job is queued. */
  async tidy(): Promise<void> {
    if (this.#isTidy) return;
    this.#tidying ??= this.#tidyUp().finally(() => {
      this.#tidying = undefined;
    });
    await this.#tidying;
  }

  async #tidyUp(): Promise<void> {
    const { queue, jobs } = this.#options;
    const wanted = jobs.all().map(({ id }) => id);
    await queue.mend(wanted, []);
    await queue.clear();
    for (const id of await queue.active()) await this.#cancel(id);
    this.#isTidy = true;
  }

  /** Requests that the queue be emptied. */
  startOver(): void {
    this.#isTidy = false;
  }

  /**
   * Brings the queue into agreement with the jobs.
   *
   * @param workers names of workers, some of which may be gone
   */
  async reconcileAll(workers: readonly string[]): Promise<void> {
    const { jobs, queue, log } = this.#options;
    const wanted = jobs.all().map(({ id }) => id);
    const removed = await queue.mend(wanted, workers);
    if (removed.length > 0) {
      log.warn({ keys: removed }, "removed keys of the wrong type; lost jobs are queued again");
    }
    await this.tidy();
    for (const id of wanted) await this.#reconcile(id);
    for (const id of await queue.active()) if (!jobs.get(id)) await this.#cancel(id);
  }

  /** Brings a job and the queue into agreement now, or at the next beat if the server is away. */
  async reconcileSoon(id: string): Promise<void> {
    try {
      await this.tidy();
      await this.#reconcile(id);
    } catch (error) {
      this.#options.log.debug({ job: id, error: (error as Error).message }, "not reconciled");
    }
  }

  async #reconcile(id: string): Promise<void> {
    const queued = await this.#options.queue.find(id);
    const job = this.#options.jobs.get(id);
    if (job === undefined) return;
    switch (queued?.state) {
      case undefined:
        return await this.#add(job);
      case "completed":
        return await this.completed(id, queued.returned);
      case "failed":
        return await this.#failed(job, queued);
      case "damaged":
        return await this.#again(id);
      case "waiting":
        return await this.#makeRoom(job);
    }
  }

  async #add(job: Job): Promise<void> {
    const { queue, referee } = this.#options;
    if (!referee.isJudging && this.#isTidy) await queue.add(job, this.#dataOf(job));
  }

  #dataOf(job: Job): QuestionMessage {
    const { game, budget } = this.#options;
    const asked = { protocol: PROTOCOL, ...nameGame(game), ...writeQuestion(game, job.question) };
    if (job.kind === "audit") return { ...asked, audited: job.audited.worker };
    return budget === undefined ? asked : { ...asked, budget };
  }

  /** Frees a worker that has a part of a waiting question, so that it takes the question instead. */
  async #makeRoom(job: Job): Promise<void> {
    if (job.kind !== "question") return;
    for (const { id } of job.parts) {
      const part = await this.#options.queue.find(id);
      if (part?.state === "active") return await this.#cancel(id);
    }
  }

  /** Handles a job's return value: an answer, or none yet; then the job is queued again if it is still needed. */
  async completed(id: string, returned: unknown): Promise<void> {
    const { referee, state, onAnswer, log } = this.#options;
    let message: AnswerMessage;
    try {
      message = read("answer", returned);
    } catch (error) {
      log.warn({ job: id, error: (error as Error).message }, "ignored an answer");
      return await this.#again(id);
    }
    if (message.run === state.run) state.count(message.worker, message.counts);
    if (message.outcome === "answered" && message.epoch === referee.epoch) {
      onAnswer(id, message.worker, readBound(message.bound));
    }
    await this.#again(id);
  }

  /** Removes a job that has ended or is damaged, and queues it again if it is still needed. */
  async #again(id: string): Promise<void> {
    const { jobs, queue, log } = this.#options;
    try {
      await queue.remove(id);
      const job = jobs.get(id);
      if (job) await this.#add(job);
    } catch (error) {
      log.debug({ job: id, error: (error as Error).message }, "not removed"); // the next beat does it
    }
  }

  /** Sets aside a job that has failed for good, or queues it again if it failed because its data were damaged. */
  async #failed(job: Job, failed: Extract<QueuedJob, { state: "failed" }>): Promise<void> {
    const { jobs, referee, game, log } = this.#options;
    const { id } = job;
    const { reason, tries, data } = failed;
    if (!isIntact(data, this.#dataOf(job))) {
      log.warn({ job: id, reason }, "queued a damaged job again");
      return await this.#again(id);
    }
    log.error({ job: id, reason, tries }, "set aside");
    this.withdraw(jobs.drop(id));
    referee.look();
    if (job.kind !== "question") return;
    const { board, threshold } = writeQuestion(game, job.question);
    job.reject(
      new ClusterError(
        "job",
        `the question whether ${board} is worth ${threshold} was set aside after ${tries} ${tries === 1 ? "try" : "tries"}: ${reason}`,
      ),
    );
  }

  /** Takes jobs off the queue, or has their workers stop. */
  withdraw(ids: readonly string[]): void {
    for (const id of ids) void this.#withdraw(id);
  }

  async #withdraw(id: string): Promise<void> {
    try {
      if (!(await this.#options.queue.remove(id))) await this.#cancel(id);
    } catch {
      // The next beat cancels it if a worker has it. It stays on the queue until the run ends.
    }
  }

  async #cancel(id: string): Promise<void> {
    await this.#options.control.call({ type: "cancel", id });
  }
}
